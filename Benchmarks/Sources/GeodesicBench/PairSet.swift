import RealModule
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Pairs of places, made from a seed in the same way by Peers/geodesic.cpp.
enum PairSet: String, CaseIterable {
  /// Any two places on Earth, each area as likely as another.
  case global
  /// Two places less than 1 km apart, away from the poles.
  case short

  func pairs(_ count: Int, seed: UInt64) -> [(Coordinate, Coordinate)] {
    var random = SeededGenerator(seed: seed)
    func unit() -> Double { Double(random.next() >> 11) * 0x1p-53 }
    let degree = Double.pi / 180
    func anywhere() -> (Double, Double) {
      let latitude = Double.asin(2 * unit() - 1) / degree
      return (latitude, unit() * 360 - 180)
    }
    return (0..<count).map { _ in
      let start = anywhere()
      guard self == .short else { return (place(start), place(anywhere())) }
      let latitude = start.0.magnitude > 85 ? start.0 * 0.9 : start.0
      let distance = unit() * 1_000, direction = unit() * 2 * Double.pi
      let north = distance * .cos(direction) / 111_700
      let east = distance * .sin(direction) / (111_400 * .cos(latitude * degree))
      return (place((latitude, start.1)), place((latitude + north, start.1 + east)))
    }
  }

  private func place(_ degrees: (Double, Double)) -> Coordinate {
    guard let place = Coordinate(latitude: degrees.0, wrappingLongitude: degrees.1) else {
      preconditionFailure("the generator of pairs left the Earth: \(degrees)")
    }
    return place
  }
}
