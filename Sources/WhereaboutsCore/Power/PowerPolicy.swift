/// What to ask of the source, given what is needed and how things stand: a pure function, but for what must not flap.
///
/// Nothing is ever asked for that nobody needs, and whoever needs something gets at least large moves. Requests in the
/// foreground pass as they are, and so do fences unless the preset says otherwise.
public struct PowerPolicy: Sendable {
  /// How much fuller a battery must be again for ``PowerCondition/batteryBelow(_:)`` to hold no longer.
  public static let batterySlack = 0.05
  /// Of what is a highway's speed, so much is still one to who was on it.
  static let highwaySlack = 0.9

  /// What it goes by.
  public let settings: PowerSettings
  /// The fences that rules ask for.
  let fences: [FenceID]
  /// Whether anything depends on how fast the device is, how it moves, or for how long it has stood.
  let dependsOnMotion: Bool
  private let hours: [ActiveHours]
  private let stillTimes: [Duration]
  private let highwaySpeeds: [Double]

  /// Which conditions about the battery hold, by place among those of all rules; of more than 64 the rest may flap.
  private var batteriesHeld: UInt64 = 0
  private(set) var isOnHighway = false
  /// What the device has been carried by, as far as its motion tells.
  private var moved = Activity.other

  /// A policy that has not decided anything yet.
  public init(_ settings: PowerSettings = PowerSettings()) {
    self.settings = settings
    let conditions = settings.rules.flatMap(\.conditions)
    let presets = [settings.preset] + settings.rules.map(\.preset)
    hours = conditions.compactMap { if case .hours(let hours) = $0 { hours } else { nil } }
    fences = conditions.compactMap { if case .inside(let id) = $0 { id } else { nil } }
    let stills = conditions.compactMap { condition -> Duration? in
      if case .still(let duration) = condition { duration } else { nil }
    }
    stillTimes = stills + presets.compactMap(\.rest?.after)
    highwaySpeeds = presets.compactMap(\.filters?.highwaySpeed)
    let asksForMotion = conditions.contains { if case .moving = $0 { true } else { false } }
    dependsOnMotion = asksForMotion || !stillTimes.isEmpty || presets.contains { $0.filters != nil }
  }

  /// Whether it can be said beforehand that nothing is held back in a state.
  func asksAsAsked(in state: PowerState) -> Bool {
    settings.rules.isEmpty && settings.preset.limitsNothing && state.isForeground
      && settings.background.whileActive
  }

  /// Whether a speed is one of a highway, to who is on one or is not.
  func isHighway(_ speed: Double?) -> Bool {
    guard let speed else { return false }
    return highwaySpeeds.contains { speed >= $0 * (isOnHighway ? Self.highwaySlack : 1) }
  }

  /// What to ask of the source.
  public mutating func decide(_ situation: PowerSituation) -> PowerDecision {
    let index = rule(for: situation)
    let rule = index.map { settings.rules[$0] }
    let preset = rule?.preset ?? settings.preset
    let (demand, reason) = demand(situation, preset)
    return PowerDecision(
      demand: demand, preset: preset.name, rule: index, ruleName: rule?.name,
      reason: demand == situation.needs.merged ? .asAsked : reason, state: situation.state,
      speed: situation.speed, stillFor: situation.stillFor)
  }

  /// How long after a situation something will be otherwise by time alone; `nil` where nothing will.
  public func nextChange(after situation: PowerSituation) -> Duration? {
    var next: Duration?
    if let still = situation.stillFor {
      for time in stillTimes where time > still { next = min(next ?? .seconds(Int64.max), time - still) }
    }
    if let time = situation.time {
      for change in hours.lazy.compactMap({ $0.nextChange(after: time) }) {
        next = min(next ?? .seconds(Int64.max), change.since(time))
      }
    }
    return next
  }

  // MARK: Rules

  private mutating func rule(for situation: PowerSituation) -> Int? {
    var chosen: Int?
    var battery = 0
    for (index, rule) in settings.rules.enumerated() {
      var holds = true
      // Each is looked at, whether or not it matters now: what must not flap has to see every level.
      for condition in rule.conditions {
        if case .batteryBelow(let level) = condition {
          holds = isBattery(situation.state.batteryLevel, below: level, at: battery) && holds
          battery += 1
        } else {
          holds = holds && Self.holds(condition, in: situation)
        }
      }
      if holds, chosen == nil { chosen = index }
    }
    return chosen
  }

  private mutating func isBattery(_ level: Double?, below bound: Double, at place: Int) -> Bool {
    let bit: UInt64 = place < 64 ? 1 << UInt64(place) : 0
    let slack = batteriesHeld & bit == 0 ? 0 : Self.batterySlack
    let holds = level.map { $0 < bound + slack } ?? false
    if holds { batteriesHeld |= bit } else { batteriesHeld &= ~bit }
    return holds
  }

