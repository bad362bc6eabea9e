import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsTesting

/// Random situations and settings of every kind, determined by a seed.
struct RandomPowerInputs {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func any<Value>(of values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  mutating func demand() -> Demand {
    let fixes: Demand.Fixes = any(of: [
      .off, .significantChanges,
      .continuous(
        Demand.Continuous(
          accuracy: any(of: [0, 5, 15, 1000]), distanceFilter: any(of: [0, 20, 5000]),
          interval: .seconds(any(of: [0, 1, 100])), activity: any(of: [.other, .walk, .car]))),
    ])
    return Demand(fixes: fixes, headings: any(of: [nil, Demand.Headings(filter: 3)]))
  }

  mutating func preset() -> PowerPreset {
    let own = PowerPreset(
      name: "own", accuracy: any(of: [0, 30]), interval: .seconds(any(of: [0, 5])),
      filters: any(of: [nil, .standard]),
      rest: any(of: [nil, PowerPreset.Rest(after: .seconds(9), interval: .seconds(9))]),
      background: any(of: PowerPreset.Background.allCases), onlySignificantChanges: any(of: [true, false]),
      coarsensFences: any(of: [true, false]))
    return any(of: PowerPreset.standard + [own])
  }

  mutating func condition() -> PowerSettings.Condition {
    let flag: Bool = any(of: [true, false])
    return any(of: [
      .charging(flag), .batteryBelow(any(of: [0.2, 0.5])), .lowPowerMode(flag), .inside("home"),
      .still(.seconds(any(of: [0, 60]))), .moving(any(of: Motion.allCases)), .foreground(flag),
      .hours(
        ActiveHours([ActiveHours.Window(start: Int.random(in: 0..<10_080, using: &random), minutes: 5000)])),
    ])
  }

  mutating func settings() -> PowerSettings {
    let rules = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      PowerSettings.Rule((0..<Int.random(in: 0...2, using: &random)).map { _ in condition() }, use: preset())
    }
    return PowerSettings(
      preset: preset(), rules: rules,
      background: PowerSettings.Background(
        whileActive: any(of: [true, true, false]), whileCharging: any(of: [true, false]),
        onBattery: any(of: [true, false])))
  }

  mutating func state() -> PowerState {
    PowerState(
      isForeground: any(of: [true, false]), isCharging: any(of: [nil, true, false]),
      batteryLevel: any(of: [nil, 0, 0.19, 0.21, 0.3, 1]), isLowPowerMode: any(of: [true, false]))
  }

  mutating func situation() -> PowerSituation {
    let motion: Motion = any(of: Motion.allCases)
    return PowerSituation(
      state: state(),
      needs: DemandByConsumerClass(
        requests: Demand(fixes: demand().fixes), subscriptions: demand(),
        unfilteredSubscriptions: Demand(fixes: demand().fixes),
        trackers: Demand(fixes: demand().fixes), fences: Demand(fixes: demand().fixes)),
      speed: any(of: [nil, 0, 1.4, 19, 21, 300, .nan]), motion: motion,
      stillFor: motion == .still ? .seconds(any(of: [0, 8, 61, 1e6])) : nil,
      inside: any(of: [[], ["home"]]), time: any(of: [nil, utc(Double.random(in: 0...1e6, using: &random))]))
  }
}

/// Properties of the policy for all settings.
@Suite struct PowerPropertyTests {
  @Test(arguments: PropertyCases.seeds(30, of: 1...200 as ClosedRange<UInt64>))
  func demandIsOffExactlyWhenNoNeedExists(seed: UInt64) {
    var random = RandomPowerInputs(seed: seed)
    let settings = random.settings()
    var policy = PowerPolicy(settings)
    for step in 0..<50 {
      let situation = random.situation(), needs = situation.needs
      let decision = policy.decide(situation)
      let asked = decision.demand.fixes, whole = needs.merged.fixes
      let hint: Comment = "seed \(seed), step \(step): \(situation) \(settings) \(decision)"
      #expect((asked == .off) == (whole == .off), hint)
      if watchesChanges(needs.merged) { #expect(watchesChanges(decision.demand), hint) }
      let isWhole = decision.demand.ofReceiver == needs.merged.ofReceiver
      #expect(isWhole == (decision.reason == .asAsked), hint)
      if case .continuous(let asked) = asked {
        guard case .continuous(let whole) = whole else {
          Issue.record(hint)
          return
        }
        #expect(asked.accuracy >= whole.accuracy && asked.distanceFilter >= whole.distanceFilter, hint)
        #expect(asked.interval >= whole.interval, hint)
      }
      let preset = decision.rule.map { settings.rules[$0].preset } ?? settings.preset
      if situation.state.isForeground {
        #expect(satisfies(decision.demand, needs.requests), "a request in the foreground: \(hint)")
      }
      if !preset.coarsensFences { #expect(satisfies(decision.demand, needs.fences), "fences: \(hint)") }
    }
  }

  private func watchesChanges(_ demand: Demand) -> Bool {
    demand.watchesSignificantChanges || demand.fixes == .significantChanges
  }

  /// Whether a demand satisfies a need: merging both changes nothing.
  private func satisfies(_ demand: Demand, _ need: Demand) -> Bool {
    var merged = demand.merged(with: need), demand = demand
    // The activity is a hint, which other consumers may change.
    if case .continuous(var fixes) = merged.fixes, case .continuous(var asked) = demand.fixes {
      fixes.activity = .other
      asked.activity = .other
      merged.fixes = .continuous(fixes)
      demand.fixes = .continuous(asked)
    }
    return merged == demand
  }
}
