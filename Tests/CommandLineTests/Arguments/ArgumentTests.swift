import Testing
import WhereaboutsModel

@testable import WhereaboutsCLI

@Suite struct ArgumentTests {
  @Test(arguments: [
    ("10s", 10_000), ("500ms", 500), ("2m", 120_000), ("1h", 3_600_000), ("1.5h", 5_400_000), ("90", 90_000),
    ("0.25", 250), ("1m30s", 90_000), ("0", 0), ("2min", 120_000), ("1d", 86_400_000),
  ])
  func durationIsParsedInEachUnit(text: String, milliseconds: Int) {
    #expect(DurationArgument(text)?.duration == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    "", "s", "-1s", "10 s", "1e3", "0x10", "nan", "inf", "10x", "30s1m", "1m1m", "1..5s", ".", "9e9d", "٣s",
  ])
  func invalidDurationIsRejected(text: String) {
    #expect(DurationArgument(text) == nil)
  }

  @Test func accuracyLevelIsParsedByName() {
    for level in AccuracyLevel.standard { #expect(AccuracyArgument(level.name)?.level == level) }
  }

  @Test(arguments: [
    ("4", 4.0, 5), ("5m", 5, 5), ("10", 10, 15), ("16", 16, 60), ("2000", 2000, 600), ("9000", 9000, 600),
    ("25:2s", 25, 2), ("house:1m", 15, 60), ("0.5:0s", 0.5, 0), ("25m:2s", 25, 2), ("1.5km", 1500, 600),
    ("2km:1m", 2000, 60),
  ])
  func metresUseMaxAgeOfMatchingLevel(text: String, metres: Double, seconds: Int) throws {
    let level = try #require(AccuracyArgument(text)?.level)
    #expect(level.worstAccuracy == metres)
    #expect(level.maxAge == .seconds(seconds))
  }

  @Test(arguments: [
    "", "palace", "0", "-5", "nan", "5:", ":5s", "5:x", "room:", "0x10", "1e3", "5mm", "km",
  ])
  func invalidAccuracyIsRejected(text: String) {
    #expect(AccuracyArgument(text) == nil)
  }

  @Test(arguments: ["2024-05-14", "1980-01-06"]) func dateIsParsed(text: String) {
    #expect(DateArgument(argument: text)?.day.iso8601 == "\(text)T00:00:00.000Z")
  }

  @Test(arguments: ["2024-5-14", "2024-02-30", "14.05.2024", "2024-05-14T00:00:00Z", ""])
  func invalidDateIsRejected(text: String) {
    #expect(DateArgument(argument: text) == nil)
  }

  @Test(arguments: [
    ("50", 50.0), ("50m", 50), ("0", 0), ("1.5km", 1500), (".5", 0.5), ("40075km", 40_075_000),
  ])
  func lengthIsParsed(text: String, metres: Double) {
    #expect(LengthArgument(text)?.metres == metres)
  }

  @Test(arguments: [
    "", "m", "km", "-1", "1e3", "inf", "nan", "0x10", "5 m", "5mm", "5ft", "40076km", "1.2.3",
  ])
  func invalidLengthIsRejected(text: String) {
    #expect(LengthArgument(text) == nil)
  }

  @Test func activityIsParsedByName() {
    for activity in Activity.allCases {
      #expect(ActivityArgument(argument: activity.rawValue)?.activity == activity)
    }
    #expect(ActivityArgument(argument: "swim") == nil)
  }

  @Test func headingReferenceIsParsed() {
    #expect(ReferenceArgument.allCases.map(\.reference) == [nil, .trueNorth, .magneticNorth, .compassNorth])
  }
}
