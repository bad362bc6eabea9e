import Testing
import WhereaboutsEngine
import WhereaboutsModel

private let onBattery = PowerState(isForeground: false, isCharging: false)
private let docked = PowerState(isForeground: false, isCharging: true)

/// An engine with its power decisions.
private struct PowerHarness {
  var engine: Engine
  var decisions: [PowerDecision] = []
  var demands: [Demand] = []
  var usages: [ReceiverUsage] = []

  init(_ settings: PowerSettings = PowerSettings()) {
    engine = Engine(settings: EngineSettings(power: settings))
  }

  mutating func handle(at seconds: Double, _ input: Input) {
    for effect in engine.handle(input, at: t(seconds)) {
      switch effect {
      case .decided(.power(let decision)): decisions.append(decision)
      case .demand(let demand): demands.append(demand)
      default: break
      }
    }
    usages += engine.drainPendingPersistence().receiverUsages
  }
}

private func subscribe(_ id: SubscriptionID) -> Input { .subscribe(id, .fixes(FixTerms(level: .room))) }
private let fine = Demand.continuous(Demand.Continuous(accuracy: 5))

@Suite struct EnginePowerTests {
  @Test func noPowerStateMakesNoDecision() {
    var run = PowerHarness()
    run.handle(at: 0, subscribe(s))
    run.handle(at: 1, live(fix(5, at: 1, speed: 40)))
    run.handle(at: 2, .unsubscribe(s))
    #expect(run.decisions.isEmpty)
    #expect(run.demands == [fine, .off])
  }

