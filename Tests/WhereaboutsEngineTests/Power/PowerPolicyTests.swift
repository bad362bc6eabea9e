import Testing
import WhereaboutsEngine
import WhereaboutsModel

/// Makes a continuous demand of a consumer.
private func makeDemand(
  _ accuracy: Double, filter: Double = 0, every interval: Double = 0, _ activity: Activity = .other
) -> Demand {
  .continuous(
    Demand.Continuous(
      accuracy: accuracy, distanceFilter: filter, interval: .seconds(interval), activity: activity))
}

private let fine = makeDemand(5)
private let headings = Demand(headings: Demand.Headings(filter: 1))

/// One power situation and the expected decision.
struct PowerCase: Sendable, CustomTestStringConvertible {
  let name: String
  var settings = PowerSettings()
  var situation: PowerSituation
  let demand: Demand
  let reason: PowerDecision.Reason
  var rule: Int?

  init(
    _ name: String, _ settings: PowerSettings, _ state: PowerState, _ needs: DemandByConsumerClass,
    speed: Double? = nil, _ motion: Motion = .unknown, still seconds: Double? = nil,
    inside: Set<FenceID> = [], at time: UTCTime? = nil, asks demand: Demand,
    _ reason: PowerDecision.Reason = .asAsked, rule: Int? = nil
  ) {
    self.name = name
    self.settings = settings
    situation = PowerSituation(
      state: state, needs: needs, speed: speed, motion: motion, stillFor: seconds.map { .seconds($0) },
      inside: inside, time: time)
    self.demand = demand
    self.reason = reason
    self.rule = rule
  }

  /// Makes a case with an unknown power state.
  init(
    _ name: String, _ settings: PowerSettings, _ needs: DemandByConsumerClass, speed: Double? = nil,
    _ motion: Motion = .unknown, still seconds: Double? = nil, inside: Set<FenceID> = [],
    at time: UTCTime? = nil, asks demand: Demand, _ reason: PowerDecision.Reason = .asAsked, rule: Int? = nil
  ) {
    self.init(
      name, settings, .unknown, needs, speed: speed, motion, still: seconds, inside: inside, at: time,
      asks: demand, reason, rule: rule)
  }

  var testDescription: String { name }
}

private let onBattery = PowerState(isForeground: false, isCharging: false, batteryLevel: 0.8)
private let docked = PowerState(isForeground: false, isCharging: true, batteryLevel: 0.8)
private let away = PowerState(isForeground: false)
private func battery(_ level: Double, charging: Bool? = false) -> PowerState {
  PowerState(isCharging: charging, batteryLevel: level)
}
private func makeSettings(_ preset: PowerPreset, _ rules: PowerSettings.Rule...) -> PowerSettings {
  PowerSettings(preset: preset, rules: rules)
}
private func subscriptionNeeds(_ demand: Demand = fine) -> DemandByConsumerClass {
  DemandByConsumerClass(subscriptions: demand)
}

@Suite struct PowerPolicyTests {
  /// An iPhone that does not monitor its battery states -1.
  @Test func unknownBatteryIsNotEmpty() throws {
    var state = PowerState(isCharging: false, batteryLevel: -1)
    #expect(state.batteryLevel == nil)
    state.batteryLevel = 0
    #expect(state.batteryLevel == 0)
    state.batteryLevel = -1
    #expect(state.batteryLevel == nil)
    state.batteryLevel = 1.5
    #expect(state.batteryLevel == 1)
    #expect(PowerState(batteryLevel: .nan).batteryLevel == nil)
  }

  @Test(arguments: background + presets + rules + consumers)
  func policyDecidesTheSourceDemand(row: PowerCase) {
    var policy = PowerPolicy(row.settings)
    let decision = policy.decide(row.situation)
    #expect(decision.demand == row.demand)
    #expect(decision.reason == row.reason)
    #expect(decision.rule == row.rule)
  }

