import EngineTestSupport
import Testing
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsFormats

@Suite struct FixMemberTests {
  @Test func membersAreThoseOfTheJSONForm() {
    #expect(FixMember.all.map(\.key) == Fix.CodingKeys.allCases)
  }

  @Test func memberIsFoundByItsName() {
    for (index, member) in FixMember.all.enumerated() {
      let name = Array(member.key.rawValue.utf8)
      #expect(name.withUnsafeBytes { FixMemberNames.member(named: $0)?.index } == index)
    }
    for name in ["", "la", "lats", "LAT", "speedAcb", "estimatedestimated"] {
      #expect(Array(name.utf8).withUnsafeBytes { FixMemberNames.member(named: $0)?.index } == nil)
    }
  }

  @Test func namesOfColumnsBelongToOneMember() {
    let names = FixMember.all.flatMap { $0.csvNames.description.lowercased().split(separator: " ") }
    #expect(Set(names).count == names.count)
    #expect(Set(FixMember.all.map(\.column.description)).count == FixMember.all.count)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>) func setValuesAreThoseOfTheFix(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let fix = random.fix()
    var copy = Fix(coordinate: fix.coordinate, time: fix.time, source: fix.source)
    for member in FixMember.all {
      switch member.property {
      case .time, .latitude, .longitude, .source: break
      case .mode: copy.mode = fix.mode
      case .solution: copy.solution = fix.solution
      case .activity: copy.activity = fix.activity
      case .double(let property): property.set(property.value(in: fix), in: &copy)
      case .float(let property): property.set(property.value(in: fix), in: &copy)
      case .count(let property): property.set(property.value(in: fix), in: &copy)
      case .whole(let property): property.set(property.value(in: fix), in: &copy)
      case .flag(let property): property.set(property.value(in: fix), in: &copy)
      }
    }
    #expect(copy == fix)
  }
}