  @Test func backgroundOnBatteryAllowsOnlySignificantChanges() throws {
    var run = PowerHarness()
    run.handle(at: 0, .power(docked))
    run.handle(at: 0, subscribe(s))
    run.handle(at: 1, .power(onBattery))
    run.handle(at: 2, .power(onBattery))
    run.handle(at: 3, .power(docked))
    run.handle(at: 4, .power(onBattery))
    run.handle(at: 5, .power(PowerState(isForeground: true, isCharging: false)))
    #expect(run.demands == [fine, .significantChanges, fine, .significantChanges, fine])
    try #require(
      run.decisions.map(\.reason) == [.backgroundOnBattery, .asAsked, .backgroundOnBattery, .asAsked])
    #expect(run.decisions[0].state == onBattery && run.engine.power.demand == fine)
  }

  @Test func foregroundRequestOverridesThePreset() {
    var run = PowerHarness(PowerSettings(preset: .minimal))
    run.handle(at: 0, subscribe(s))
    #expect(run.engine.demand == .significantChanges)
    run.handle(at: 1, .request(a, RequestTerms(level: .room, timeout: nil)))
    #expect(run.engine.demand.ofReceiver == fine && run.engine.demand.watchesSignificantChanges)
    run.handle(at: 2, live(fix(4, at: 2)))
    #expect(run.engine.demand == .significantChanges)
  }

  @Test func eachFixReevaluatesTheSpeed() {
    var run = PowerHarness(PowerSettings(preset: .balanced))
    run.handle(at: 0, subscribe(s))
    for second in 1...3 {
      run.handle(at: Double(second), live(fix(5, at: Double(second), north: Double(second) * 30, speed: 30)))
    }
    run.handle(at: 4, live(fix(5, at: 4, north: 120, speed: 10)))
    let filters = run.demands.compactMap { demand -> Double? in
      if case .continuous(let wanted) = demand.fixes { wanted.distanceFilter } else { nil }
    }
    #expect(filters.first == 50 && filters.contains(400) && filters.last == 50)
    #expect(run.decisions.map(\.reason).contains(.highway))
    #expect(run.decisions.first { $0.reason == .highway }?.speed == 30)
  }

  @Test func activeHoursRuleStartsAndEndsByTimer() {
    // The tests begin on a Saturday at noon.
    let hours = ActiveHours([ActiveHours.Window(start: 5 * 1440 + 12 * 60 + 10, minutes: 5)])
    var run = PowerHarness(PowerSettings(rules: [PowerSettings.Rule([.hours(hours)], use: .minimal)]))
    run.handle(at: 0, subscribe(s))
    #expect(run.engine.nextWake == t(600).instant)
    run.handle(at: 600, .wake)
    #expect(run.engine.demand == .significantChanges)
    #expect(run.engine.nextWake == t(900).instant)
    run.handle(at: 900, .wake)
    #expect(run.engine.demand == fine)
    run.handle(at: 901, .unsubscribe(s))
    #expect(run.engine.nextWake == nil, "no wake without a demand")
  }

  /// The host's clock is two hours behind at first, or has no time.
  @Test(arguments: [-7_200, nil] as [Double?]) func activeHoursRuleFollowsAClockThatIsSet(wallOff: Double?) {
    let hours = ActiveHours([ActiveHours.Window(start: 5 * 1440 + 12 * 60, minutes: 5)])
    let settings = PowerSettings(rules: [PowerSettings.Rule([.hours(hours)], use: .minimal)])
    var engine = Engine(settings: EngineSettings(power: settings))
    _ = engine.handle(subscribe(s), at: t(0, wallOff: wallOff))
    #expect(engine.demand == fine)
    _ = engine.handle(.wake, at: t(10))
    #expect(engine.demand == .significantChanges && engine.nextWake == t(300).instant)
    _ = engine.handle(.wake, at: t(300))
    #expect(engine.demand == fine)
  }

  /// As of a source that sends some fixes later than others.
  @Test func delayedFixDoesNotRestoreTheHoursBefore() {
    let hours = ActiveHours([ActiveHours.Window(start: 5 * 1440 + 12 * 60, minutes: 5)])
    var run = PowerHarness(PowerSettings(rules: [PowerSettings.Rule([.hours(hours)], use: .minimal)]))
    run.handle(at: 0, subscribe(s))
    run.handle(at: 290, live(fix(4, at: 290)))
    run.handle(at: 300, .wake)
    // The fix was made within the hours.
    run.handle(at: 302, live(fix(4, at: 295)))
    #expect(run.demands == [.significantChanges, fine])
  }

  @Test func restReducesTheDemandUntilMotion() {
    var preset = PowerPreset.precise
    preset.rest = PowerPreset.Rest(after: .seconds(30), interval: .seconds(15))
    var run = PowerHarness(PowerSettings(preset: preset))
    run.handle(at: 0, subscribe(s))
    for second in 1...20 { run.handle(at: Double(second), live(fix(3, at: Double(second), speed: 0))) }
    #expect(run.engine.motion == .still)
    #expect(run.engine.demand == fine)
    let wake = run.engine.nextWake
    #expect(wake.map { $0 > t(20).instant && $0 <= t(50).instant } == true)
    for second in 21...50 { run.handle(at: Double(second), live(fix(3, at: Double(second), speed: 0))) }
    #expect(run.decisions.last?.reason == .still)
    #expect(run.engine.demand == .continuous(Demand.Continuous(accuracy: 5, interval: .seconds(15))))
    for second in 51...60 {
      let moved = Double(second - 50) * 15
      run.handle(at: Double(second), live(fix(3, at: Double(second), north: moved, speed: 15)))
    }
    #expect(run.engine.demand == fine)
    #expect(run.decisions.last?.reason == .asAsked)
  }

  @Test func insideFenceRuleApplies() {
    var run = PowerHarness(PowerSettings(rules: [PowerSettings.Rule([.inside("home")], use: .minimal)]))
    run.handle(at: 0, .fences(.add([fence("home", radius: 200)])))
    run.handle(at: 0, subscribe(s))
    for second in 1...5 { run.handle(at: Double(second), live(fix(4, at: Double(second)))) }
    #expect(run.engine.power.preset == "minimal" && run.engine.power.rule == 0)
    // At the speed of a car: a jump without a stated speed is probably an outlier.
    for second in 6...35 {
      run.handle(at: Double(second), live(fix(4, at: Double(second), north: Double(second - 5) * 30)))
    }
    #expect(run.engine.power.preset == "precise")
  }

  @Test func fencesAreMonitoredInTheBackgroundOnBattery() {
    var run = PowerHarness()
    run.handle(at: 0, .power(onBattery))
    run.handle(at: 0, .fences(.add([fence("home")])))
    #expect(run.engine.demand == fine)
    run.handle(at: 1, subscribe(s))
    #expect(run.engine.demand == fine.merged(with: .significantChanges))
    run.handle(at: 2, .fences(.removeAll))
    #expect(run.engine.demand == .significantChanges)
  }

  @Test func powerDecisionIsTheCauseOfADemandChange() {
    var engine = Engine(), log = DecisionLog(settings: EngineSettings())
    var decisions: [Decision] = []
    for (seconds, input) in [(0.0, subscribe(s)), (1, .power(onBattery))] {
      let effects = engine.handle(input, at: t(seconds))
      log.record(input, at: t(seconds), effects: effects, into: &decisions)
    }
    #expect(
      decisions.last
        == .demandChanged(
          from: fine, to: .significantChanges, because: Decision.DemandCause(power: .backgroundOnBattery)))
  }

  // MARK: The ledger

  @Test func usagesReportDemandDurationUsersAndReason() {
    var run = PowerHarness()
    run.handle(at: 0, .power(docked))
    run.handle(at: 10, subscribe(s))
    run.handle(at: 20, .request(a, RequestTerms(level: .room, timeout: nil)))
    run.handle(at: 30, .cancel(a))
    run.handle(at: 40, .power(onBattery))
    #expect(run.engine.receiverUsage(at: t(45))?.duration == .seconds(5))
    run.handle(at: 50, .unsubscribe(s))
    #expect(run.engine.receiverUsage(at: t(60)) == nil)
    run.handle(at: 100, .request(b, RequestTerms(level: .house, timeout: nil)))
    let ended = run.usages.filter { !$0.isOpen }
    #expect(ended.map(\.number) == [1, 2, 3, 4])
    #expect(ended.map(\.began) == [utc(10), utc(20), utc(30), utc(40)])
    #expect(ended.allSatisfy { $0.duration == .seconds(10) })
    #expect(
      ended.map(\.users) == [.subscriptions, [.subscriptions, .requests], .subscriptions, .subscriptions])
    #expect(ended.map(\.reason) == [.asAsked, .asAsked, .asAsked, .backgroundOnBattery])
    #expect(ended.map(\.demand) == [fine, fine, fine, .significantChanges])
    #expect(run.usages.filter(\.isOpen).map(\.number) == [1, 2, 3, 4, 5])
  }

  @Test func clockChangeMovesOnlyTheOpenUsage() {
    var engine = Engine()
    _ = engine.handle(subscribe(s), at: t(0, wallOff: -1.7e9))
    _ = engine.handle(.unsubscribe(s), at: t(60, wallOff: 0))
    #expect(engine.drainPendingPersistence().receiverUsages.last?.began == utc(0))
    _ = engine.handle(subscribe(u), at: t(70, wallOff: -20))
    _ = engine.handle(.unsubscribe(u), at: t(80, wallOff: -20))
    let usage = engine.drainPendingPersistence().receiverUsages.last
    #expect(usage?.began == utc(60), "usages do not overlap after a small clock correction")
    #expect(usage?.duration == .seconds(10))
  }

  @Test func demandRaisedAndLoweredAtOnceIsOneUsage() {
    var run = PowerHarness()
    run.handle(at: 0, .subscribe(s, .fixes(FixTerms(level: .city))))
    run.handle(at: 0, subscribe(u))
    run.handle(at: 5, .unsubscribe(u))
    #expect(run.usages.filter { !$0.isOpen }.map(\.duration) == [.seconds(5)])
    #expect(run.usages.map(\.number) == [1, 1, 1, 2])
  }

  @Test func restoredProcessContinuesTheUsageNumbers() {
    let left = ReceiverUsage(
      number: 41, began: utc(-100), duration: .seconds(105), demand: fine, users: .fences, preset: "precise",
      reason: .asAsked, isOpen: true)
    var run = PowerHarness()
    run.handle(at: 0, .restore(Restoration(lastReceiverUsage: left)))
    run.handle(at: 1, subscribe(s))
    run.handle(at: 11, .unsubscribe(s))
    #expect(run.usages.last?.number == 42)
    #expect(
      run.usages.last?.began == utc(5), "the other's clock was a little ahead, and usages don't overlap")
    #expect(run.usages.last?.duration == .seconds(10))
  }
}
