import Testing
import WhereaboutsCore

/// What is asked of a source that is asked for this: one of each kind who may need something.
private func asks(
  _ accuracy: Double, filter: Double = 0, every interval: Double = 0, _ activity: Activity = .other
) -> Demand {
  .continuous(
    ContinuousDemand(
      accuracy: accuracy, distanceFilter: filter, interval: .seconds(interval), activity: activity))
}

private let fine = asks(5)
private let headings = Demand(headings: HeadingDemand(filter: 1))

/// One situation and what comes of it.
struct PowerCase: Sendable, CustomTestStringConvertible {
  let name: String
  var settings = PowerSettings()
  var situation: PowerSituation
  let demand: Demand
  let reason: PowerDecision.Reason
  var rule: Int?

  init(
    _ name: String, _ settings: PowerSettings, _ state: PowerState, _ needs: LiveNeeds,
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

  /// Where nothing is known of the host.
  init(
    _ name: String, _ settings: PowerSettings, _ needs: LiveNeeds, speed: Double? = nil,
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
private func with(_ preset: PowerPreset, _ rules: PowerRule...) -> PowerSettings {
  PowerSettings(preset: preset, rules: rules)
}
private func following(_ demand: Demand = fine) -> LiveNeeds { LiveNeeds(subscriptions: demand) }

@Suite struct PowerPolicyTests {
  @Test(arguments: background + presets + rules + parties)
  func whatIsAskedOfTheSource(row: PowerCase) {
    var policy = PowerPolicy(row.settings)
    let decision = policy.decide(row.situation)
    #expect(decision.demand == row.demand)
    #expect(decision.reason == row.reason)
    #expect(decision.rule == row.rule)
  }

  /// Continuous while active, and in the background while charging; on battery in the background large moves.
  static let background: [PowerCase] = [
    PowerCase("nothing is known", PowerSettings(), following(), asks: fine),
    PowerCase("nobody needs anything", PowerSettings(), LiveNeeds(), asks: .off),
    PowerCase(
      "nobody needs anything in the background on battery", PowerSettings(), onBattery, LiveNeeds(),
      asks: .off),
    PowerCase("active on battery", PowerSettings(), battery(0.5), following(), asks: fine),
    PowerCase("active on the last of the battery", PowerSettings(), battery(0.01), following(), asks: fine),
    PowerCase("in the background while charging", PowerSettings(), docked, following(), asks: fine),
    PowerCase("in the background, charging not known", PowerSettings(), away, following(), asks: fine),
    PowerCase(
      "in the background on battery", PowerSettings(), onBattery, following(), asks: .significantChanges,
      .backgroundOnBattery),
    PowerCase(
      "in the background on battery, which is allowed", PowerSettings(background: .everywhere), onBattery,
      following(), asks: fine),
    PowerCase(
      "in the background while charging, which is not allowed",
      PowerSettings(background: PowerBackground(whileCharging: false)), docked, following(),
      asks: .significantChanges, .background),
    PowerCase(
      "active, which is not allowed", PowerSettings(background: PowerBackground(whileActive: false)),
      .unknown,
      following(), asks: .significantChanges, .foreground),
    PowerCase(
      "large moves in the background on battery", PowerSettings(), onBattery, following(.significantChanges),
      asks: .significantChanges),
    PowerCase(
      "headings alone in the background on battery", PowerSettings(), onBattery, following(headings),
      asks: .off,
      .backgroundOnBattery),
    PowerCase(
      "a request in the background on battery", PowerSettings(), onBattery, LiveNeeds(requests: fine),
      asks: fine),
    PowerCase(
      "fences in the background on battery", PowerSettings(), onBattery, LiveNeeds(fences: fine), asks: fine),
    PowerCase(
      "all of them in the background on battery", PowerSettings(), onBattery,
      LiveNeeds(requests: asks(100), subscriptions: fine, trackers: fine, fences: asks(15, every: 8)),
      asks: asks(15), .backgroundOnBattery),
  ]

  static let presets: [PowerCase] = [
    PowerCase("precise limits nothing", with(.precise), following(), speed: 30, .driving, asks: fine),
    PowerCase(
      "balanced on foot", with(.balanced), following(), speed: 1.4, .walking,
      asks: asks(10, filter: 10, .walk), .walking),
    PowerCase(
      "balanced for who says that he walks", with(.balanced), following(asks(5, .walk)),
      asks: asks(10, filter: 10, .walk), .walking),
    PowerCase(
      "balanced in town", with(.balanced), following(), speed: 13, .driving, asks: asks(10, filter: 50, .car),
      .preset),
    PowerCase(
      "balanced just below a highway", with(.balanced), following(), speed: 19.99, asks: asks(10, filter: 50),
      .preset),
    PowerCase(
      "balanced on a highway", with(.balanced), following(), speed: 20, .driving,
      asks: asks(10, filter: 400, .car), .highway),
    PowerCase(
      "balanced in a train that states no speed", with(.balanced), following(), .fast,
      asks: asks(10, filter: 400), .highway),
    PowerCase(
      "a longer filter of one's own stays", with(.balanced), following(asks(15, filter: 1000)), speed: 25,
      asks: asks(15, filter: 1000)),
    PowerCase(
      "balanced, still for long", with(.balanced), following(), .still, still: 180,
      asks: asks(10, filter: 50, every: 15), .still),
    PowerCase(
      "balanced, still for a moment", with(.balanced), following(), .still, still: 179,
      asks: asks(10, filter: 50), .preset),
    PowerCase("low", with(.low), following(), speed: 13, asks: asks(100, filter: 100, every: 15), .preset),
    PowerCase(
      "low in the background while charging", with(.low), docked, following(), asks: .significantChanges,
      .background),
    PowerCase("low, a request in the foreground", with(.low), LiveNeeds(requests: fine), asks: fine),
    PowerCase(
      "low, a request in the background", with(.low), docked, LiveNeeds(requests: fine), asks: asks(100),
      .background),
    PowerCase("minimal", with(.minimal), following(), asks: .significantChanges, .significantChangesOnly),
    PowerCase("minimal, a request", with(.minimal), LiveNeeds(requests: fine), asks: fine),
    PowerCase(
      "minimal, fences", with(.minimal), LiveNeeds(fences: asks(5, every: 4)), asks: asks(100, every: 4),
      .significantChangesOnly),
    PowerCase("minimal, fences that rest", with(.minimal), LiveNeeds(), asks: .off),
    PowerCase(
      "a preset that goes on in the background on battery",
      with(PowerPreset(name: "mine", accuracy: 30, background: .continues)), onBattery, following(),
      asks: asks(30), .preset),
  ]

  static let parties: [PowerCase] = [
    PowerCase(
      "low, a tracker gets every fix", with(.low), LiveNeeds(trackers: fine), asks: asks(100), .preset),
    PowerCase(
      "low, a tracker at rest gets every fix", with(.low), LiveNeeds(trackers: fine), .still, still: 600,
      asks: asks(100), .still),
    PowerCase(
      "balanced, who waits for stays is not blinded by a filter", with(.balanced),
      LiveNeeds(watches: asks(50)),
      speed: 13, asks: asks(50)),
    PowerCase(
      "low, who waits for stays hears less often", with(.low), LiveNeeds(watches: asks(50)),
      asks: asks(100, every: 15), .preset),
    PowerCase(
      "low, fences get what they need", with(.low), LiveNeeds(subscriptions: fine, fences: fine),
      asks: asks(5)),
    PowerCase(
      "headings go on while fixes do", with(.balanced),
      following(Demand(fixes: fine.fixes, headings: HeadingDemand(filter: 2))),
      asks: Demand(fixes: asks(10, filter: 50).fixes, headings: HeadingDemand(filter: 2)), .preset),
  ]

  static let rules: [PowerCase] = [
    PowerCase(
      "the first that holds",
      with(.precise, PowerRule([.charging(true)], use: .balanced), PowerRule([], use: .minimal)),
      battery(1, charging: true), following(), asks: asks(10, filter: 50), .preset, rule: 0),
    PowerCase(
      "else the next",
      with(.precise, PowerRule([.charging(true)], use: .balanced), PowerRule([], use: .minimal)),
      battery(1), following(), asks: .significantChanges, .significantChangesOnly, rule: 1),
    PowerCase(
      "none holds", with(.precise, PowerRule([.charging(true)], use: .minimal)), battery(1), following(),
      asks: fine),
    PowerCase(
      "charging not known, asked either way",
      with(
        .precise, PowerRule([.charging(true)], use: .minimal), PowerRule([.charging(false)], use: .minimal)),
      following(), asks: fine),
    PowerCase(
      "battery below", with(.precise, PowerRule([.batteryBelow(0.2)], use: .minimal)), battery(0.19),
      following(), asks: .significantChanges, .significantChangesOnly, rule: 0),
    PowerCase(
      "battery not below", with(.precise, PowerRule([.batteryBelow(0.2)], use: .minimal)), battery(0.2),
      following(), asks: fine),
    PowerCase(
      "no battery is below nothing", with(.precise, PowerRule([.batteryBelow(0.2)], use: .minimal)),
      PowerState(isCharging: true), following(), asks: fine),
    PowerCase(
      "low-power mode", with(.precise, PowerRule([.lowPowerMode(true)], use: .minimal)),
      PowerState(isLowPowerMode: true), following(), asks: .significantChanges, .significantChangesOnly,
      rule: 0),
    PowerCase(
      "in the background", with(.precise, PowerRule([.foreground(false)], use: .minimal)), docked,
      following(), asks: .significantChanges, .significantChangesOnly, rule: 0),
    // The tests begin on a Saturday at noon.
    PowerCase(
      "within hours", with(.precise, PowerRule([.hours(saturday)], use: .minimal)), following(), at: utc(0),
      asks: .significantChanges, .significantChangesOnly, rule: 0),
    PowerCase(
      "outside of hours", with(.precise, PowerRule([.hours(saturday)], use: .minimal)), following(),
      at: utc(3600), asks: fine),
    PowerCase(
      "hours without a clock", with(.precise, PowerRule([.hours(saturday)], use: .minimal)), following(),
      asks: fine),
    PowerCase(
      "inside a fence", with(.precise, PowerRule([.inside("home")], use: .minimal)), following(),
      inside: ["home"], asks: .significantChanges, .significantChangesOnly, rule: 0),
    PowerCase(
      "inside another fence", with(.precise, PowerRule([.inside("home")], use: .minimal)), following(),
      inside: ["work"], asks: fine),
    PowerCase(
      "still for long enough", with(.precise, PowerRule([.still(.seconds(600))], use: .minimal)), following(),
      .still, still: 600, asks: .significantChanges, .significantChangesOnly, rule: 0),
    PowerCase(
      "not still for long enough", with(.precise, PowerRule([.still(.seconds(600))], use: .minimal)),
      following(), .still, still: 599, asks: fine),
    PowerCase(
      "moving like that", with(.precise, PowerRule([.moving(.driving)], use: .minimal)), following(),
      .driving, asks: .significantChanges, .significantChangesOnly, rule: 0),
    PowerCase(
      "all of several must hold",
      with(.precise, PowerRule([.moving(.driving), .charging(false)], use: .minimal)),
      battery(1, charging: true), following(), .driving, asks: fine),
    PowerCase(
      "a rule spares a request in the foreground nothing",
      with(.precise, PowerRule([.batteryBelow(0.5)], use: .minimal)), battery(0.1), LiveNeeds(requests: fine),
      asks: fine, rule: 0),
  ]

  private static let saturday = ActiveHours([ActiveHours.Window(start: 5 * 1440 + 11 * 60, minutes: 120)])

  @Test func aBatteryAtTheEdgeDoesNotFlap() {
    var policy = PowerPolicy(with(.precise, PowerRule([.batteryBelow(0.2)], use: .minimal)))
    let levels = [0.21, 0.20, 0.199, 0.2, 0.21, 0.249, 0.2, 0.25, 0.21, 0.2, 0.19]
    let presets = levels.map { policy.decide(PowerSituation(state: battery($0), needs: following())).preset }
    #expect(
      presets
        == ["precise", "precise", "minimal", "minimal", "minimal", "minimal", "minimal"]
        + ["precise", "precise", "precise", "minimal"])
  }

  @Test func aRuleThatIsNotUsedSeesTheBatteryAllTheSame() {
    var policy = PowerPolicy(
      with(.precise, PowerRule([.moving(.still)], use: .low), PowerRule([.batteryBelow(0.2)], use: .minimal)))
    func preset(_ level: Double, _ motion: Motion) -> String {
      policy.decide(PowerSituation(state: battery(level), needs: following(), motion: motion)).preset
    }
    #expect(preset(0.19, .driving) == "minimal")
    #expect(preset(0.21, .still) == "low")
    #expect(preset(0.21, .driving) == "minimal")
    #expect(preset(0.3, .still) == "low")
    #expect(preset(0.21, .driving) == "precise")
  }

  @Test func aSpeedAtTheEdgeOfAHighwayDoesNotFlap() {
    var policy = PowerPolicy(with(.balanced))
    let reasons = [19.9, 20, 19.9, 18, 17.9, 19.9].map {
      policy.decide(PowerSituation(needs: following(), speed: $0)).reason
    }
    #expect(reasons == [.preset, .highway, .highway, .highway, .preset, .preset])
  }

  @Test func timeAloneIsWaitedFor() {
    let settings = with(
      .balanced, PowerRule([.hours(Self.saturday)], use: .precise),
      PowerRule([.still(.seconds(60))], use: .low))
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
      with(
        .precise, PowerRule([.hours(ActiveHours([ActiveHours.Window(start: 0, minutes: 10_080)]))], use: .low)
      ))
    #expect(always.nextChange(after: PowerSituation(time: utc(0))).map { $0 <= .seconds(7 * 86_400) } == true)
    let never = PowerPolicy(with(.precise, PowerRule([.hours(ActiveHours([]))], use: .low)))
    #expect(never.nextChange(after: PowerSituation(time: utc(0))) == nil)
  }
}