  /// Continuous in the foreground and while charging; significant changes in the background on battery.
  static let background: [PowerCase] = [
    PowerCase("unknown power state", PowerSettings(), subscriptionNeeds(), asks: fine),
    PowerCase("no demand", PowerSettings(), DemandByConsumerClass(), asks: .off),
    PowerCase(
      "no demand in the background on battery", PowerSettings(), onBattery,
      DemandByConsumerClass(),
      asks: .off),
    PowerCase("foreground on battery", PowerSettings(), battery(0.5), subscriptionNeeds(), asks: fine),
    PowerCase(
      "foreground with a nearly empty battery", PowerSettings(), battery(0.01), subscriptionNeeds(),
      asks: fine),
    PowerCase("in the background while charging", PowerSettings(), docked, subscriptionNeeds(), asks: fine),
    PowerCase(
      "background, charging unknown", PowerSettings(), away, subscriptionNeeds(), asks: fine),
    PowerCase(
      "in the background on battery", PowerSettings(), onBattery, subscriptionNeeds(),
      asks: .significantChanges,
      .backgroundOnBattery),
    PowerCase(
      "background on battery, allowed by the settings", PowerSettings(background: .everywhere), onBattery,
      subscriptionNeeds(), asks: fine),
    PowerCase(
      "background while charging, not allowed by the settings",
      PowerSettings(background: PowerSettings.Background(whileCharging: false)), docked, subscriptionNeeds(),
      asks: .significantChanges, .background),
    PowerCase(
      "foreground, not allowed by the settings",
      PowerSettings(background: PowerSettings.Background(whileActive: false)),
      .unknown,
      subscriptionNeeds(), asks: .significantChanges, .foreground),
    PowerCase(
      "significant changes in the background on battery", PowerSettings(), onBattery,
      subscriptionNeeds(.significantChanges),
      asks: .significantChanges),
    PowerCase(
      "headings only in the background on battery", PowerSettings(), onBattery, subscriptionNeeds(headings),
      asks: .off,
      .backgroundOnBattery),
    PowerCase(
      "a request in the background on battery", PowerSettings(), onBattery,
      DemandByConsumerClass(requests: fine),
      asks: fine),
    PowerCase(
      "fences in the background on battery", PowerSettings(), onBattery, DemandByConsumerClass(fences: fine),
      asks: fine),
    PowerCase(
      "all consumers in the background on battery", PowerSettings(), onBattery,
      DemandByConsumerClass(
        requests: makeDemand(100), subscriptions: fine, trackers: fine, fences: makeDemand(15, every: 8)),
      asks: makeDemand(15).merged(with: .significantChanges), .backgroundOnBattery),
  ]

  static let presets: [PowerCase] = [
    PowerCase(
      "precise reduces no demand", makeSettings(.precise), subscriptionNeeds(), speed: 30, .driving,
      asks: fine),
    PowerCase(
      "balanced on foot", makeSettings(.balanced), subscriptionNeeds(), speed: 1.4, .walking,
      asks: makeDemand(10, filter: 10, .walk), .walking),
    PowerCase(
      "balanced with the walking activity", makeSettings(.balanced), subscriptionNeeds(makeDemand(5, .walk)),
      asks: makeDemand(10, filter: 10, .walk), .walking),
    PowerCase(
      "balanced in town", makeSettings(.balanced), subscriptionNeeds(), speed: 13, .driving,
      asks: makeDemand(10, filter: 50, .car),
      .preset),
    PowerCase(
      "balanced just below a highway", makeSettings(.balanced), subscriptionNeeds(), speed: 19.99,
      asks: makeDemand(10, filter: 50),
      .preset),
    PowerCase(
      "balanced on a highway", makeSettings(.balanced), subscriptionNeeds(), speed: 20, .driving,
      asks: makeDemand(10, filter: 400, .car), .highway),
    PowerCase(
      "balanced in fast motion without a stated speed", makeSettings(.balanced), subscriptionNeeds(), .fast,
      asks: makeDemand(10, filter: 400), .highway),
    PowerCase(
      "a longer requested filter is unchanged", makeSettings(.balanced),
      subscriptionNeeds(makeDemand(15, filter: 1000)), speed: 25,
      asks: makeDemand(15, filter: 1000)),
    PowerCase(
      "balanced, still for 180 s", makeSettings(.balanced), subscriptionNeeds(), .still, still: 180,
      asks: makeDemand(10, filter: 50, every: 15), .still),
    PowerCase(
      "balanced, still for 179 s", makeSettings(.balanced), subscriptionNeeds(), .still, still: 179,
      asks: makeDemand(10, filter: 50), .preset),
    PowerCase(
      "low", makeSettings(.low), subscriptionNeeds(), speed: 13,
      asks: makeDemand(100, filter: 100, every: 15), .preset),
    PowerCase(
      "low in the background while charging", makeSettings(.low), docked, subscriptionNeeds(),
      asks: .significantChanges,
      .background),
    PowerCase(
      "low, a request in the foreground", makeSettings(.low), DemandByConsumerClass(requests: fine),
      asks: fine),
    PowerCase(
      "low, a request in the background", makeSettings(.low), docked, DemandByConsumerClass(requests: fine),
      asks: makeDemand(100),
      .background),
    PowerCase(
      "minimal", makeSettings(.minimal), subscriptionNeeds(), asks: .significantChanges,
      .significantChangesOnly),
    PowerCase(
      "minimal, a request", makeSettings(.minimal), DemandByConsumerClass(requests: fine), asks: fine),
    PowerCase(
      "minimal, fences", makeSettings(.minimal), DemandByConsumerClass(fences: makeDemand(5, every: 4)),
      asks: makeDemand(100, every: 4),
      .significantChangesOnly),
    PowerCase("minimal, resting fences", makeSettings(.minimal), DemandByConsumerClass(), asks: .off),
    PowerCase(
      "a preset that continues in the background on battery",
      makeSettings(PowerPreset(name: "mine", accuracy: 30, background: .continues)), onBattery,
      subscriptionNeeds(),
      asks: makeDemand(30), .preset),
  ]

