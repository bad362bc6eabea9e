import Foundation
import WhereaboutsTesting

/// A boat that leaves its mooring and crosses the equator under sail, with a gyro compass that speaks beside the receiver.
///
/// Five minutes. Moored, it points due north and goes nowhere; under way it points a few degrees to windward of where it
/// goes, yaws in the swell, tacks through north, and bears away at the end.
struct SampleSail {
  static let seconds = 300
  private static let plane = SamplePlane(latitude: -0.0031, longitude: 6.7312)
  private static let route = SampleRoute(
    corners: [(0, 0), (15, 160), (-130, 330), (60, 520), (-40, 640), (-190, 600), (-160, 380)], radius: 30)
  private static let moored = 20

  /// The capture.
  static func nmea() -> [UInt8] {
    var random = SeededGenerator(seed: 11)
    var noise = SampleNoise(seconds: 50)
    var sentences = NMEASentences(hour: 10, minute: 30, day: 21, month: 3, year: 2024)
    var metres = 0.0, speed = 0.0
    for second in 0..<seconds {
      let error = noise.advance(by: 1, deviation: 1.3, using: &random)
      let place = route.place(after: metres)
      let position = plane.degrees(east: place.east + error.east, north: place.north + error.north)
      sentences.append(
        NMEASentences.Epoch(
          second: second, latitude: position.latitude, longitude: position.longitude,
          height: 1.5 + 0.4 * sin(Double(second) / 1.1) + 0.3 * error.north, speed: speed,
          course: place.course,
          quality: .init(accuracy: 2.1 + 0.3 * sin(Double(second) / 40), satellites: 11, dilution: 0.8),
          listsSatellites: false))
      sentences.append(heading: heading(second, course: place.course, speed: speed))
      speed = second < moored ? 0 : min(3.2, speed + 0.12)
      metres += speed
    }
    return sentences.bytes
  }

  /// Wind from the north-east, so that the bow stands to starboard of the course on one tack and to port on the other.
  private static func heading(_ second: Int, course: Double, speed: Double) -> Double {
    guard speed > 0 else { return 0 }
    let leeway = course < 180 ? -5.0 : 5.0
    let swell = 2.5 * sin(Double(second) / 2.3) + 1.2 * sin(Double(second) / 0.9)
    let degrees = (course + leeway + swell + 360).truncatingRemainder(dividingBy: 360)
    return (degrees * 10).rounded() / 10
  }
}
