import Foundation
import WhereaboutsReports
import WhereaboutsTesting

/// A walk of three quarters of an hour on an invented coast path that crosses the 180th meridian, as a watch saves it.
///
/// Up to a lookout, a rest there with the watch switched off, and down another way. Four places have names.
struct SampleWalk {
  private static let plane = SamplePlane(latitude: -16.795, longitude: 179.9955)
  private static let route = SampleRoute(
    corners: [
      (0, 0), (90, 60), (140, 180), (250, 210), (330, 330), (310, 450), (420, 520), (540, 500), (640, 590),
      (760, 600),
      (800, 720), (930, 740), (1010, 660), (1120, 650), (1180, 540), (1120, 430), (1000, 400), (940, 290),
      (820, 260),
      (760, 150), (640, 130), (560, 40), (430, 30), (330, -40), (190, -50),
    ], radius: 22)
  private static let lookout = 1180.0
  private static let start = (hour: 21, minute: 40)
  private static let places: [(name: String, at: Double)] = [
    ("Landing", 0), ("Footbridge", 395), ("180° marker", 782), ("Lookout", lookout),
  ]

  /// The document.
  static func gpx() -> [UInt8] {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Whereabouts sample" xmlns="http://www.topografix.com/GPX/1/1">
        <metadata><name>Walk across the 180th meridian</name></metadata>

      """
    for place in places {
      let spot = route.place(after: place.at)
      let position = plane.degrees(east: spot.east + 6, north: spot.north + 8)
      text += "  <wpt \(attributes(position))><ele>\(height(at: place.at).fixed(1))</ele>"
      text += "<name>\(place.name)</name></wpt>\n"
    }
    text += "  <trk>\n    <name>Walk</name>\n    <trkseg>\n"
    text += trackPoints()
    text += "    </trkseg>\n  </trk>\n</gpx>\n"
    return Array(text.utf8)
  }

  private static func trackPoints() -> String {
    var random = SeededGenerator(seed: 3)
    var noise = SampleNoise(seconds: 60)
    var text = ""
    var metres = 0.0
    var second = 0
    var hasRested = false
    while metres < route.length {
      let place = route.place(after: metres)
      // Under the trees of the first slope the sky is narrow.
      let dilution = (250..<620).contains(metres) ? 2.6 : 0.9
      let error = noise.advance(by: 3, deviation: 2.1 * dilution, using: &random)
      let position = plane.degrees(east: place.east + error.east, north: place.north + error.north)
      let wander = 0.4 * SampleNoise.gaussian(using: &random)
      text += """
              <trkpt \(attributes(position))><ele>\((height(at: metres) + wander).fixed(1))</ele>\
        <time>\(time(second))</time><sat>\(dilution > 2 ? 6 : 10)</sat><hdop>\(dilution.fixed(1))</hdop></trkpt>

        """
      let slope = height(at: metres + 10) - height(at: metres)
      let speed = max(0.5, 1.25 - 0.35 * slope / 10 * 8) + 0.08 * SampleNoise.gaussian(using: &random)
      metres += 3 * max(speed, 0.3)
      second += 3
      if !hasRested, metres >= lookout {
        hasRested = true
        text += "    </trkseg>\n    <trkseg>\n"
        second += 412
        noise = SampleNoise(seconds: 60)
      }
    }
    return text
  }

  /// A hill of 70 m with the lookout on it.
  private static func height(at metres: Double) -> Double {
    4 + 70 * exp(-pow((metres - lookout) / 520, 2))
  }

  private static func attributes(_ position: (latitude: Double, longitude: Double)) -> String {
    "lat=\"\(position.latitude.fixed(7))\" lon=\"\(position.longitude.fixed(7))\""
  }

  private static func time(_ second: Int) -> String {
    let total = (start.hour * 60 + start.minute) * 60 + second
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "2024-05-13T\(two(total / 3600)):\(two(total / 60 % 60)):\(two(total % 60))Z"
  }
}
