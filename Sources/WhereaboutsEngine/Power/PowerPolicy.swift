public import WhereaboutsModel

/// The policy that derives the demand on the source from the needs and the situation: a pure function with
/// hysteresis.
///
/// The demand never exceeds the needs, and every need gets at least significant changes. Requests in the foreground
/// pass unchanged, and so do fences unless the preset says otherwise.
public struct PowerPolicy: Sendable {
  /// The rise in battery level after which `PowerSettings/Condition/batteryBelow(_:)` ends.
  public static let batterySlack = 0.05
  /// The fraction of the highway speed above which highway driving, once begun, continues.
  static let highwaySlack = 0.9

  /// The settings of the policy.
  public let settings: PowerSettings
  /// The fences named in rules.
  let fences: [FenceID]
  /// Whether a decision may depend on speed, motion or the time at rest.
  let dependsOnMotion: Bool
  /// Whether a decision may depend on the time of day.
  var dependsOnTime: Bool { !hours.isEmpty }
  private let hours: [ActiveHours]
  private let stillTimes: [Duration]
  private let highwaySpeeds: [Double]

  /// The battery conditions that hold, by their index among all rules; conditions beyond 64 may flap.
  private var heldBatteryConditions: UInt64 = 0
  private(set) var isOnHighway = false
  /// The activity that the device's motion indicates.
  private var motionActivity = Activity.other

  /// Creates a policy that has not decided anything yet.
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

  /// Returns whether no demand can be reduced in a power state.
  func isUnrestricted(in state: PowerState) -> Bool {
    settings.rules.isEmpty && settings.preset.isUnlimited && state.isForeground
      && settings.background.whileActive
  }

  /// Returns whether a speed counts as highway driving, given whether the device was on a highway.
  func isHighway(_ speed: Double?) -> Bool {
    guard let speed else { return false }
    return highwaySpeeds.contains { speed >= $0 * (isOnHighway ? Self.highwaySlack : 1) }
  }

  /// Returns the decision for a situation.
  public mutating func decide(_ situation: PowerSituation) -> PowerDecision {
    let index = rule(for: situation)
    let rule = index.map { settings.rules[$0] }
    let preset = rule?.preset ?? settings.preset
    let (demand, reason) = demand(situation, preset)
    let isWhole = demand.ofReceiver == situation.needs.merged.ofReceiver
    return PowerDecision(
      demand: demand, preset: preset.name, rule: index, ruleName: rule?.name,
      reason: isWhole ? .asAsked : reason, state: situation.state,
      speed: situation.speed, stillFor: situation.stillFor)
  }

  /// Returns the time after which time alone changes a situation's decision; `nil` where it changes nothing.
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
      // Each condition is evaluated, whether or not it matters now: hysteresis has to see every level.
      for condition in rule.conditions {
        if case .batteryBelow(let level) = condition {
          holds = updateBatteryCondition(situation.state.batteryLevel, below: level, at: battery) && holds
          battery += 1
        } else {
          holds = holds && Self.holds(condition, in: situation)
        }
      }
      if holds, chosen == nil { chosen = index }
    }
    return chosen
  }

  private mutating func updateBatteryCondition(_ level: Double?, below bound: Double, at place: Int) -> Bool {
    let bit: UInt64 = place < 64 ? 1 << UInt64(place) : 0
    let slack = heldBatteryConditions & bit == 0 ? 0 : Self.batterySlack
    let holds = level.map { $0 < bound + slack } ?? false
    if holds { heldBatteryConditions |= bit } else { heldBatteryConditions &= ~bit }
    return holds
  }

  private static func holds(_ condition: PowerSettings.Condition, in situation: PowerSituation) -> Bool {
    switch condition {
    case .charging(let wanted): situation.state.isCharging == wanted
    case .batteryBelow: false  // Has hysteresis, and is evaluated above.
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
      let following = [needs.subscriptions, needs.unfilteredSubscriptions, needs.trackers].map(
        \.significantOnly)
      return (following.reduce(certain) { $0.merged(with: $1) }, reason)
    }
    var reason = PowerDecision.Reason.preset
    var subscriptions = needs.subscriptions, watches = needs.unfilteredSubscriptions,
      trackers = needs.trackers
    trackers.coarsen(to: preset.accuracy)
    watches.coarsen(to: preset.accuracy)
    subscriptions.coarsen(to: preset.accuracy)
    var interval = preset.interval
    if let filters = preset.filters {
      let activity = subscriptions.activity ?? .other
      reason = applyFilters(filters, situation, activity, &subscriptions)
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

  /// Returns the reason why subscriptions and trackers get significant changes only; `nil` where they get more.
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

  private mutating func applyFilters(
    _ filters: PowerPreset.Filters, _ situation: PowerSituation, _ activity: Activity, _ need: inout Demand
  ) -> PowerDecision.Reason {
    let bound = filters.highwaySpeed * (isOnHighway ? Self.highwaySlack : 1)
    isOnHighway = situation.speed.map { $0 >= bound } ?? (situation.motion == .fast)
    let onFoot = [.walking, .running].contains(situation.motion) || [.walk, .run].contains(activity)
    let (filter, reason): (Double, PowerDecision.Reason) =
      if isOnHighway { (filters.highway, .highway) } else if onFoot {
        (filters.walking, .walking)
      } else { (filters.otherwise, .preset) }
    switch situation.motion {
    case .walking: motionActivity = .walk
    case .running: motionActivity = .run
    case .cycling: motionActivity = .bike
    case .driving: motionActivity = .car
    case .fast, .unknown: motionActivity = .other
    // A device that waits at a light keeps its activity.
    case .still, .moving: break
    }
    need.filter(to: filter, activity: activity == .other ? motionActivity : activity)
    return reason
  }
}

// MARK: - Reduced demands

extension Demand {
  fileprivate mutating func change(_ body: (inout Demand.Continuous) -> Void) {
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

  /// Significant changes, where fixes are needed at all.
  fileprivate var significantOnly: Demand { fixes == .off ? .off : .significantChanges }
}
