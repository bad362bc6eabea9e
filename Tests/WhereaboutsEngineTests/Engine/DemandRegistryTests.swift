import Testing
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

@Suite struct DemandRegistryTests {
  /// Random demands of every kind: a few shared by many consumers, or nearly all different.
  private static func randomNeed(distinct: Bool, _ random: inout SeededGenerator) -> Demand {
    func number(_ few: [Double]) -> Double {
      distinct ? .random(in: 0...1000, using: &random) : few.randomElement(using: &random) ?? 0
    }
    let activities: [Activity] = distinct ? Activity.allCases : [.car, .car, .car, .walk, .other]
    let fixes = Demand.Continuous(
      accuracy: number([5, 15, 100]), distanceFilter: number([0, 10]),
      interval: .seconds(number([0, 30])), activity: activities.randomElement(using: &random) ?? .other)
    let headings = Bool.random(using: &random) ? Demand.Headings(filter: number([0, 5])) : nil
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return Demand(headings: headings)
    case 1: return Demand(fixes: .significantChanges, headings: headings)
    default: return Demand(fixes: .continuous(fixes), headings: headings)
    }
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func mergedDemandEqualsMergingEachNeed(seed: UInt64) {
    var random = SeededGenerator(seed: seed), registry = DemandRegistry(), needs: [Demand] = []
    let most = Int.random(in: 1...60, using: &random), distinct = seed % 2 == 0
    for step in 0..<400 {
      if needs.isEmpty || needs.count < most && Bool.random(using: &random) {
        let need = Self.randomNeed(distinct: distinct, &random)
        needs.append(need)
        registry.add(need)
      } else {
        registry.remove(needs.remove(at: .random(in: needs.indices, using: &random)))
      }
      #expect(registry.merged == needs.reduce(.off) { $0.merged(with: $1) }, "step \(step)")
    }
  }

  @Test func offDemandChangesNothing() {
    var registry = DemandRegistry()
    registry.add(.off)
    #expect(registry.merged == .off)
    registry.remove(.off)
    #expect(registry.merged == .off)
  }
}

@Suite struct CountedMinimumTests {
  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func minimumIsTheLeastOfAllValues(seed: UInt64) {
    var random = SeededGenerator(seed: seed), counted = CountedMinimum<Double>(), numbers: [Double] = []
    for step in 0..<1000 {
      if numbers.isEmpty || Int.random(in: 0..<numbers.count + 20, using: &random) < 20 {
        let number = Double.random(in: 0...30, using: &random).rounded()
        numbers.append(number)
        counted.add(number)
      } else {
        let number = numbers.remove(at: .random(in: numbers.indices, using: &random))
        counted.remove(number)
      }
      #expect(counted.minimum == numbers.min(), "step \(step)")
    }
  }
}
