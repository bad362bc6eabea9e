import Foundation

/// A way through an invented town: corners in metres east and north of a place, rounded as a road is.
struct SampleRoute {
  private var points: [(east: Double, north: Double)] = []
  private var distances: [Double] = []

  /// Metres from its first corner to its last.
  var length: Double { distances.last ?? 0 }

  init(corners: [(Double, Double)], radius: Double) {
    points.append(corners[0])
    for (index, corner) in corners.enumerated().dropFirst().dropLast() {
      let before = Self.point(from: corner, towards: corners[index - 1], metres: radius)
      let after = Self.point(from: corner, towards: corners[index + 1], metres: radius)
      for step in 0...8 {
        // A quadratic Bézier curve with its middle at the corner.
        let t = Double(step) / 8
        points.append(
          (
            (1 - t) * (1 - t) * before.0 + 2 * t * (1 - t) * corner.0 + t * t * after.0,
            (1 - t) * (1 - t) * before.1 + 2 * t * (1 - t) * corner.1 + t * t * after.1
          ))
      }
    }
    points.append(corners[corners.count - 1])
    distances = [0]
    for (from, to) in zip(points, points.dropFirst()) {
      distances.append(distances[distances.count - 1] + hypot(to.east - from.east, to.north - from.north))
    }
  }

  /// The place after a number of metres, and the direction there in degrees from north.
  func place(after metres: Double) -> (east: Double, north: Double, course: Double) {
    let metres = min(max(metres, 0), length)
    let next = max(1, min(distances.firstIndex { $0 >= metres } ?? 1, points.count - 1))
    let (from, to) = (points[next - 1], points[next])
    let share = (metres - distances[next - 1]) / max(distances[next] - distances[next - 1], 1e-9)
    let course = atan2(to.east - from.east, to.north - from.north) * 180 / .pi
    return (
      from.east + share * (to.east - from.east), from.north + share * (to.north - from.north),
      course < 0 ? course + 360 : course
    )
  }

  /// The turn of the route within a number of metres ahead, in degrees.
  func turn(from metres: Double, ahead: Double) -> Double {
    let change = (place(after: metres + ahead).course - place(after: metres).course).magnitude
    return min(change, 360 - change)
  }

  private static func point(
    from start: (Double, Double), towards end: (Double, Double), metres: Double
  ) -> (Double, Double) {
    let length = hypot(end.0 - start.0, end.1 - start.1)
    let share = min(metres, length / 2) / length
    return (start.0 + share * (end.0 - start.0), start.1 + share * (end.1 - start.1))
  }
}

/// Metres east and north of a place as degrees: good to a millimetre within the few kilometres of a sample.
struct SamplePlane {
  let latitude: Double
  let longitude: Double

  func degrees(east: Double, north: Double) -> (latitude: Double, longitude: Double) {
    let sine = sin(latitude * .pi / 180), cosine = cos(latitude * .pi / 180)
    let flattening = 1 / 298.257223563
    let e2 = flattening * (2 - flattening)
    let w2 = 1 - e2 * sine * sine
    let meridional = 6_378_137 * (1 - e2) / (w2 * w2.squareRoot())
    let transverse = 6_378_137 / w2.squareRoot()
    let east = longitude + east / (transverse * cosine) * 180 / .pi
    return (
      latitude + north / meridional * 180 / .pi, east > 180 ? east - 360 : east < -180 ? east + 360 : east
    )
  }
}

/// Error as receivers have it: it wanders slowly, so that neighbouring fixes are wrong alike.
///
/// A Gauss-Markov process of the first order in each direction.
struct SampleNoise {
  private var east = 0.0
  private var north = 0.0
  private let seconds: Double

  /// - Parameter seconds: the time in which two errors become strangers.
  init(seconds: Double) {
    self.seconds = seconds
  }

  /// The error after some seconds more, if its standard deviation in each direction is that many metres by now.
  mutating func advance(
    by interval: Double, deviation: Double, using random: inout some RandomNumberGenerator
  ) -> (east: Double, north: Double) {
    let kept = exp(-interval / seconds)
    let fresh = (1 - kept * kept).squareRoot()
    east = kept * east + fresh * Self.gaussian(using: &random)
    north = kept * north + fresh * Self.gaussian(using: &random)
    return (east * deviation, north * deviation)
  }

  /// A number of the standard normal distribution, by Box and Muller (1958).
  static func gaussian(using random: inout some RandomNumberGenerator) -> Double {
    let u = Double.random(in: 1e-12..<1, using: &random), v = Double.random(in: 0..<1, using: &random)
    return (-2 * log(u)).squareRoot() * cos(2 * .pi * v)
  }
}
