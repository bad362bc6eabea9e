import Testing
import WhereaboutsModel

@testable import WhereaboutsReports

@Suite struct ShapeTextTests {
  @Test func hoursAreStated() {
    let nine = ActiveHours.Window(start: 540, minutes: 480)
    let some = ActiveHours([nine], in: TimeZoneRules(unresolved: "Europe/Berlin"))
    #expect(
      ShapeText.terms(FenceTerms(activeHours: some)) == ["reports at Mo 09:00-17:00 Europe/Berlin"])
    #expect(ShapeText.terms(FenceTerms(activeHours: ActiveHours([]))) == ["reports at no time"])
    #expect(ShapeText.terms(FenceTerms()) == [])
  }

  @Test func expiryIsStatedToTheSecond() throws {
    let expiry = try #require(UTCTime(iso8601: "2026-11-27T07:21:09.167577932Z"))
    #expect(ShapeText.terms(FenceTerms(expiry: expiry)) == ["until 2026-11-27 07:21:09"])
  }

  @Test func requiredConfidencesAreStatedAsGiven() {
    #expect(
      ShapeText.terms(FenceTerms(enterConfidence: 0.955, exitConfidence: 0.9999))
        == ["entered when 95.5 % sure", "left when 99.99 % sure"])
    let values = [0.5, 0.9, 0.955, 0.999, 0.9995].map { FenceVariant(confidence: $0).columns.map(\.value) }
    #expect(values == [["50 %"], ["90 %"], ["95.5 %"], ["99.9 %"], ["99.95 %"]])
  }
}
