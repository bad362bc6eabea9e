import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsTesting

private func usage(
  _ began: Double?, _ seconds: Double, _ demand: Demand = .significantChanges,
  _ users: ReceiverUsers = .subscriptions, _ reason: PowerDecision.Reason = .asAsked
) -> ReceiverUsage {
  ReceiverUsage(
    number: 1, began: began.map(utc), duration: .seconds(seconds), demand: demand, users: users,
    preset: "precise", reason: reason, isOpen: false)
}

private func accurateDemand(_ activity: Activity) -> Demand {
  .continuous(Demand.Continuous(accuracy: 5, activity: activity))
}

@Suite struct PowerLedgerTests {
  @Test func usageIsSummedByDemandUserAndReason() {
    let ledger = PowerLedger(
      [
        usage(0, 100, accurateDemand(.walk)),
        usage(100, 50, accurateDemand(.car), [.subscriptions, .requests]),
        usage(150, 400, .significantChanges, .fences, .backgroundOnBattery),
      ], in: utc(0)..<utc(2400))
    #expect(ledger.timeOn == .seconds(550) && ledger.count == 3)
    #expect(ledger.byDemand.map(\.time) == [.seconds(400), .seconds(150)])
    #expect(ledger.byDemand.last?.key == accurateDemand(.other))
    #expect(ledger.byUser.map(\.key) == [.fences, .subscriptions, .requests])
    #expect(ledger.byUser.map(\.time) == [.seconds(400), .seconds(150), .seconds(50)])
    #expect(ledger.byReason.map(\.key.reason) == [.backgroundOnBattery, .asAsked])
    #expect(ledger.parts[0..<7].map { $0 } == [100, 100, 100, 100, 100, 50, 0].map { .seconds($0) })
    #expect(ledger.share(by: utc(1100)) == 0.5)
    #expect(ledger.share(by: utc(9e6)) == 550.0 / 2400)
    #expect(ledger.share(by: utc(-5)) == 0)
  }

  @Test func onlyUsageInsideTheIntervalCounts() {
    let usages = [
      usage(-50, 60), usage(90, 60), usage(-10, 5), usage(100, 5), usage(nil, 10), usage(-5, 200),
    ]
    let ledger = PowerLedger(usages, in: utc(0)..<utc(100), parts: 2)
    #expect(ledger.timeOn == .seconds(10 + 10 + 100) && ledger.count == 3)
    #expect(ledger.parts == [.seconds(60), .seconds(60)])
  }

  /// The date of a receiver may be ahead, so a usage may end in the future.
  @Test func usageAfterThePresentDoesNotCount() {
    let usages = [usage(-50, 1000), usage(80, 5)]
    let ledger = PowerLedger(usages, in: utc(0)..<utc(100), parts: 2, until: utc(60))
    #expect(ledger.timeOn == .seconds(60) && ledger.count == 1)
    #expect(ledger.parts == [.seconds(50), .seconds(10)])
    #expect(ledger.share(by: utc(60)) == 1)
    for outside in [utc(-5), utc(100), utc(9e6)] {
      #expect(PowerLedger(usages, in: utc(0)..<utc(100), until: outside).timeOn == .seconds(105))
    }
  }

  @Test func emptyLedgerIsZero() {
    let ledger = PowerLedger([], in: utc(0)..<utc(100), parts: 0)
    #expect(ledger.timeOn == .zero && ledger.parts == [.zero] && ledger.byUser.isEmpty)
    #expect(PowerLedger([usage(0, 1)], in: utc(0)..<utc(0)).share(by: utc(0)) == 0)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func partsAndUsersSumToTheTotal(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var time = -1000.0
    let usages = (0..<40).map { _ in
      time += Double(Int.random(in: 0...100, using: &random))
      let length = Double(Int.random(in: 0...100, using: &random))
      defer { time += length }
      return usage(
        time, length, Bool.random(using: &random) ? .significantChanges : accurateDemand(.walk), .fences,
        Bool.random(using: &random) ? .asAsked : .still)
    }
    let ledger = PowerLedger(usages, in: utc(0)..<utc(2400))
    #expect(ledger.parts.reduce(.zero, +) == ledger.timeOn, "seed \(seed)")
    #expect(ledger.byDemand.reduce(.zero) { $0 + $1.time } == ledger.timeOn, "seed \(seed)")
    #expect(ledger.byUser.reduce(.zero) { $0 + $1.time } == ledger.timeOn, "seed \(seed)")
    #expect(ledger.byReason.reduce(.zero) { $0 + $1.time } == ledger.timeOn, "seed \(seed)")
    #expect(ledger.timeOn <= .seconds(2400), "seed \(seed)")
  }
}
