import Testing
import Whereabouts

@testable import WhereaboutsGeoClue

@Suite struct GeoClueRequestTests {
  @Test(arguments: [
    (5.0, GeoClueAccuracy.exact), (15, .exact), (100, .exact), (100.1, .street), (1000, .street),
    (5000, .street),
    (5001, .city), (.infinity, .city),
  ])
  func levelIsTheLowestSufficientForTheAccuracy(accuracy: Double, level: GeoClueAccuracy) {
    #expect(GeoClueAccuracy(enoughFor: accuracy) == level)
  }

  @Test func noRequestWithoutDemand() {
    #expect(GeoClueRequest(.off) == nil)
  }

  @Test func significantChangesUseTheStreetLevel() throws {
    let request = try #require(GeoClueRequest(.significantChanges))
    #expect(request.level == .street)
    #expect(request.distanceThreshold == 100)
  }

  @Test func significantChangesBesideFixesLowerTheThresholds() throws {
    let rare = Demand.continuous(
      Demand.Continuous(accuracy: 10_000, distanceFilter: 2000, interval: .seconds(3600)))
    let both = try #require(GeoClueRequest(rare.merged(with: .significantChanges)))
    #expect(both.level == .street && both.distanceThreshold == 100 && both.timeThreshold == 300)
    let fine = Demand.continuous(Demand.Continuous(accuracy: 10, interval: .seconds(2)))
    #expect(GeoClueRequest(fine.merged(with: .significantChanges)) == GeoClueRequest(fine))
  }

  @Test(arguments: [(-1.0, 0 as UInt32), (.nan, 0), (0.9, 0), (400, 400), (.infinity, .max), (1e300, .max)])
  func thresholdsAreClampedForTheService(meters: Double, threshold: UInt32) throws {
    let demand = Demand.Continuous(accuracy: 10, distanceFilter: meters, interval: .seconds(-5))
    let request = try #require(GeoClueRequest(.continuous(demand)))
    #expect(request.distanceThreshold == threshold)
    #expect(request.timeThreshold == 0)
  }

  @Test func longIntervalIsClamped() throws {
    let demand = Demand.Continuous(accuracy: 10, interval: .seconds(Int64.max))
    #expect(try #require(GeoClueRequest(.continuous(demand))).timeThreshold == .max)
  }
}
