import RealModule
import Testing
import WhereaboutsTesting

@testable import WhereaboutsGeodesy

/// Transformations that must not change the answers.
@Suite struct AreaSymmetryTests {
  /// An area whose places are moved by a rule.
  private func moved(_ area: Area, _ move: (Coordinate) -> Coordinate) throws -> Area {
    switch area {
    case .circle(let circle):
      .circle(try Area.Circle(center: move(circle.center), radius: circle.radius))
    case .corridor(let corridor):
      .corridor(try Area.Corridor(line: corridor.line.map(move), width: corridor.width))
    case .polygon(let polygon): .polygon(try moved(polygon, move))
    case .multiPolygon(let multi):
      .multiPolygon(try Area.MultiPolygon(multi.polygons.map { try moved($0, move) }))
    }
  }

  private func moved(_ polygon: Area.Polygon, _ move: (Coordinate) -> Coordinate) throws -> Area.Polygon {
    try Area.Polygon(exterior: polygon.exterior.map(move), holes: polygon.holes.map { $0.map(move) })
  }

  private func expectSame(
    seed: UInt64, _ change: (inout RandomAreas, Area, Coordinate) throws -> (Area, (Coordinate) -> Coordinate)
  ) rethrows {
    var areas = RandomAreas(seed: seed)
    for i in 0..<24 {
      let center = areas.place(), size = areas.scale(10...5e5)
      guard let area = try? areas.area(i, around: center, size: size) else { continue }
      let (changed, move) = try change(&areas, area, center)
      let (first, second) = (PreparedArea(area), PreparedArea(changed))
      // The added 50 nm are the rounding of a place's coordinates.
      for _ in 0..<6 {
        let place = areas.place(near: center, within: 1.5 * size)
        let a = first.signedDistance(to: place), b = second.signedDistance(to: move(place))
        #expect(
          (a.metres - b.metres).magnitude <= a.errorBound + b.errorBound + 50e-9,
          "seed \(seed): \(area) \(place)")
      }
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func rotationInLongitudeChangesNothing(seed: UInt64) throws {
    try expectSame(seed: seed) { areas, area, _ in
      let turn = areas.number(-1_000...1_000)
      let move = { (place: Coordinate) in
        Coordinate(latitude: place.latitude, wrappingLongitude: place.longitude + turn)!
      }
      return (try moved(area, move), move)
    }
  }

  @Test(arguments: 5...8 as ClosedRange<UInt64>)
  func reflectionChangesNothing(seed: UInt64) throws {
    try expectSame(seed: seed) { areas, area, _ in
      let south = Bool.random(using: &areas.random)
      let move = { (place: Coordinate) in
        south
          ? Coordinate(latitude: -place.latitude, longitude: place.longitude)!
          : Coordinate(latitude: place.latitude, longitude: -place.longitude)!
      }
      return (try moved(area, move), move)
    }
  }

  @Test(arguments: 9...12 as ClosedRange<UInt64>)
  func cornerOrderChangesNothing(seed: UInt64) throws {
    try expectSame(seed: seed) { areas, area, _ in
      guard case .polygon(let polygon) = area else { return (area, { $0 }) }
      let shift = Int.random(in: 0..<polygon.exterior.count, using: &areas.random)
      let ring = Array(polygon.exterior[shift...] + polygon.exterior[..<shift])
      let turned = try Area.Polygon(exterior: ring.reversed(), holes: polygon.holes.map { $0.reversed() })
      return (.polygon(turned), { $0 })
    }
  }

  @Test(arguments: 13...16 as ClosedRange<UInt64>)
  func additionalPlacesOnEdgesChangeNothing(seed: UInt64) throws {
    try expectSame(seed: seed) { areas, area, _ in
      guard case .polygon(let polygon) = area else { return (area, { $0 }) }
      let ring = polygon.exterior
      let dense = ring.indices.flatMap { i in
        let edge = GeodesicEdge(from: ring[i], to: ring[(i + 1) % ring.count])
        return [0, 0.2, 0.7].map { edge.place(at: $0 * edge.length) }
      }
      return (.polygon(try Area.Polygon(exterior: dense, holes: polygon.holes)), { $0 })
    }
  }

  @Test(arguments: 17...20 as ClosedRange<UInt64>)
  func signedDistanceIsLipschitzContinuous(seed: UInt64) throws {
    var areas = RandomAreas(seed: seed)
    for i in 0..<24 {
      let center = areas.place(), size = areas.scale(10...5e5)
      guard let area = try? areas.area(i, around: center, size: size) else { continue }
      let prepared = PreparedArea(area)
      for _ in 0..<10 {
        let a = areas.place(near: center, within: 1.5 * size)
        let b = areas.place(near: a, within: areas.scale(1e-3...1) * size)
        let (da, db) = (prepared.signedDistance(to: a), prepared.signedDistance(to: b))
        let allowed = a.distance(to: b) + da.errorBound + db.errorBound
        #expect((da.metres - db.metres).magnitude <= allowed, "seed \(seed): \(area) \(a) \(b)")
        #expect(prepared.contains(a) == da.isInside, "seed \(seed): \(area) \(a)")
      }
    }
  }

  @Test func poleIsOnePlaceForAnyLongitude() throws {
    let ring = [0.0, 100, 200].map { Coordinate(latitude: 80, wrappingLongitude: $0)! }
    let area = PreparedArea(.polygon(try Area.Polygon(exterior: ring)))
    let distances = stride(from: -180.0, through: 180, by: 45).map {
      area.signedDistance(to: Coordinate(latitude: 90, longitude: $0)!).metres
    }
    #expect(distances.allSatisfy { ($0 - distances[0]).magnitude < 1e-7 && $0 < 0 })
  }
}
