import Foundation
import WhereaboutsGeodesy

/// A line of Vectors/inverse.txt, whose head says what it holds and how it was made.
struct GeodesicVector: Sendable {
  let kind: String
  let start, end: Coordinate
  /// By quadrature in 34 digits; the azimuths are `nil` for a place and itself.
  let initialAzimuth, finalAzimuth: Double?
  let distance: Double
  /// By GeographicLib.
  let peerDistance: Double

  /// Metres of missing the end for a degree of error in an azimuth: the reduced length, as on a sphere.
  var metresPerDegree: Double {
    let radius = 6_371_000.0
    return radius * sin(distance / radius).magnitude * .pi / 180
  }

  static let all: [GeodesicVector] = {
    guard let url = Bundle.module.url(forResource: "Vectors/inverse", withExtension: "txt"),
      let text = try? String(contentsOf: url, encoding: .utf8)
    else { return [] }
    return text.split(separator: "\n").compactMap(GeodesicVector.init)
  }()

  private init?(line: Substring) {
    let fields = line.split(separator: " ")
    guard fields.first != "#", fields.count == 11,
      let latitude1 = Double(fields[1]), let longitude1 = Double(fields[2]),
      let latitude2 = Double(fields[3]), let longitude2 = Double(fields[4]),
      let start = Coordinate(latitude: latitude1, longitude: longitude1),
      let end = Coordinate(latitude: latitude2, longitude: longitude2),
      let distance = Double(fields[7]), let peerDistance = Double(fields[10])
    else { return nil }
    kind = String(fields[0])
    self.start = start
    self.end = end
    initialAzimuth = Double(fields[5])
    finalAzimuth = Double(fields[6])
    self.distance = distance
    self.peerDistance = peerDistance
  }
}

/// The angle between two azimuths in degrees, without sign.
func angle(_ a: Double, _ b: Double) -> Double {
  (a - b).remainder(dividingBy: 360).magnitude
}
