import Testing
import WhereaboutsModel
import WhereaboutsReports

@Suite struct ShapeTextTests {
  @Test func hoursAreStated() {
    let nine = ActiveHours.Window(start: 540, minutes: 480)
    let some = ActiveHours([nine], in: TimeZoneRules(unresolved: "Europe/Berlin"))
    #expect(
      ShapeText.terms(FenceTerms(activeHours: some)) == ["reports at Mo 09:00-17:00 Europe/Berlin"])
    #expect(ShapeText.terms(FenceTerms(activeHours: ActiveHours([]))) == ["reports at no time"])
    #expect(ShapeText.terms(FenceTerms()) == [])
  }
}
