import WhereaboutsModel
import WhereaboutsGeodesy

/// Fences that are put beside a recording's way or on it, by rule, so that each run has the same.
enum PlacedFences {
  static let radius = 100.0

  /// Three fences whose boundaries come no nearer to the way than a distance, and no farther than need be.
  static func beside(_ fixes: [Fix], at distance: Double) -> [Fence] {
    let places = thinned(fixes)
    guard let first = places.first, let last = places.last else { return [] }
    let middle = places[places.count / 2]
    return zip(["begin", "middle", "end"], [first, middle, last]).compactMap { name, place in
      let best = stride(from: 0.0, to: 360, by: 10).compactMap { azimuth -> (Coordinate, Double)? in
        guard let center = place.destination(azimuth: azimuth, distance: distance + radius) else {
          return nil
        }
        let nearest = places.map { center.distance(to: $0) }.min() ?? 0
        return nearest >= (distance + radius) * 0.999 ? (center, nearest) : nil
      }
      .min { $0.1 < $1.1 }
      guard let (center, _) = best, let circle = try? Area.Circle(center: center, radius: radius) else {
        return nil
      }
      return Fence(id: FenceID("beside \(name)"), area: .circle(circle))
    }
  }

  /// Fences on the way, the first so far along it from its beginning and then as far again, up to five.
  static func ahead(_ fixes: [Fix], every distance: Double) -> [Fence] {
    var travelled = 0.0, next = distance, fences: [Fence] = []
    let places = thinned(fixes)
    for (before, place) in zip(places, places.dropFirst()) {
      travelled += before.distance(to: place)
      guard travelled >= next, fences.count < 5 else { continue }
      next += distance
      guard let circle = try? Area.Circle(center: place, radius: radius) else { continue }
      fences.append(Fence(id: FenceID("ahead \(fences.count)"), area: .circle(circle)))
    }
    return fences
  }

  /// Places at least ten metres apart.
  private static func thinned(_ fixes: [Fix]) -> [Coordinate] {
    var places: [Coordinate] = []
    for fix in fixes where places.last.map({ $0.distance(to: fix.coordinate) >= 10 }) ?? true {
      places.append(fix.coordinate)
    }
    return places
  }
}
