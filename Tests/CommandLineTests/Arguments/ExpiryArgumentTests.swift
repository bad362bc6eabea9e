import Testing
import WhereaboutsModel

@testable import WhereaboutsCLI

@Suite struct ExpiryArgumentTests {
  private static let now = UTCTime(nanosecondsSince1970: 1_700_000_000_000_000_000)

  @Test(
    arguments: [
      ("90d", "2024-02-12T22:13:20Z"), ("12h", "2023-11-15T10:13:20Z"), ("1h30m", "2023-11-14T23:43:20Z"),
      ("2w", "2023-11-28T22:13:20Z"), ("2027-01-31", "2027-01-31T00:00:00Z"),
      ("2027-01-31T12:30:00+01:00", "2027-01-31T11:30:00Z"),
    ]) func timeIsParsed(text: String, expected: String) throws
  {
    #expect(try #require(ExpiryArgument(text)).time(asOf: Self.now) == UTCTime(iso8601: expected))
  }

  @Test(arguments: ["", "soon", "-1d", "90", "d", "2027-13-01", "31.1.2027", "1d1d"])
  func invalidTextIsRefused(text: String) { #expect(ExpiryArgument(text) == nil) }
}
