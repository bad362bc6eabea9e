import Testing
import WhereaboutsModel
import WhereaboutsReports

@testable import WhereaboutsCLI

@Suite struct PastArgumentTests {
  @Test(arguments: [
    ("2024-05-14T17:04:00Z", "2024-05-14T17:04:00.000Z"), ("2024-05-14", "2024-05-14T00:00:00.000Z"),
    ("17:04", "2024-06-02T17:04:00.000Z"), ("90m", "2024-06-02T10:30:00.000Z"),
    ("2d", "2024-05-31T12:00:00.000Z"),
  ])
  func momentIsResolvedInThePast(text: String, time: String) throws {
    let now = try #require(UTCTime(iso8601: "2024-06-02T12:00:00Z"))
    #expect(PastArgument(text)?.time(asOf: now).iso8601 == time)
  }

  @Test(arguments: ["", "yesterday", "12", "1.5", "h", "-2h", "2024-13-01"])
  func invalidMomentIsRejected(text: String) {
    #expect(PastArgument(text) == nil)
  }

  @Test(arguments: [
    (12.0, "12 s ago"), (0, "0 s ago"), (79_606_800, "921 d 9 h ago"), (-0.4, "now"),
    (-90, "in 1 min 30 s, by this clock"),
  ])
  func ageIsFormattedForReading(seconds: Double, text: String) throws {
    let time = try #require(UTCTime(iso8601: "2024-06-02T12:00:00Z"))
    #expect(AgeText.text(time, asOf: time.advanced(by: .seconds(seconds))) == text)
  }
}
