import Testing
import WhereaboutsTesting

@testable import WhereaboutsGeodesy

/// Compares the answers of an index with a linear search.
@Suite struct AreaIndexTests {
  @Test(arguments: PropertyCases.seeds(4, of: UInt64(1)...12)) func answersEqualExhaustiveSearch(seed: UInt64)
  {
    var world = AreaIndexHarness(seed: seed)
    for _ in 0..<3 {
      world.change(times: 20)
      for _ in 0..<6 { world.check(at: world.place()) }
    }
  }

  @Test(arguments: PropertyCases.seeds(2, of: UInt64(1)...6)) func bulkBuiltIndexReturnsTheSameAnswers(
    seed: UInt64
  ) {
    var world = AreaIndexHarness(seed: seed)
    world.build(40)
    for _ in 0..<8 { world.check(at: world.place()) }
    world.change(times: 40)
    for _ in 0..<8 { world.check(at: world.place()) }
  }

  @Test func copiesAreIndependent() {
    var world = AreaIndexHarness(seed: 5)
    world.build(50)
    let copy = world
    for key in UInt32(0)..<50 { world.index.remove(key) }
    #expect(world.index.count == 0)
    #expect(copy.index.count == 50)
    var unchanged = copy
    for _ in 0..<8 { unchanged.check(at: unchanged.place()) }
  }

  @Test func removingAllLeavesAnEmptyIndex() {
    var areas = RandomAreas(seed: 8), index = AreaIndex()
    for key in UInt32(0)..<20_000 {
      index.insert(.circle(areas.circle(radius: 10...5_000)), as: key)
    }
    #expect(index.count == 20_000)
    for key in (UInt32(0)..<20_000).shuffled(using: &areas.random) { index.remove(key) }
    #expect(index.count == 0)
    #expect(index.tree.pool.used == 0)
    #expect(index.tree.directory.isEmpty)
  }

  @Test func manyAreasAtOnePlaceAreAllFound() throws {
    let place = try #require(Coordinate(latitude: 38.7, longitude: -9.4))
    let circle = try Area.Circle(center: place, radius: 100)
    var index = AreaIndex(), keys: [UInt32] = [], random = SeededGenerator(seed: 3)
    for key in (UInt32(0)..<5_000).shuffled(using: &random) { index.insert(.circle(circle), as: key) }
    index.containing(place, into: &keys)
    #expect(keys == Array(0..<5_000))
    for key in stride(from: UInt32(0), to: 5_000, by: 2) { index.remove(key) }
    index.containing(place, into: &keys)
    #expect(keys == Array(stride(from: 1, to: 5_000, by: 2)))
  }

  @Test func emptyIndexFindsNothing() throws {
    let place = try #require(Coordinate(latitude: 90, longitude: 180))
    let index = AreaIndex()
    var keys: [UInt32] = [7], found: [AreaIndex.Nearby] = []
    index.containing(place, into: &keys)
    #expect(keys.isEmpty)
    index.near(place, within: 1e6, into: &found)
    #expect(found.isEmpty)
    #expect(index.clearance(from: place, upTo: .infinity) == nil)
    #expect(index.nearest(3, to: place).isEmpty)
  }
}
