import RealModule

/// An edge of an area as a geodesic that can be followed.
struct GeodesicEdge: Sendable {
  let start: Coordinate
  /// The length in metres.
  let length: Double
  private let α1: Direction

  init(from start: Coordinate, to end: Coordinate) {
    let path = Geodesic(from: start, to: end)
    self.start = start
    length = path.distance
    α1 = Direction(degrees: path.initialAzimuth ?? 0)
  }

  /// Returns the place at a distance in metres from the start.
  func place(at t: Double) -> Coordinate {
    GeodesicDirect(from: start, α1: α1, distance: t).end
  }

  /// Returns the distance from a place to the edge, in metres, starting near the foot of the perpendicular.
  ///
  /// Each step treats the triangle of place, foot and reached point as spherical. The error of a step is some
  /// thousandths of the step before.
  func distance(to place: Coordinate, from t0: Double) -> Double {
    let radius = WGS84.semiMinorAxis
    var t = min(max(t0, 0), length)
    var best = Double.infinity
    for _ in 0..<12 {
      let foot = GeodesicDirect(from: start, α1: α1, distance: t)
      let path = Geodesic(from: foot.end, to: place)
      best = min(best, path.distance)
      guard let azimuth = path.initialAzimuth else { return 0 }
      let angle = Direction(degrees: azimuth).minus(onward(at: foot, t))
      let δ = path.distance / radius
      let step = radius * Double.atan2(y: angle.cosine * .sin(δ), x: .cos(δ))
      let next = min(max(t + step, 0), length)
      let moved = next - t
      // The possible gain of another step.
      if moved * moved <= 2e-9 * path.distance { break }
      t = next
    }
    return best
  }

  /// Returns the azimuth of the edge at a place on it.
  private func onward(at foot: GeodesicDirect, _ t: Double) -> Direction {
    let α2 = foot.α2
    if α2.sine != 0 || α2.cosine != 0 { return Direction(y: α2.sine, x: α2.cosine) }
    // At a pole to the last digit, the edge starts there or arrives along the meridian of the foot's longitude.
    return t == 0 ? α1 : Direction(sine: 0, cosine: foot.end.latitude > 0 ? 1 : -1)
  }
}
