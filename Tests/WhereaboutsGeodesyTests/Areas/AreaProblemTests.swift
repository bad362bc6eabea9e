import RealModule
import Testing
import WhereaboutsTesting

@testable import WhereaboutsGeodesy

@Suite struct AreaProblemTests {
  /// Places at distances in metres east and north of another.
  private static func ring(
    _ points: [(Double, Double)], around origin: Coordinate = Coordinate(latitude: 48, longitude: 11)!
  ) -> [Coordinate] {
    let plane = LocalPlane(around: origin)
    return points.map { plane.coordinate(at: LocalPlane.Point(east: $0.0, north: $0.1))! }
  }

  private static func problem(_ exterior: [(Double, Double)], _ holes: [(Double, Double)]...) -> AreaError? {
    problem { () throws(AreaError) in
      _ = try Area.Polygon(exterior: ring(exterior), holes: holes.map { ring($0) })
    }
  }

  private static func problem(_ make: () throws(AreaError) -> Void) -> AreaError? {
    do { try make() } catch { return error }
    return nil
  }

  private static func square(_ half: Double, at x: Double = 0, _ y: Double = 0) -> [(Double, Double)] {
    [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
  }

  private func isNear(_ place: Coordinate, _ x: Double, _ y: Double) -> Bool {
    place.distance(to: Self.ring([(x, y)])[0]) < 0.01
  }

  @Test func bowTieCrossesItselfAtItsEdgeCrossing() throws {
    guard case .crossesItself(let place) = Self.problem([(0, 0), (100, 100), (100, 0), (0, 100)]) else {
      Issue.record("it is none")
      return
    }
    #expect(isNear(place, 50, 50))
  }

  @Test func textOfAnErrorHasNoCoordinate() throws {
    let problem = try #require(Self.problem([(0, 0), (100, 100), (100, 0), (0, 100)]))
    #expect("\(problem)" == "a ring crosses itself")
  }

  @Test func bowTieThroughACornerCrossesItself() {
    let problem = Self.problem([(0, 0), (50, 50), (100, 100), (100, 0), (50, 50), (0, 100)])
    guard case .crossesItself(let place) = problem else {
      Issue.record("\(String(describing: problem))")
      return
    }
    #expect(isNear(place, 50, 50))
  }

  @Test func touchingRingsAreValid() {
    // Two squares that share a corner, drawn in one go, and a hole that touches the outside in a place.
    #expect(
      Self.problem([(0, 0), (50, 0), (50, 50), (100, 50), (100, 100), (50, 100), (50, 50), (0, 50)]) == nil)
    #expect(Self.problem(Self.square(100), [(0, -100), (20, 0), (-20, 0)]) == nil)
    #expect(
      Self.problem(Self.square(100), [(-20, -20), (0, 0), (-20, 20)], [(20, -20), (0, 0), (20, 20)]) == nil)
  }

  @Test func holeCrossingTheExteriorIsRefused() {
    guard case .ringsCross = Self.problem(Self.square(100), Self.square(50, at: 100)) else {
      Issue.record("it is none")
      return
    }
  }

  @Test func holeOutsideTheExteriorIsRefused() {
    for hole in [Self.square(50, at: 300), Self.square(200)] {
      let problem = Self.problem(Self.square(100), hole)
      guard case .holeOutside = problem else {
        Issue.record("\(String(describing: problem))")
        return
      }
    }
  }

  @Test func nestedHolesAreRefused() {
    for hole in [Self.square(20, at: 10), Self.square(60)] {
      guard case .ringsCross = Self.problem(Self.square(100), Self.square(30), hole) else {
        Issue.record("it is none")
        return
      }
    }
  }

  @Test func overlappingPolygonsAreRefused() throws {
    func polygon(_ half: Double, at x: Double = 0, hole: [(Double, Double)]? = nil) throws -> Area.Polygon {
      try Area.Polygon(
        exterior: Self.ring(Self.square(half, at: x)), holes: hole.map { [Self.ring($0)] } ?? [])
    }
    let large = try polygon(100), ringed = try polygon(100, hole: Self.square(50))
    let small = try polygon(10), shifted = try polygon(100, at: 150), beside = try polygon(100, at: 200)
    for pair in [[large, small], [small, large], [large, shifted], [large, large]] {
      let problem = Self.problem { () throws(AreaError) in _ = try Area.MultiPolygon(pair) }
      guard case .ringsCross = problem else {
        Issue.record("\(String(describing: problem))")
        return
      }
    }
    for pair in [[ringed, small], [small, ringed], [large, beside]] {
      #expect(Self.problem { () throws(AreaError) in _ = try Area.MultiPolygon(pair) } == nil)
    }
    #expect(Self.problem { () throws(AreaError) in _ = try Area.MultiPolygon([]) } == .empty)
  }

  @Test func emptyRingsAreRefused() {
    #expect(Self.problem([(0, 0), (10, 0)]) == .tooFewCorners(2))
    #expect(Self.problem([(0, 0), (0, 0), (10, 0), (10, 0), (0, 0)]) == .tooFewCorners(2))
    #expect(Self.problem([(0, 0), (100, 0), (50, 0)]) == .empty)
    #expect(Self.problem(Self.square(100), Self.square(100)) == .empty)
    #expect(Self.problem([(0, 0), (0, 0), (10, 0), (10, 0), (10, 10), (0, 0)]) == nil)
  }

  @Test func areaOfHalfTheEarthIsRefused() throws {
    let equator = [0.0, 90, 180, -90].map { Coordinate(latitude: 0, longitude: $0)! }
    #expect(Self.problem { () throws(AreaError) in _ = try Area.Polygon(exterior: equator) } == .tooLarge)
  }

  @Test func antipodalEdgesAreRefused() throws {
    let a = Coordinate(latitude: 10, longitude: 20)!, b = Coordinate(latitude: -10.1, longitude: -160.1)!
    let c = Coordinate(latitude: 60, longitude: 100)!
    #expect(
      Self.problem { () throws(AreaError) in _ = try Area.Polygon(exterior: [a, b, c]) }
        == .edgeTooLong(from: a))
    #expect(
      Self.problem { () throws(AreaError) in _ = try Area.Corridor(line: [c, a, b], width: 5) }
        == .edgeTooLong(from: a))
  }

  @Test(arguments: [0, -1, 1e8, .infinity, .nan])
  func invalidSizesAreRefused(size: Double) throws {
    let a = Coordinate(latitude: 10, longitude: 20)!, b = Coordinate(latitude: 11, longitude: 20)!
    #expect(Self.problem { () throws(AreaError) in _ = try Area.Circle(center: a, radius: size) } != nil)
    #expect(
      Self.problem { () throws(AreaError) in _ = try Area.Corridor(line: [a, b], width: size) } != nil)
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func starsAreValidAndSwappedCornersAreNot(seed: UInt64) throws {
    var areas = RandomAreas(seed: seed)
    for _ in 0..<20 {
      let center = areas.place(), size = areas.scale(10...1e6)
      var ring = areas.star(
        around: center, corners: Int.random(in: 8...60, using: &areas.random), distance: size * 0.5...size)
      #expect(
        Self.problem { () throws(AreaError) in _ = try Area.Polygon(exterior: ring) } == nil,
        "seed \(seed): \(ring)")
      // Around a circle any swap makes edges cross.
      ring = areas.star(around: center, corners: ring.count, distance: size...size)
      ring.swapAt(2, 4)
      let problem = Self.problem { () throws(AreaError) in _ = try Area.Polygon(exterior: ring) }
      guard case .crossesItself(let place) = problem else {
        Issue.record("seed \(seed): \(ring) \(String(describing: problem))")
        continue
      }
      #expect(place.distance(to: center) <= 1.3 * size)
    }
  }

  @Test func manyCornersAreCheckedQuickly() throws {
    let center = Coordinate(latitude: -60, longitude: 179)!
    var areas = RandomAreas(seed: 1)
    var ring = areas.star(around: center, corners: 5_000, distance: 40_000...50_000)
    _ = try Area.Polygon(exterior: ring)
    ring = areas.star(around: center, corners: 5_000, distance: 50_000...50_000)
    ring.swapAt(2_000, 2_002)
    guard
      case .crossesItself = Self.problem({ () throws(AreaError) in _ = try Area.Polygon(exterior: ring) })
    else {
      Issue.record("it is none")
      return
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func spikesAreValidAndSwappedTipsAreNot(seed: UInt64) throws {
    var areas = RandomAreas(seed: seed)
    let center = areas.place(), size = areas.scale(10...3e4)
    let corners = 2 * Int.random(in: 200...800, using: &areas.random)
    var ring = (0..<corners).map { number in
      center.destination(
        azimuth: 360 * Double(number) / Double(corners), distance: number % 2 == 0 ? size : 0.3 * size)!
    }
    #expect(
      Self.problem { () throws(AreaError) in _ = try Area.Polygon(exterior: ring) } == nil, "seed \(seed)")
    let tip = 2 * Int.random(in: 0..<corners / 2 - 1, using: &areas.random)
    ring.swapAt(tip, tip + 2)
    let problem = Self.problem { () throws(AreaError) in _ = try Area.Polygon(exterior: ring) }
    guard case .crossesItself(let place) = problem else {
      Issue.record("seed \(seed): \(String(describing: problem))")
      return
    }
    // The edges to the swapped tips cross between these and the corner in the middle.
    #expect(place.distance(to: ring[tip + 1]) <= 0.75 * size, "seed \(seed)")
  }
}