  static let consumers: [PowerCase] = [
    PowerCase(
      "low, a tracker gets every fix", makeSettings(.low), DemandByConsumerClass(trackers: fine),
      asks: makeDemand(100), .preset),
    PowerCase(
      "low, a tracker at rest gets every fix", makeSettings(.low), DemandByConsumerClass(trackers: fine),
      .still, still: 600,
      asks: makeDemand(100), .still),
    PowerCase(
      "balanced, visits get no distance filter", makeSettings(.balanced),
      DemandByConsumerClass(unfilteredSubscriptions: makeDemand(50)),
      speed: 13, asks: makeDemand(50)),
    PowerCase(
      "low, visits get a longer interval", makeSettings(.low),
      DemandByConsumerClass(unfilteredSubscriptions: makeDemand(50)),
      asks: makeDemand(100, every: 15), .preset),
    PowerCase(
      "low, fences get their full demand", makeSettings(.low),
      DemandByConsumerClass(subscriptions: fine, fences: fine),
      asks: makeDemand(5)),
    PowerCase(
      "headings continue with fixes", makeSettings(.balanced),
      subscriptionNeeds(Demand(fixes: fine.fixes, headings: Demand.Headings(filter: 2))),
      asks: Demand(fixes: makeDemand(10, filter: 50).fixes, headings: Demand.Headings(filter: 2)), .preset),
  ]

