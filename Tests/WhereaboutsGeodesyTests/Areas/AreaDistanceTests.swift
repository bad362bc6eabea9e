import RealModule
import Testing
import WhereaboutsTesting

@testable import WhereaboutsGeodesy

@Suite struct AreaDistanceTests {
  /// The distance to an edge by trying places on it, ever finer.
  static func slowDistance(from place: Coordinate, to a: Coordinate, _ b: Coordinate) -> Double {
    let path = Geodesic(from: a, to: b)
    guard let azimuth = path.initialAzimuth else { return place.distance(to: a) }
    func distance(_ t: Double) -> Double {
      place.distance(to: a.destination(azimuth: azimuth, distance: t)!)
    }
    let steps = 20
    let step = path.distance / Double(steps)
    let nearest = (0...steps).min { distance(step * Double($0)) < distance(step * Double($1)) }!
    var low = max(0, step * Double(nearest - 1)), high = min(path.distance, step * Double(nearest + 1))
    for _ in 0..<60 {
      let a = high - (high - low) * 0.6180339887, b = low + (high - low) * 0.6180339887
      if distance(a) < distance(b) { high = b } else { low = a }
    }
    return min(distance((low + high) / 2), distance(0), distance(path.distance))
  }

  @Test(arguments: PropertyCases.seeds(2, of: 1...6 as ClosedRange<UInt64>))
  func ringDistanceIsTheDistanceToItsEdges(seed: UInt64) throws {
    var areas = RandomAreas(seed: seed)
    for _ in 0..<25 {
      let center = areas.place()
      let size = areas.scale(10...1e6)
      let ring = areas.star(
        around: center, corners: Int.random(in: 3...12, using: &areas.random), distance: size * 0.3...size)
      let area = PreparedArea(.polygon(try Area.Polygon(exterior: ring)))
      for _ in 0..<5 {
        let place = areas.place(near: center, within: 3 * size)
        let answer = area.signedDistance(to: place)
        var expected = Double.infinity
        for i in ring.indices {
          expected = min(expected, Self.slowDistance(from: place, to: ring[i], ring[(i + 1) % ring.count]))
        }
        let error = (answer.metres.magnitude - expected).magnitude
        // The error of the search itself is the root of the rounding.
        #expect(
          error <= answer.errorBound + 1e-6 * 0.1, "seed \(seed): \(ring) \(place) \(answer) \(expected)")
        #expect(area.contains(place) == answer.isInside)
      }
    }
  }

  @Test(arguments: PropertyCases.seeds(2, of: 1...6 as ClosedRange<UInt64>))
  func starsContainPlacesNearTheirMiddle(seed: UInt64) throws {
    var areas = RandomAreas(seed: seed)
    for _ in 0..<50 {
      let center = areas.place()
      let size = areas.scale(10...2e6)
      let ring = areas.star(
        around: center, corners: Int.random(in: 12...40, using: &areas.random), distance: size * 0.5...size)
      let area = PreparedArea(.polygon(try Area.Polygon(exterior: ring)))
      #expect(area.contains(areas.place(near: center, within: 0.3 * size)), "seed \(seed) \(center) \(size)")
      let far = center.destination(azimuth: areas.number(0...360), distance: size * areas.number(1.01...2.5))!
      #expect(!area.contains(far), "seed \(seed): \(center) \(size) \(far)")
    }
  }

  @Test(arguments: [90.0, -90])
  func polarEdgesHaveCorrectDistances(pole: Double) throws {
    var areas = RandomAreas(seed: 7)
    for _ in 0..<20 {
      let start = Coordinate(latitude: pole, longitude: areas.number(-180...180))!
      let middle = areas.place(near: start, within: 3e6), end = areas.place(near: start, within: 3e6)
      for line in [[start, middle, end], [middle, start, end], [middle, end, start]] {
        let area = PreparedArea(.corridor(try Area.Corridor(line: line, width: 100)))
        for distance in [1e-3, 1e3, 2e6] {
          let place = areas.place(near: start, within: distance)
          let expected =
            zip(line, line.dropFirst())
            .map { Self.slowDistance(from: place, to: $0, $1) }.min() ?? .infinity
          let answer = area.signedDistance(to: place)
          #expect((answer.metres - (expected - 50)).magnitude <= answer.errorBound + 1e-6, "\(line) \(place)")
        }
      }
    }
  }

  @Test(arguments: stride(from: 2.99, through: 3.03, by: 0.002).map { $0 })
  func nearestEdgeIsEllipsoidal(north: Double) throws {
    // A degree of latitude is shorter here than one of longitude, so edges to the north win from farther off.
    let ring = [(-north, -3.0), (-north, 3), (north, 3), (north, -3)].map {
      Coordinate(latitude: $0.0, longitude: $0.1)!
    }
    let middle = Coordinate(latitude: 0, longitude: 0)!
    let expected = ring.indices.map { Self.slowDistance(from: middle, to: ring[$0], ring[($0 + 1) % 4]) }
      .min()!
    let answer = PreparedArea(.polygon(try Area.Polygon(exterior: ring))).signedDistance(to: middle)
    #expect((answer.metres + expected).magnitude <= answer.errorBound + 1e-7)
  }
}
