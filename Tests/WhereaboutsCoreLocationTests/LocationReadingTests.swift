import Testing
import Whereabouts

@testable import WhereaboutsCoreLocation

@Suite struct LocationReadingTests {
  private static let full = LocationReading(
    latitude: 48.137, longitude: 11.575, time: 1_795_282_170.5, horizontalAccuracy: 4, verticalAccuracy: 3,
    altitude: 519, ellipsoidalAltitude: 566, course: 84, courseAccuracy: 2, speed: 13, speedAccuracy: 0.5,
    floor: -2)

  @Test func everyMemberIsMapped() throws {
    let fix = try #require(Self.full.fix)
    #expect(fix.coordinate == Coordinate(latitude: 48.137, longitude: 11.575))
    #expect(fix.time == UTCTime(secondsSince1970: 1_795_282_170.5))
    #expect(fix.horizontalAccuracy == 4 && fix.verticalAccuracy == 3)
    #expect(fix.heightAboveGeoid == 519 && fix.heightAboveEllipsoid == 566)
    #expect(fix.speed == 13 && fix.speedAccuracy == 0.5)
    #expect(fix.course == 84 && fix.courseAccuracy == 2)
    #expect(fix.floor == -2)
    #expect(fix.source == .coreLocation && !fix.isSimulated && !fix.isAccuracyEstimated)
  }

  @Test func negativeNumbersAreAbsent() throws {
    var reading = Self.full
    (reading.speed, reading.course) = (-1, -1)
    let fix = try #require(reading.fix)
    #expect(fix.speed == nil && fix.speedAccuracy == nil && fix.course == nil && fix.courseAccuracy == nil)
    reading = Self.full
    (reading.speedAccuracy, reading.courseAccuracy) = (-1, .nan)
    #expect(reading.fix?.speed == 13 && reading.fix?.speedAccuracy == nil)
    #expect(reading.fix?.course == 84 && reading.fix?.courseAccuracy == nil)
  }

  @Test(arguments: [0.0, -1, .nan])
  func invalidVerticalAccuracyRemovesTheHeights(accuracy: Double) throws {
    var reading = Self.full
    reading.verticalAccuracy = accuracy
    let fix = try #require(reading.fix)
    #expect(fix.verticalAccuracy == nil && fix.heightAboveGeoid == nil && fix.heightAboveEllipsoid == nil)
  }

  @Test(arguments: [(0.0, 0.0 as Double?), (359.9, 359.9), (360, 0), (361, nil), (.infinity, nil)])
  func courseIsAnAngle(course: Double, expected: Double?) {
    var reading = Self.full
    reading.course = course
    #expect(reading.fix?.course == expected)
  }

  @Test(arguments: [
    (nil as Int?, nil as Int16?), (0, 0), (-32_768, -32_768), (32_768, nil), (.min, nil),
  ])
  func floorIsAbsentWhereUnknown(level: Int?, expected: Int16?) {
    var reading = Self.full
    reading.floor = level
    #expect(reading.fix?.floor == expected)
  }

  @Test func simulatedLocationsAreMarked() {
    var reading = Self.full
    reading.isSimulated = true
    #expect(reading.fix?.isSimulated == true)
  }

  @Test(arguments: [
    (0.0, 0.0, true), (0, 11, true), (48, 0, true), (1e-300, 11, false), (48, -1e-300, false),
    (.nan, 11, false),
    (91, 11, false), (48, 181, false), (-180, -180, false), (48, .infinity, false), (1e-9, 1e-9, true),
  ])
  func placesAreRecognized(latitude: Double, longitude: Double, isPlace: Bool) {
    var reading = Self.full
    (reading.latitude, reading.longitude) = (latitude, longitude)
    #expect((reading.fix != nil) == isPlace)
  }

  @Test func negativeAccuracyIsForwardedToTheEngine() {
    var scenario = SessionScenario.running()
    // The segment begins with the first usable fix.
    let signals = scenario.signals(after: .locations([place(0, accuracy: -1)]))
    #expect(signals.count == 1 && signals.allSatisfy(\.isFix))
    #expect(scenario.signals(after: .locations([place(1)])).first == .segmentBegan)
  }

  @Test func ageCountsFromTheTimeOfTheFix() {
    var scenario = SessionScenario.running()
    let fixes = scenario.signals(after: .locations([place(0), place(1)])).filter(\.isFix)
    #expect(fixes == [place(0), place(1)].compactMap(\.fix).map { .fix($0, age: .sinceFixTime) })
  }

  @Test func noPlaceIsReportedOnce() {
    var scenario = SessionScenario.running()
    var nowhere = place(0)
    nowhere.latitude = 1e-300
    #expect(
      scenario.signals(after: .locations([nowhere, nowhere])) == [
        .unavailable(CoreLocationProblems.noPlace)
      ])
  }

  @Test(arguments: [
    (90.0, 92.5, 10.0, Heading.Reference.trueNorth, 92.5, true), (90, -1, 10, .magneticNorth, 90, true),
    (90, 0, 10, .trueNorth, 0, true), (360, -1, 10, .magneticNorth, 0, true),
    (90, -1, -1, .magneticNorth, 90, false),
  ])
  func headingPrefersTrueNorth(
    magnetic: Double, north: Double, accuracy: Double, reference: Heading.Reference, degrees: Double,
    isUsable: Bool
  ) throws {
    let heading = try #require(
      HeadingReading(magneticHeading: magnetic, trueHeading: north, accuracy: accuracy, time: 5).heading)
    #expect(heading.degrees == degrees && heading.reference == reference && heading.isUsable == isUsable)
    #expect(heading.time == UTCTime(secondsSince1970: 5))
  }
}
