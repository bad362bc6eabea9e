import RealModule
import Testing
import WhereaboutsTesting

@testable import WhereaboutsGeodesy

@Suite struct DegreeLineTests {
  /// The place of a line that is straight in degrees.
  private func place(_ a: Coordinate, _ b: Coordinate, _ t: Double) -> Coordinate {
    Coordinate(
      latitude: a.latitude + t * (b.latitude - a.latitude),
      longitude: a.longitude + t * (b.longitude - a.longitude))!
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func pathsStayWithinTheirTolerance(seed: UInt64) {
    var areas = RandomAreas(seed: seed)
    for _ in 0..<25 {
      let a = areas.place(), tolerance = areas.scale(1...100)
      let span = areas.scale(1e-4...80)
      let b = Coordinate(
        latitude: min(90, max(-90, a.latitude + areas.number(-1...1) * span)),
        longitude: min(180, max(-180, a.longitude + areas.number(-2...2) * span)))!
      let path = DegreeLine.path(through: [a, b], within: tolerance)
      let edges = zip(path, path.dropFirst()).map { GeodesicEdge(from: $0, to: $1) }
      for _ in 0..<4 {
        let place = place(a, b, areas.number(0...1))
        // Far off edges need not be found well.
        let nearest = edges.map { $0.distance(to: place, from: $0.length / 2) }.min() ?? 0
        #expect(nearest <= tolerance * 1.05, "seed \(seed): \(a) \(b) \(tolerance) \(place)")
      }
    }
  }

  @Test func shortEdgesAreUnchanged() throws {
    let a = try #require(Coordinate(latitude: 48, longitude: 11))
    let b = try #require(Coordinate(latitude: 48, longitude: 11.001))
    #expect(DegreeLine.path(through: [a, b], within: 0.01) == [a, b])
  }

  @Test func fullParallelIsFollowed() throws {
    let a = try #require(Coordinate(latitude: 60, longitude: -180))
    let b = try #require(Coordinate(latitude: 60, longitude: 180))
    for longEdge in [DegreeLine.LongEdge.asWritten, .acrossAntimeridian] {
      let path = DegreeLine.path(through: [a, b], within: 100, longEdge: longEdge)
      #expect(path.count > 100)
      #expect(path.allSatisfy { $0.latitude == 60 })
      #expect(path.contains { $0.longitude.magnitude < 3 })
    }
  }

  @Test func edgeAtAPoleIsAPlace() throws {
    let a = try #require(Coordinate(latitude: -90, longitude: -180))
    let b = try #require(Coordinate(latitude: -90, longitude: 180))
    #expect(DegreeLine.path(through: [a, b], within: 0.1) == [a, b])
  }

  @Test func longEdgeFollowsItsOption() throws {
    let a = try #require(Coordinate(latitude: 10, longitude: 170))
    let b = try #require(Coordinate(latitude: 10, longitude: -170))
    let across = DegreeLine.path(through: [a, b], within: 10, longEdge: .acrossAntimeridian)
    #expect(across.allSatisfy { $0.longitude.magnitude >= 170 })
    let written = DegreeLine.path(through: [a, b], within: 10)
    #expect(written.contains { $0.longitude.magnitude < 5 })
  }
}