  private static func holds(_ condition: PowerCondition, in situation: PowerSituation) -> Bool {
    switch condition {
    case .charging(let wanted): situation.state.isCharging == wanted
    case .batteryBelow: false  // Has a memory, and is looked at above.
    case .lowPowerMode(let wanted): situation.state.isLowPowerMode == wanted
    case .hours(let hours): situation.time.map { hours.contains($0) } ?? false
    case .inside(let fence): situation.inside.contains(fence)
    case .still(let duration): situation.stillFor.map { $0 >= duration } ?? false
    case .moving(let motion): situation.motion == motion
    case .foreground(let wanted): situation.state.isForeground == wanted
    }
  }

  // MARK: Demand

  private mutating func demand(_ situation: PowerSituation, _ preset: PowerPreset) -> (
    Demand, PowerDecision.Reason
  ) {
    let needs = situation.needs
    var requests = needs.requests
    if !situation.state.isForeground { requests.coarsen(to: preset.accuracy) }
    var fences = needs.fences
    if preset.coarsensFences { fences.coarsen(to: AccuracyLevel.block.worstAccuracy) }
    let certain = requests.merged(with: fences)
    if let reason = restriction(situation.state, preset) {
      let following = [needs.subscriptions, needs.watches, needs.trackers].map(\.significantOnly)
      return (following.reduce(certain) { $0.merged(with: $1) }, reason)
    }
    var reason = PowerDecision.Reason.preset
    var subscriptions = needs.subscriptions, watches = needs.watches, trackers = needs.trackers
    trackers.coarsen(to: preset.accuracy)
    watches.coarsen(to: preset.accuracy)
    subscriptions.coarsen(to: preset.accuracy)
    var interval = preset.interval
    if let filters = preset.filters {
      let activity = subscriptions.activity ?? .other
      reason = stretch(filters, situation, activity, &subscriptions)
    }
    if let rest = preset.rest, let still = situation.stillFor, still >= rest.after, rest.interval > interval {
      interval = rest.interval
      reason = .still
    }
    subscriptions.slow(to: interval)
    watches.slow(to: interval)
    return (
      certain.merged(with: subscriptions).merged(with: watches).merged(with: trackers), reason
    )
  }

  /// Why subscriptions and trackers get large moves only; `nil` where they get more.
  private func restriction(_ state: PowerState, _ preset: PowerPreset) -> PowerDecision.Reason? {
    if preset.onlySignificantChanges { return .significantChangesOnly }
    guard !state.isForeground else { return settings.background.whileActive ? nil : .foreground }
    switch preset.background {
    case .continues: return nil
    case .significantChanges: return .background
    case .bySettings:
      guard state.isCharging == false else { return settings.background.whileCharging ? nil : .background }
      return settings.background.onBattery ? nil : .backgroundOnBattery
    }
  }

  private mutating func stretch(
    _ filters: PowerFilters, _ situation: PowerSituation, _ activity: Activity, _ need: inout Demand
  ) -> PowerDecision.Reason {
    let bound = filters.highwaySpeed * (isOnHighway ? Self.highwaySlack : 1)
    isOnHighway = situation.speed.map { $0 >= bound } ?? (situation.motion == .fast)
    let onFoot = [.walking, .running].contains(situation.motion) || [.walk, .run].contains(activity)
    let (filter, reason): (Double, PowerDecision.Reason) =
      if isOnHighway { (filters.highway, .highway) } else if onFoot {
        (filters.walking, .walking)
      } else { (filters.otherwise, .preset) }
    switch situation.motion {
    case .walking: moved = .walk
    case .running: moved = .run
    case .cycling: moved = .bike
    case .driving: moved = .car
    case .fast, .unknown: moved = .other
    // Who waits at a light goes on as before.
    case .still, .moving: break
    }
    need.filter(to: filter, activity: activity == .other ? moved : activity)
    return reason
  }
}

// MARK: - Less of a demand

extension Demand {
  fileprivate mutating func change(_ body: (inout ContinuousDemand) -> Void) {
    guard case .continuous(var wanted) = fixes else { return }
    body(&wanted)
    fixes = .continuous(wanted)
  }

  fileprivate mutating func coarsen(to accuracy: Double) {
    change { $0.accuracy = max($0.accuracy, accuracy) }
  }

  fileprivate mutating func slow(to interval: Duration) {
    change { $0.interval = max($0.interval, interval) }
  }

  fileprivate mutating func filter(to metres: Double, activity: Activity) {
    change {
      $0.distanceFilter = max($0.distanceFilter, metres)
      $0.activity = activity
    }
  }

  fileprivate var activity: Activity? {
    if case .continuous(let wanted) = fixes { wanted.activity } else { nil }
  }

  /// Large moves, where there is any need of fixes.
  fileprivate var significantOnly: Demand { fixes == .off ? .off : .significantChanges }
}
