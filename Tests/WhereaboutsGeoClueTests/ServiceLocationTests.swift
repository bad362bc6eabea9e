import Testing
import Whereabouts

@testable import WhereaboutsGeoClue

@Suite struct ServiceLocationTests {
  private func readFix(_ value: BusValue) -> Fix? {
    value.properties.flatMap(GeoClueLocation.fix)
  }

  @Test func satelliteLocationIsReadUnchanged() throws {
    let fix = try #require(readFix(location(accuracy: 50)))
    #expect(fix.coordinate.latitude == 48.85)
    #expect(fix.coordinate.longitude == 2.29)
    #expect(fix.horizontalAccuracy == 50)
    #expect(!fix.isAccuracyEstimated)
    #expect(fix.heightAboveGeoid == 35)
    #expect(fix.heightAboveEllipsoid == nil)
    #expect(fix.speed == 1.5)
    #expect(fix.course == 84)
    #expect(!fix.isSimulated)
  }

  /// The service's accuracies for a dilution up to 1, 2 and 5, and the values with 5 m for each unit.
  @Test(arguments: [(0.0, 5.0), (1, 10), (3, 25)])
  func dilutionClassAccuracyIsEstimated(stated: Double, meters: Double) throws {
    let fix = try #require(readFix(location(accuracy: stated)))
    #expect(fix.horizontalAccuracy == meters)
    #expect(fix.isAccuracyEstimated)
  }

  @Test(arguments: [-1, .nan, .infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 2e7])
  func invalidAccuracyIsAbsent(stated: Double) throws {
    let fix = try #require(readFix(location(accuracy: stated)))
    #expect(fix.horizontalAccuracy == nil)
    #expect(!fix.isAccuracyEstimated)
  }

  @Test func unknownFieldsAreAbsent() throws {
    let fix = try #require(
      readFix(location(accuracy: 0, altitude: -.greatestFiniteMagnitude, speed: -1, heading: -1)))
    #expect(fix.heightAboveGeoid == nil)
    #expect(fix.speed == nil)
    #expect(fix.course == nil)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func nonFiniteNumbersAreAbsent(number: Double) throws {
    let fix = try #require(readFix(location(altitude: number, speed: number, heading: number)))
    #expect(fix.heightAboveGeoid == nil)
    #expect(fix.speed == nil)
    #expect(fix.course == nil)
  }

  @Test func zeroSpeedHasNoCourse() throws {
    let fix = try #require(readFix(location(speed: 0, heading: 84)))
    #expect(fix.speed == 0)
    #expect(fix.course == nil)
  }

  @Test func courseOf360IsNorth() throws {
    #expect(try #require(readFix(location(heading: 360))).course == 0)
  }

  @Test func courseAbove360IsAbsent() throws {
    #expect(try #require(readFix(location(heading: 400))).course == nil)
  }

  @Test func speedsOfCoarsePositionsAreOmitted() throws {
    let fix = try #require(readFix(location(accuracy: 40, altitude: -.greatestFiniteMagnitude, speed: 30)))
    #expect(fix.speed == nil)
    #expect(fix.course == nil)
  }

  @Test(arguments: [(90.1, 0.0), (-91, 0), (0, 180.5), (.nan, 0), (0, .infinity)])
  func invalidPlaceIsNoFix(latitude: Double, longitude: Double) {
    #expect(readFix(location(latitude: latitude, longitude: longitude)) == nil)
  }

  @Test func nullIslandIsAValidPlace() {
    #expect(readFix(location(latitude: 0, longitude: 0)) != nil)
  }

  @Test(arguments: [
    BusValue.structure([.uint64(0), .uint64(0)]), .structure([.uint64(.max), .uint64(0)]),
    .structure([.uint64(1_795_282_170), .uint64(.max)]), .structure([.uint64(5)]), .text("now"), .other,
  ])
  func invalidTimeIsAbsent(time: BusValue) throws {
    let value = BusValue.properties(["Latitude": .double(1), "Longitude": .double(2), "Timestamp": time])
    let fix = try #require(readFix(value))
    #expect(fix.time == nil)
    var play = ServiceSessionScenario.running()
    #expect(play.replyWithLocation(value).signals == [.fix(fix, age: .sinceArrival)])
  }

  @Test func wronglyTypedPropertiesAreNoFix() {
    #expect(readFix(.properties(["Latitude": .text("1"), "Longitude": .double(2)])) == nil)
    #expect(readFix(.properties([:])) == nil)
    #expect(readFix(.text("nothing")) == nil)
  }
}
