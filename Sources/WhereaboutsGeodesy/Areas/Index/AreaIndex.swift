/// Any number of areas, anywhere on Earth, found by place.
///
/// A value: a copy is not changed by what is done to the other, so that one index serves any number of devices and
/// threads. What it answers is exactly what asking each area would give.
///
/// Areas go by keys that the caller chooses: small numbers, near to 0, since memory is set aside for each below the greatest.
public struct AreaIndex: Sendable {
  var areas: [Area?] = []
  /// How many areas there are.
  public private(set) var count = 0

  /// No areas.
  public init() {}

  /// Puts an area in, in the place of the one that has the key.
  public mutating func insert(_ area: Area, as key: UInt32) {
    remove(key)
    while areas.count <= Int(key) { areas.append(nil) }
    areas[Int(key)] = area
    count += 1
  }

  /// Puts many areas in, much faster than one by one.
  public mutating func insert(contentsOf pairs: some Sequence<(UInt32, Area)>) {
    for (key, area) in pairs { insert(area, as: key) }
  }

  /// Takes the area of a key out, where there is one.
  public mutating func remove(_ key: UInt32) {
    guard contains(key) else { return }
    areas[Int(key)] = nil
    count -= 1
  }

  /// Whether there is an area of a key.
  public func contains(_ key: UInt32) -> Bool { Int(key) < areas.count && areas[Int(key)] != nil }

  /// How far a place is from the boundary of the area of a key.
  ///
  /// - Precondition: there is an area of that key.
  public func signedDistance(_ key: UInt32, to place: Coordinate) -> SignedDistance {
    guard let area = areas[Int(key)] else { preconditionFailure("there is no area \(key)") }
    return area.measured(to: place)
  }
}

extension AreaIndex {
  /// The keys of the areas that contain a place.
  ///
  /// - Parameter keys: set to the keys, in ascending order; what it held before is gone.
  public func containing(_ place: Coordinate, into keys: inout [UInt32]) {
    keys.removeAll(keepingCapacity: true)
    for key in UInt32(0)..<UInt32(areas.count)
    where contains(key) && signedDistance(key, to: place).isInside {
      keys.append(key)
    }
  }

  /// The areas that contain a place or whose boundary is within a distance of it, with their distances.
  ///
  /// - Parameters:
  ///   - radius: metres, 0 or more.
  ///   - found: set to the areas, by ascending key; what it held before is gone.
  public func near(_ place: Coordinate, within radius: Double, into found: inout [Nearby]) {
    found.removeAll(keepingCapacity: true)
    for key in UInt32(0)..<UInt32(areas.count) where contains(key) {
      let distance = signedDistance(key, to: place)
      if distance.metres <= radius { found.append(Nearby(key: key, distance: distance)) }
    }
  }

  /// The keys of all areas that come within a distance of the shortest path between two places, and of some that don't.
  ///
  /// - Parameters:
  ///   - radius: metres, 0 or more.
  ///   - keys: set to the keys, in ascending order; what it held before is gone.
  public func near(
    from start: Coordinate, to end: Coordinate, within radius: Double, into keys: inout [UInt32]
  ) {
    keys.removeAll(keepingCapacity: true)
    let path = Geodesic(from: start, to: end)
    guard let middle = start.destination(azimuth: path.initialAzimuth ?? 0, distance: path.distance / 2)
    else { return }
    let reach = path.distance / 2 + radius + 1e-6
    for key in UInt32(0)..<UInt32(areas.count)
    where contains(key) && signedDistance(key, to: middle).metres <= reach {
      keys.append(key)
    }
  }

  /// The boundary that is nearest to a place, seen from inside or outside.
  ///
  /// - Parameter limit: metres; boundaries farther off are not looked for.
  /// - Returns: how far it is, in metres, and whose it is, the smallest key of those equally far; `nil` where there is none within the limit.
  public func clearance(from place: Coordinate, upTo limit: Double) -> (metres: Double, key: UInt32)? {
    var best: (metres: Double, key: UInt32)?
    for key in UInt32(0)..<UInt32(areas.count) where contains(key) {
      let metres = signedDistance(key, to: place).metres.magnitude
      if metres <= limit, metres < best?.metres ?? .infinity { best = (metres, key) }
    }
    return best
  }

  /// So many areas whose boundaries are nearest to a place, the nearest first.
  ///
  /// For platforms that watch only a few by themselves: what they can miss is what is farther than all of these.
  public func nearest(_ count: Int, to place: Coordinate) -> [Nearby] {
    let all = (UInt32(0)..<UInt32(areas.count)).lazy.filter { contains($0) }
      .map { Nearby(key: $0, distance: signedDistance($0, to: place)) }
    let sorted = all.sorted {
      ($0.distance.metres.magnitude, $0.key) < ($1.distance.metres.magnitude, $1.key)
    }
    return Array(sorted.prefix(max(0, count)))
  }
}

extension Area {
  /// Its signed distance, as far as it can be told.
  fileprivate func measured(to place: Coordinate) -> SignedDistance {
    guard case .circle(let circle) = self else {
      return SignedDistance(metres: .infinity, errorBound: .infinity)
    }
    return SignedDistance(metres: circle.center.distance(to: place) - circle.radius, errorBound: 15e-9)
  }
}
