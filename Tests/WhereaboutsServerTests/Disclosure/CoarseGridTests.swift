import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsServer

@Suite struct CoarseGridTests {
  static let sizes = [10.0, 123, 500, 5_000, 100_000, 1_000_000]

  private func randomPlace(_ random: inout SeededGenerator) throws -> Coordinate {
    let isNearPole = random.next() % 4 == 0
    let latitude = Double.random(in: isNearPole ? 89.9...90 : -90...90, using: &random)
    return try #require(
      Coordinate(
        latitude: Bool.random(using: &random) ? latitude : -latitude,
        longitude: Double.random(in: -180...180, using: &random)))
  }

  @Test(arguments: sizes) func cellIsNowhereNarrowerThanItsSize(size: Double) throws {
    var random = SeededGenerator(seed: 11)
    let grid = CoarseGrid(size: size)
    for _ in 0..<2_000 {
      let place = try randomPlace(&random), cell = grid.cell(of: place)
      #expect((cell.south...cell.north).contains(place.latitude), "\(place)")
      #expect((cell.west...cell.east).contains(place.longitude), "\(place)")
      let box = try #require(
        BoundingBox(south: cell.south, west: cell.west, north: cell.north, east: cell.east))
      #expect(box.height >= size, "\(place)")
      // A cell around a pole has no width there.
      guard cell.east - cell.west < 360 else { continue }
      for edge in [cell.south, cell.north] {
        let parallel = try #require(BoundingBox(south: edge, west: cell.west, north: edge, east: cell.east))
        #expect(parallel.width >= size * (1 - 1e-9), "\(place)")
      }
    }
  }

  @Test(arguments: sizes) func snappedPlaceSnapsToItself(size: Double) throws {
    var random = SeededGenerator(seed: 12)
    let grid = CoarseGrid(size: size)
    for _ in 0..<2_000 {
      let place = try randomPlace(&random), cell = grid.cell(of: place)
      #expect(grid.cell(of: cell.center) == cell, "\(place)")
      #expect(cell.center.distance(to: place) <= cell.reach, "\(place)")
      #expect(grid.accuracy(in: cell, of: 5) >= max(size, cell.reach))
    }
  }

  @Test(arguments: sizes) func edgesOfTheEarthAreInCells(size: Double) throws {
    let grid = CoarseGrid(size: size)
    for (latitude, longitude) in [(90.0, 0.0), (-90, 180), (0, 180), (0, -180), (-0.0, -0.0), (90, -180)] {
      let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
      let cell = grid.cell(of: place)
      #expect(cell.center.distance(to: place) <= cell.reach)
    }
    let east = try #require(Coordinate(latitude: 10, longitude: 180))
    let west = try #require(Coordinate(latitude: 10, longitude: -180))
    #expect(grid.cell(of: east) == grid.cell(of: west))
  }

  static let accuracies: [(accuracy: Double?, reported: Double)] = [
    (nil, 1_000), (5, 1_000), (999, 1_000), (1_001, 2_000), (7_000, 8_000), (.nan, 1_000), (-1, 1_000),
  ]

  @Test(arguments: accuracies) func accuracyIsRaised(accuracy: Double?, reported: Double) throws {
    let grid = CoarseGrid(size: 1_000)
    let cell = grid.cell(of: try #require(Coordinate(latitude: 1, longitude: 1)))
    #expect(cell.reach < 1_000)
    #expect(grid.accuracy(in: cell, of: accuracy) == reported)
    #expect(grid.accuracy(in: cell, of: .infinity).isFinite)
  }
}
