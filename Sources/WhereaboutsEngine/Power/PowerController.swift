import WhereaboutsModel

/// An engine's power policy and its last decision. Each input is checked; the policy decides anew only where the
/// inputs of the decision have changed.
struct PowerController: Sendable {
  /// The inputs of a decision, except its numbers that change with each fix.
  private struct DecisionInputs: Equatable {
    var needs = -1
    var fences = Demand.off
    var motion = Motion.unknown
    var isFast = false
    /// The fences named in rules that the device is inside of, a bit for each.
    var inside: UInt64 = 0
  }

  private var policy: PowerPolicy
  private var lastInputs = DecisionInputs()
  /// The host's last reported power state.
  var state = PowerState.unknown {
    didSet { if state != oldValue { isStale = true } }
  }
  private var isStale = true
  /// The last decision.
  private(set) var current: PowerDecision
  /// The instant at which time alone changes the decision.
  private(set) var nextCheck: Instant?
  /// Whether no demand can be or has been reduced.
  private(set) var isUnrestricted = false

  init(_ settings: PowerSettings) {
    policy = PowerPolicy(settings)
    current = PowerDecision(demand: .off, preset: settings.preset.name)
    isUnrestricted = policy.isUnrestricted(in: state)
  }

  /// The fences named in rules.
  var fences: [FenceID] { policy.fences }

  /// Updates the host's power state.
  mutating func update(_ new: PowerState) {
    state = new
    isUnrestricted = policy.isUnrestricted(in: new) && current.reason == .asAsked
  }

  /// Returns whether a new decision is due; costs a few comparisons.
  ///
  /// - Parameters:
  ///   - needs: the version of the needs.
  ///   - speed: the speed of the last fix.
  ///   - inside: the fences named in rules that the device is inside of, a bit for each.
  mutating func isDue(
    needs: Int, fences: Demand, motion: Motion, speed: Double?, inside: UInt64, at now: Instant
  ) -> Bool {
    var new = DecisionInputs(needs: needs, fences: fences, inside: inside)
    if policy.dependsOnMotion {
      new.motion = motion
      new.isFast = policy.isHighway(speed)
    }
    if isStale || new != lastInputs { isStale = true }
    if let look = nextCheck, look <= now { isStale = true }
    lastInputs = new
    return isStale
  }

  /// Decides anew.
  ///
  /// - Returns: the decision, where it is worth reporting.
  mutating func decide(_ situation: PowerSituation, at now: Instant) -> PowerDecision? {
    isStale = false
    let new = policy.decide(situation)
    let isNews = new.isReportable(after: current)
    current = new
    let isNeeded = situation.needs != DemandByConsumerClass()
    nextCheck = isNeeded ? policy.nextChange(after: situation).map { now.advanced(by: $0) } : nil
    isUnrestricted = policy.isUnrestricted(in: state) && new.reason == .asAsked
    // The speed at which highway driving ends differs from the speed at which it begins.
    lastInputs.isFast = policy.isHighway(situation.speed)
    return isNews ? new : nil
  }

  /// Sets the demand without any reduction.
  mutating func setUnrestrictedDemand(_ demand: Demand) { current.demand = demand }
}
