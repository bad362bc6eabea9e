import Testing
import Whereabouts

@testable import WhereaboutsGeoClue

@Suite struct ServiceLocationTests {
  private func read(_ value: BusValue) -> Fix? {
    value.properties.flatMap(ServiceLocation.fix)
  }

  @Test func whatSatellitesGiveIsTakenAsItIs() throws {
    let fix = try #require(read(location(accuracy: 50)))
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

  /// What the service says for a dilution up to 1, 2 and 5, and what that is with 5 m for each unit.
  @Test(arguments: [(0.0, 5.0), (1, 10), (3, 25)])
  func anAccuracyThatIsAClassOfDilutionIsEstimated(stated: Double, meters: Double) throws {
    let fix = try #require(read(location(accuracy: stated)))
    #expect(fix.horizontalAccuracy == meters)
    #expect(fix.isAccuracyEstimated)
  }

  @Test(arguments: [-1, .nan, .infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 2e7])
  func anAccuracyThatMeansNothingIsUnknown(stated: Double) throws {
    let fix = try #require(read(location(accuracy: stated)))
    #expect(fix.horizontalAccuracy == nil)
    #expect(!fix.isAccuracyEstimated)
  }

  @Test func whatIsUnknownIsLeftOut() throws {
    let fix = try #require(
      read(location(accuracy: 0, altitude: -.greatestFiniteMagnitude, speed: -1, heading: -1)))
    #expect(fix.heightAboveGeoid == nil)
    #expect(fix.speed == nil)
    #expect(fix.course == nil)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func numbersThatAreNoneAreLeftOut(number: Double) throws {
    let fix = try #require(read(location(altitude: number, speed: number, heading: number)))
    #expect(fix.heightAboveGeoid == nil)
    #expect(fix.speed == nil)
    #expect(fix.course == nil)
  }

  @Test func whatStandsHasNoCourse() throws {
    let fix = try #require(read(location(speed: 0, heading: 84)))
    #expect(fix.speed == 0)
    #expect(fix.course == nil)
  }

  @Test func aCourseOf360IsNorth() throws {
    #expect(try #require(read(location(heading: 360))).course == 0)
  }

  @Test func speedsMadeOfTwoCoarsePositionsAreLeftOut() throws {
    let fix = try #require(read(location(accuracy: 40, altitude: -.greatestFiniteMagnitude, speed: 30)))
    #expect(fix.speed == nil)
    #expect(fix.course == nil)
  }

  @Test(arguments: [(90.1, 0.0), (-91, 0), (0, 180.5), (.nan, 0), (0, .infinity)])
  func whatIsNoPlaceIsNoFix(latitude: Double, longitude: Double) {
    #expect(read(location(latitude: latitude, longitude: longitude)) == nil)
  }

  @Test func theMiddleOfTheMapIsAPlace() {
    #expect(read(location(latitude: 0, longitude: 0)) != nil)
  }

  @Test(arguments: [
    BusValue.structure([.uint64(0), .uint64(0)]), .structure([.uint64(.max), .uint64(0)]),
    .structure([.uint64(1_795_282_170), .uint64(.max)]), .structure([.uint64(5)]), .text("now"), .other,
  ])
  func aTimeThatIsNoneIsLeftOut(time: BusValue) throws {
    let value = BusValue.properties(["Latitude": .double(1), "Longitude": .double(2), "Timestamp": time])
    let fix = try #require(read(value))
    #expect(fix.time == nil)
    var play = Play.running()
    #expect(play.gives(value).told == [.fix(fix, age: .sinceArrival)])
  }

  @Test func propertiesOfWrongTypesAreNoFix() {
    #expect(read(.properties(["Latitude": .text("1"), "Longitude": .double(2)])) == nil)
    #expect(read(.properties([:])) == nil)
    #expect(read(.text("nothing")) == nil)
  }
}