  static let rules: [PowerCase] = [
    PowerCase(
      "the first matching rule applies",
      makeSettings(
        .precise, PowerSettings.Rule([.charging(true)], use: .balanced), PowerSettings.Rule([], use: .minimal)
      ),
      battery(1, charging: true), subscriptionNeeds(), asks: makeDemand(10, filter: 50), .preset, rule: 0),
    PowerCase(
      "the next matching rule applies",
      makeSettings(
        .precise, PowerSettings.Rule([.charging(true)], use: .balanced), PowerSettings.Rule([], use: .minimal)
      ),
      battery(1), subscriptionNeeds(), asks: .significantChanges, .significantChangesOnly, rule: 1),
    PowerCase(
      "no rule matches", makeSettings(.precise, PowerSettings.Rule([.charging(true)], use: .minimal)),
      battery(1),
      subscriptionNeeds(),
      asks: fine),
    PowerCase(
      "unknown charging matches neither rule",
      makeSettings(
        .precise, PowerSettings.Rule([.charging(true)], use: .minimal),
        PowerSettings.Rule([.charging(false)], use: .minimal)),
      subscriptionNeeds(), asks: fine),
    PowerCase(
      "battery below", makeSettings(.precise, PowerSettings.Rule([.batteryBelow(0.2)], use: .minimal)),
      battery(0.19),
      subscriptionNeeds(), asks: .significantChanges, .significantChangesOnly, rule: 0),
    PowerCase(
      "battery not below", makeSettings(.precise, PowerSettings.Rule([.batteryBelow(0.2)], use: .minimal)),
      battery(0.2),
      subscriptionNeeds(), asks: fine),
    PowerCase(
      "an unknown battery level matches no rule",
      makeSettings(.precise, PowerSettings.Rule([.batteryBelow(0.2)], use: .minimal)),
      PowerState(isCharging: true), subscriptionNeeds(), asks: fine),
    PowerCase(
      "low-power mode", makeSettings(.precise, PowerSettings.Rule([.lowPowerMode(true)], use: .minimal)),
      PowerState(isLowPowerMode: true), subscriptionNeeds(), asks: .significantChanges,
      .significantChangesOnly,
      rule: 0),
    PowerCase(
      "in the background", makeSettings(.precise, PowerSettings.Rule([.foreground(false)], use: .minimal)),
      docked,
      subscriptionNeeds(), asks: .significantChanges, .significantChangesOnly, rule: 0),
    // The tests begin on a Saturday at noon.
    PowerCase(
      "within hours", makeSettings(.precise, PowerSettings.Rule([.hours(saturday)], use: .minimal)),
      subscriptionNeeds(), at: utc(0),
      asks: .significantChanges, .significantChangesOnly, rule: 0),
    PowerCase(
      "outside of hours", makeSettings(.precise, PowerSettings.Rule([.hours(saturday)], use: .minimal)),
      subscriptionNeeds(),
      at: utc(3600), asks: fine),
    PowerCase(
      "hours without a wall clock",
      makeSettings(.precise, PowerSettings.Rule([.hours(saturday)], use: .minimal)),
      subscriptionNeeds(),
      asks: fine),
    PowerCase(
      "inside a fence", makeSettings(.precise, PowerSettings.Rule([.inside("home")], use: .minimal)),
      subscriptionNeeds(),
      inside: ["home"], asks: .significantChanges, .significantChangesOnly, rule: 0),
    PowerCase(
      "inside another fence", makeSettings(.precise, PowerSettings.Rule([.inside("home")], use: .minimal)),
      subscriptionNeeds(),
      inside: ["work"], asks: fine),
    PowerCase(
      "still for long enough",
      makeSettings(.precise, PowerSettings.Rule([.still(.seconds(600))], use: .minimal)),
      subscriptionNeeds(),
      .still, still: 600, asks: .significantChanges, .significantChangesOnly, rule: 0),
    PowerCase(
      "not still for long enough",
      makeSettings(.precise, PowerSettings.Rule([.still(.seconds(600))], use: .minimal)),
      subscriptionNeeds(), .still, still: 599, asks: fine),
    PowerCase(
      "in the rule's motion", makeSettings(.precise, PowerSettings.Rule([.moving(.driving)], use: .minimal)),
      subscriptionNeeds(),
      .driving, asks: .significantChanges, .significantChangesOnly, rule: 0),
    PowerCase(
      "a rule matches only if all its conditions match",
      makeSettings(.precise, PowerSettings.Rule([.moving(.driving), .charging(false)], use: .minimal)),
      battery(1, charging: true), subscriptionNeeds(), .driving, asks: fine),
    PowerCase(
      "a rule does not reduce a request in the foreground",
      makeSettings(.precise, PowerSettings.Rule([.batteryBelow(0.5)], use: .minimal)), battery(0.1),
      DemandByConsumerClass(requests: fine),
      asks: fine, rule: 0),
  ]

  private static let saturday = ActiveHours([ActiveHours.Window(start: 5 * 1440 + 11 * 60, minutes: 120)])

