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
  /// The lead of the last decision's time over the clock of the run; `nil` where the time was unknown.
  private var timeOffset: Duration?
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

  /// Whether a decision may depend on the time of day.
  var dependsOnTime: Bool { policy.dependsOnTime }

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
  ///   - time: the time of day, where ``dependsOnTime``; `nil` where it is unknown.
  mutating func isDue(
    needs: Int, fences: Demand, motion: Motion, speed: Double?, inside: UInt64, time: UTCTime?,
    at now: Instant
  ) -> Bool {
    var new = DecisionInputs(needs: needs, fences: fences, inside: inside)
    if policy.dependsOnMotion {
      new.motion = motion
      new.isFast = policy.isHighway(speed)
    }
    if isStale || new != lastInputs { isStale = true }
    if let look = nextCheck, look <= now { isStale = true }
    // The instant of the next check is wrong once the clock is set.
    if dependsOnTime, hasTimeStepped(to: time, at: now) { isStale = true }
    lastInputs = new
    return isStale
  }

  private func hasTimeStepped(to time: UTCTime?, at now: Instant) -> Bool {
    guard let before = timeOffset, let offset = Moment(instant: now, wall: time).wallOffset else {
      return (timeOffset == nil) != (time == nil)
    }
    let step = offset - before
    return step > Self.timeTolerance || step < .zero - Self.timeTolerance
  }

  /// The change of the clock up to which a decision stays. Hours count in minutes, and the fixes of one source arrive
  /// with different delays: the demand must not change with each of them.
  private static let timeTolerance = Duration.seconds(60)

  /// Decides anew.
  ///
  /// - Returns: the decision, where it is worth reporting.
  mutating func decide(_ situation: PowerSituation, at now: Instant) -> PowerDecision? {
    isStale = false
    timeOffset = Moment(instant: now, wall: situation.time).wallOffset
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
