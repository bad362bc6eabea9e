import Foundation
import WhereaboutsReports

/// Sentences of NMEA 0183 as a receiver of several systems sends them, one group each second.
struct NMEASentences {
  /// The quality of a fix.
  struct Quality {
    /// Metres at 68 %.
    var accuracy: Double
    var satellites: Int
    var dilution: Double
  }

  /// The values of one second.
  struct Epoch {
    /// Seconds since the beginning.
    var second: Int
    var latitude: Double
    var longitude: Double
    /// Metres above the sea.
    var height: Double
    /// Metres per second.
    var speed: Double
    /// Degrees from true north.
    var course: Double
    /// `nil` where there is no fix.
    var quality: Quality?
    var listsSatellites: Bool
  }

  private(set) var bytes: [UInt8] = []
  private let hour: Int
  private let minute: Int
  private let date: String

  init(hour: Int, minute: Int, day: Int, month: Int, year: Int) {
    self.hour = hour
    self.minute = minute
    date = [day, month, year % 100].map(Self.twoDigits).joined()
  }

  mutating func append(_ epoch: Epoch) {
    let seconds = (hour * 60 + minute) * 60 + epoch.second
    let time =
      "\(Self.twoDigits(seconds / 3600))\(Self.twoDigits(seconds / 60 % 60))\(Self.twoDigits(seconds % 60)).00"
    guard let quality = epoch.quality else {
      sentence("GNRMC,\(time),V,,,,,,,\(date),,,N")
      sentence("GNGGA,\(time),,,,,0,00,99.9,,M,,M,,")
      sentence("GNGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9")
      return
    }
    let place =
      "\(Self.degrees(epoch.latitude, digits: 2, "N", "S")),\(Self.degrees(epoch.longitude, digits: 3, "E", "W"))"
    let knots = (epoch.speed * 3600 / 1852).fixed(3)
    // Below walking pace a receiver does not say which way it goes.
    let course = epoch.speed > 0.3 ? epoch.course.fixed(2) : ""
    sentence("GNRMC,\(time),A,\(place),\(knots),\(course),\(date),,,A")
    let used = Self.twoDigits(quality.satellites)
    sentence(
      "GNGGA,\(time),\(place),1,\(used),\(quality.dilution.fixed(2)),\(epoch.height.fixed(1)),M,45.9,M,,")
    let numbers = Self.satellites.prefix(quality.satellites).map { Self.twoDigits($0.number) }
    let slots = (numbers + Array(repeating: "", count: 12 - numbers.count)).joined(separator: ",")
    let vertical = quality.dilution * 1.6
    sentence(
      "GNGSA,A,\(quality.satellites > 4 ? 3 : 2),\(slots),\(hypot(quality.dilution, vertical).fixed(2)),"
        + "\(quality.dilution.fixed(2)),\(vertical.fixed(2))")
    // GST gives one standard deviation per axis; 68 % of a circle are about 1.5 of them.
    let deviation = (quality.accuracy / 1.5).fixed(2)
    sentence(
      "GNGST,\(time),\((quality.accuracy * 1.2).fixed(1)),,,,\(deviation),\(deviation),\((quality.accuracy * 1.4).fixed(2))"
    )
    if epoch.listsSatellites { listSatellites(at: epoch.second, tracked: quality.satellites) }
  }

  /// The heading of a gyro compass: degrees from true north in [0, 360).
  mutating func append(heading: Double) {
    sentence("HEHDT,\((heading == 360 ? 0 : heading).fixed(1)),T")
  }

  private mutating func listSatellites(at second: Int, tracked: Int) {
    let groups = (Self.satellites.count + 3) / 4
    for group in 0..<groups {
      let members = Self.satellites.enumerated().dropFirst(group * 4).prefix(4).map { index, satellite in
        let azimuth = (satellite.azimuth + second / 40) % 360
        let signal = index < tracked ? Self.twoDigits(satellite.signal + (second / 10 + index) % 4) : ""
        return
          ",\(Self.twoDigits(satellite.number)),\(Self.twoDigits(satellite.elevation)),\(Self.threeDigits(azimuth)),\(signal)"
      }
      sentence("GPGSV,\(groups),\(group + 1),\(Self.twoDigits(Self.satellites.count))\(members.joined())")
    }
  }

  private static let satellites: [(number: Int, elevation: Int, azimuth: Int, signal: Int)] = [
    (5, 71, 210, 44), (13, 55, 98, 42), (15, 48, 171, 43),
    (20, 41, 301, 40),
    (23, 37, 252, 39), (24, 33, 61, 38), (29, 28, 278, 36), (18, 24, 132, 35), (12, 19, 33, 33),
    (25, 15, 340, 31),
    (10, 11, 195, 30), (2, 6, 318, 27),
  ]

  private mutating func sentence(_ body: String) {
    let checksum = body.utf8.reduce(0, ^)
    let digits = Array("0123456789ABCDEF")
    bytes.appendText("$\(body)*\(digits[Int(checksum >> 4)])\(digits[Int(checksum & 15)])\r\n")
  }

  /// Degrees and minutes to five places, with the hemisphere.
  private static func degrees(_ value: Double, digits: Int, _ positive: String, _ negative: String) -> String
  {
    let hundredThousandths = Int((value.magnitude * 60 * 100_000).rounded())
    let (degrees, rest) = hundredThousandths.quotientAndRemainder(dividingBy: 6_000_000)
    let (minutes, fraction) = rest.quotientAndRemainder(dividingBy: 100_000)
    let whole = digits == 2 ? twoDigits(degrees) : threeDigits(degrees)
    return
      "\(whole)\(twoDigits(minutes)).\(String(String(fraction + 100_000).dropFirst())),\(value < 0 ? negative : positive)"
  }

  private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
  private static func threeDigits(_ value: Int) -> String {
    value < 100 ? "0\(twoDigits(value))" : "\(value)"
  }
}
