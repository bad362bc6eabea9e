import Testing
import Whereabouts
import WhereaboutsModel

@Suite struct TimeZoneRulesTests {
  @Test func zoneIsReadFromTheSystem() throws {
    #expect(try TimeZoneRules(named: "Europe/Berlin").name == "Europe/Berlin")
  }

  @Test(arguments: ["Europe", "zone1970.tab", "No/Such_Zone", "../zoneinfo/Europe/Berlin"])
  func folderAndOtherFileAreNoZone(name: String) {
    #expect(throws: TimeZoneRules.LookupError.unknown(name)) { try TimeZoneRules(named: name) }
  }
}