  @Test func batteryLevelAtTheThresholdDoesNotFlap() {
    var policy = PowerPolicy(makeSettings(.precise, PowerSettings.Rule([.batteryBelow(0.2)], use: .minimal)))
    let levels = [0.21, 0.20, 0.199, 0.2, 0.21, 0.249, 0.2, 0.25, 0.21, 0.2, 0.19]
    let presets = levels.map {
      policy.decide(PowerSituation(state: battery($0), needs: subscriptionNeeds())).preset
    }
    #expect(
      presets
        == ["precise", "precise", "minimal", "minimal", "minimal", "minimal", "minimal"]
        + ["precise", "precise", "precise", "minimal"])
  }

  @Test func unusedRuleTracksTheBattery() {
    var policy = PowerPolicy(
      makeSettings(
        .precise, PowerSettings.Rule([.moving(.still)], use: .low),
        PowerSettings.Rule([.batteryBelow(0.2)], use: .minimal)))
    func preset(_ level: Double, _ motion: Motion) -> String {
      policy.decide(PowerSituation(state: battery(level), needs: subscriptionNeeds(), motion: motion)).preset
    }
    #expect(preset(0.19, .driving) == "minimal")
    #expect(preset(0.21, .still) == "low")
    #expect(preset(0.21, .driving) == "minimal")
    #expect(preset(0.3, .still) == "low")
    #expect(preset(0.21, .driving) == "precise")
  }

  @Test func speedAtTheHighwayThresholdDoesNotFlap() {
    var policy = PowerPolicy(makeSettings(.balanced))
    let reasons = [19.9, 20, 19.9, 18, 17.9, 19.9].map {
      policy.decide(PowerSituation(needs: subscriptionNeeds(), speed: $0)).reason
    }
    #expect(reasons == [.preset, .highway, .highway, .highway, .preset, .preset])
  }

  /// The hours begin at half past two. When the clock is set back from three to two o'clock, they end and begin again.
  @Test func hoursEndWhenTheClockIsSetBackBeforeThem() {
    // 2026-10-25 01:00 UTC, a Sunday.
    let second: Int64 = 1_792_890_000, change = UTCTime(nanosecondsSince1970: second * 1_000_000_000)
    let zone = TimeZoneRules(
      name: "Europe/Berlin", firstOffset: 7200,
      transitions: [TimeZoneRules.Transition(time: second, offset: 3600)])
    let hours = ActiveHours([ActiveHours.Window(start: 6 * 1440 + 150, minutes: 60)], in: zone)
    let policy = PowerPolicy(makeSettings(.precise, PowerSettings.Rule([.hours(hours)], use: .low)))
    var times = [change.advanced(by: .seconds(-3600))]
    for _ in 0..<4 {
      let next = policy.nextChange(after: PowerSituation(time: times[times.count - 1]))
      times.append(times[times.count - 1].advanced(by: next ?? .zero))
    }
    #expect(times.map { $0.seconds(since: change) } == [-3600, -1800, 0, 1800, 5400])
    #expect(times.map { hours.contains($0) } == [false, true, false, true, false])
  }

  @Test func nextChangeDependsOnlyOnTime() {
    let settings = makeSettings(
      .balanced, PowerSettings.Rule([.hours(Self.saturday)], use: .precise),
      PowerSettings.Rule([.still(.seconds(60))], use: .low))
    let policy = PowerPolicy(settings)
    func next(still seconds: Double?, at time: UTCTime?) -> Duration? {
      policy.nextChange(
        after: PowerSituation(motion: .still, stillFor: seconds.map { .seconds($0) }, time: time))
    }
    #expect(next(still: nil, at: nil) == nil)
    #expect(next(still: 10, at: nil) == .seconds(50))
    #expect(next(still: 60, at: nil) == .seconds(120))
    #expect(next(still: 180, at: nil) == nil)
    #expect(next(still: nil, at: utc(0)) == .seconds(3600))
    #expect(next(still: 170, at: utc(3595)) == .seconds(5))
    #expect(next(still: nil, at: utc(3600)) == .seconds(7 * 86_400 - 7200))
    let always = PowerPolicy(
      makeSettings(
        .precise,
        PowerSettings.Rule([.hours(ActiveHours([ActiveHours.Window(start: 0, minutes: 10_080)]))], use: .low)
      ))
    #expect(always.nextChange(after: PowerSituation(time: utc(0))).map { $0 <= .seconds(7 * 86_400) } == true)
    let never = PowerPolicy(makeSettings(.precise, PowerSettings.Rule([.hours(ActiveHours([]))], use: .low)))
    #expect(never.nextChange(after: PowerSituation(time: utc(0))) == nil)
  }
}
