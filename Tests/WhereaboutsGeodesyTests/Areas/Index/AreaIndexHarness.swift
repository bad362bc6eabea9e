import Testing
import WhereaboutsTesting

@testable import WhereaboutsGeodesy

/// An index beside the areas that it holds, which are asked one by one.
struct AreaIndexHarness {
  let seed: UInt64
  var index = AreaIndex()
  private var areas: [UInt32: Area] = [:]
  private var randomAreas: RandomAreas
  /// Places with many areas.
  private let centers: [Coordinate]

  init(seed: UInt64) {
    self.seed = seed
    randomAreas = RandomAreas(seed: seed)
    var centers: [Coordinate] = []
    for _ in 0..<4 { centers.append(randomAreas.place()) }
    self.centers = centers
  }

  /// A place near areas, mostly.
  mutating func place() -> Coordinate {
    guard Int.random(in: 0..<10, using: &randomAreas.random) > 0 else { return randomAreas.place() }
    if let area = areas.keys.min().flatMap({ areas[$0] }), Bool.random(using: &randomAreas.random) {
      return randomAreas.place(near: randomAreas.anchor(of: area), within: randomAreas.scale(1...1e6))
    }
    return randomAreas.place(
      near: centers.randomElement(using: &randomAreas.random)!, within: randomAreas.scale(10...1e6))
  }

  private mutating func area() -> Area {
    randomAreas.area(
      around: randomAreas.place(
        near: centers.randomElement(using: &randomAreas.random)!, within: randomAreas.scale(10...1e6)))
  }

  mutating func build(_ count: UInt32) {
    for key in 0..<count { areas[key] = area() }
    index.insert(contentsOf: areas.map { ($0.key, $0.value) })
  }

  /// Puts areas in and takes some out.
  mutating func change(times: Int) {
    for _ in 0..<times {
      let key = UInt32.random(in: 0..<400, using: &randomAreas.random)
      if Int.random(in: 0..<3, using: &randomAreas.random) == 0 {
        index.remove(key)
        areas[key] = nil
      } else {
        let area = area()
        index.insert(area, as: key)
        areas[key] = area
      }
    }
    #expect(index.count == areas.count)
  }

  /// Compares every answer that the index gives about a place.
  mutating func check(at place: Coordinate) {
    let all = areas.keys.sorted().map {
      AreaIndex.Nearby(key: $0, distance: index.signedDistance($0, to: place))
    }
    var keys: [UInt32] = [1], found: [AreaIndex.Nearby] = []
    index.containing(place, into: &keys)
    #expect(keys == all.filter(\.distance.isInside).map(\.key), "seed \(seed), containing \(place)")
    let radius = randomAreas.scale(1...1e6)
    index.near(place, within: radius, into: &found)
    #expect(
      found == all.filter { $0.distance.metres <= radius }, "seed \(seed), within \(radius) of \(place)")
    let byDistance = all.sorted {
      ($0.distance.metres.magnitude, $0.key) < ($1.distance.metres.magnitude, $1.key)
    }
    #expect(index.nearest(5, to: place) == Array(byDistance.prefix(5)), "seed \(seed), nearest to \(place)")
    let clearance = index.clearance(from: place, upTo: radius)
    let expected = byDistance.first.flatMap { $0.distance.metres.magnitude <= radius ? $0 : nil }
    #expect(clearance?.key == expected?.key && clearance?.metres == expected?.distance.metres.magnitude)
    checkPath(from: place)
    for (key, area) in areas where key % 16 == 0 {
      let own = index.signedDistance(key, to: place), its = area.signedDistance(to: place)
      #expect(
        (own.metres - its.metres).magnitude <= own.errorBound + its.errorBound, "seed \(seed), area \(key)")
    }
  }

  private mutating func checkPath(from place: Coordinate) {
    let radius = randomAreas.scale(1...1e4),
      end = randomAreas.place(near: place, within: randomAreas.scale(1...1e5))
    var keys: [UInt32] = []
    index.near(from: place, to: end, within: radius, into: &keys)
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
    let path = Geodesic(from: place, to: end)
    for step in 0...3 {
      let place =
        place.destination(
          azimuth: path.initialAzimuth ?? 0, distance: path.distance * Double(step) / 3) ?? place
      for key in areas.keys where index.signedDistance(key, to: place).metres <= radius {
        #expect(keys.contains(key), "seed \(seed), \(key) beside the way from \(place)")
      }
    }
  }
}

extension RandomAreas {
  mutating func circle(radius: ClosedRange<Double>, around center: Coordinate? = nil) -> Area.Circle {
    let center = center ?? place(), radius = scale(radius)
    guard let circle = try? Area.Circle(center: center, radius: radius) else {
      preconditionFailure("no radius: \(radius)")
    }
    return circle
  }

  /// Mostly circles, of all sizes.
  mutating func area(around center: Coordinate) -> Area {
    let size = scale(1...2e6)
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      let ring = star(
        around: center, corners: Int.random(in: 3...12, using: &random), distance: size / 2...size)
      if let polygon = try? Area.Polygon(exterior: ring) { return .polygon(polygon) }
    case 2:
      let line = [center, place(near: center, within: size), place(near: center, within: size)]
      if let corridor = try? Area.Corridor(line: line, width: min(size, 1e6)) { return .corridor(corridor) }
    default: break
    }
    return .circle(circle(radius: 1...3e6, around: center))
  }

  func anchor(of area: Area) -> Coordinate {
    switch area {
    case .circle(let circle): circle.center
    case .polygon(let polygon): polygon.exterior[0]
    case .multiPolygon(let multi): multi.polygons[0].exterior[0]
    case .corridor(let corridor): corridor.line[0]
    }
  }
}
