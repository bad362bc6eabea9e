import EngineTestSupport
import Testing
import WhereaboutsEngine
import Whereabouts

extension StoreConformanceCase {
  /// Usages of the receiver.
  static let receiverUsages: [StoreConformanceCase] = [
    StoreConformanceCase(
      "usages are loaded in the order of their numbers, with demand, users and reason"
    ) {
      let all = [
        receiverUsage(1, began: 5, for: 10), receiverUsage(2, began: 15, for: 0.000_000_001),
        receiverUsage(3, began: 20, for: 1),
      ]
      try await $0.commit { $0.receiverUsages = all }
      #expect(try await $0.usages(of: phone) == all)
      #expect(try await $0.load().lastReceiverUsage == all.last)
    },
    StoreConformanceCase("usages with every demand, user and reason are loaded") {
      var all: [ReceiverUsage] = []
      let demands: [Demand] = [
        .significantChanges, Demand(headings: Demand.Headings(filter: 0.5)),
        Demand(fixes: .significantChanges, headings: Demand.Headings(filter: 90)),
        .continuous(Demand.Continuous(accuracy: 0)),
      ]
      for demand in demands {
        for users in 0..<UInt8(16) {
          for reason in PowerDecision.Reason.allCases {
            all.append(
              ReceiverUsage(
                number: UInt64(all.count + 1), began: users == 3 ? nil : utc(Double(users)),
                duration: .seconds(1),
                demand: demand, users: ReceiverUsers(rawValue: users), preset: "it's \"mine\"",
                reason: reason,
                isOpen: users == 5))
          }
        }
      }
      try await $0.commit { $0.receiverUsages = all }
      #expect(try await $0.usages(of: phone) == all)
    },
    StoreConformanceCase("an open usage is updated and ends") {
      try await $0.commit { $0.receiverUsages = [receiverUsage(1, began: 5, for: 0, isOpen: true)] }
      try await $0.commit { $0.receiverUsages = [receiverUsage(1, began: 4, for: 60, isOpen: true)] }
      #expect(try await $0.usages(of: phone) == [receiverUsage(1, began: 4, for: 60, isOpen: true)])
      try await $0.commit {
        $0.receiverUsages = [
          receiverUsage(1, began: 4, for: 70), receiverUsage(2, began: 74, for: 0, isOpen: true),
        ]
      }
      #expect(
        try await $0.usages(of: phone) == [
          receiverUsage(1, began: 4, for: 70), receiverUsage(2, began: 74, for: 0, isOpen: true),
        ])
    },
    StoreConformanceCase("usages of one device are not loaded for another") {
      try await $0.commit { $0.receiverUsages = [receiverUsage(1, began: 5, for: 1)] }
      try await $0.commit(watch) { $0.receiverUsages = [receiverUsage(9, began: nil, for: 2)] }
      #expect(try await $0.usages(of: phone) == [receiverUsage(1, began: 5, for: 1)])
      #expect(try await $0.load(watch).lastReceiverUsage == receiverUsage(9, began: nil, for: 2))
    },
  ]
}
