import WhereaboutsModel

/// The state of one source of a failover.
struct FailoverMember: Sendable {
  /// The number of usual intervals without a fix after which a source's fixes are stale.
  private static let usualIntervals = 3
  /// The shortest silence after which fixes are stale.
  private static let shortestStaleness = Duration.seconds(3)
  /// The longest interval from which a usual interval is learnt.
  private static let longestInterval = Duration.seconds(60)

  let name: String
  let isSteady: Bool
  let fallbackCondition: FallbackCondition

  private(set) var currentDemand = Demand.off
  private(set) var state = SourceHealth.State.off
  private(set) var stateSince = Instant.start
  /// The instant since which the source has had no fix while it has a demand.
  private var withoutFixSince = Instant.start
  private(set) var problem: SourceProblem?
  private(set) var authorization: Authorization?
  /// The instant of the last demand or signal.
  private(set) var lastContact = Instant.start
  private(set) var restarts = 0
  /// Whether the source was used and lost, and must deliver for a while before it is used again.
  var isOnProbation = false
  /// Whether the source has ended.
  private(set) var hasEnded = false
  /// Whether the source gave up until its next demand, or was refused and does not report changes.
  private(set) var hasGivenUp = false
  /// Whether the source was refused when a demand made it try again, and has not reported its authorization since.
  private var wasRefusedBeforeRetry = false
  private(set) var providesHeadings = false
  private(set) var headingProblem: SourceProblem?
  private(set) var last: (fix: Fix, at: Instant)?
  private var usualInterval: Duration?
  private var lastInterval: Duration?
  /// Whether the next fix begins a new segment; reported with the first fix that is used.
  private var hasGap = false
  /// The satellites that were not forwarded; reported with the first fix that is used.
  private var pendingSatellites: SatellitesInView?
  var contradiction: SourceHealth.Contradiction?

  init(_ member: Failover.Member) {
    name = member.name
    isSteady = member.isSteady
    fallbackCondition = member.fallbackCondition
  }

  var isActive: Bool { currentDemand != .off }
  var isDelivering: Bool { state == .ok }
  /// Whether the source can be reached, with a fix or without.
  var isReached: Bool { state == .ok || state == .noFix }

  /// Whether the source can't even begin: it is unreachable or not allowed.
  var isUnavailable: Bool {
    if hasEnded || isRefused { return true }
    guard let problem, state == .failed else { return false }
    return [.unreachable, .noReceiver, .notPermitted, .unreadable, .unusable].contains(problem.code)
  }

  /// Whether the source can be reached, and reports that its receiver is silent.
  private var hasSilentReceiver: Bool { state == .noFix && problem?.code == .silent }

  var isRefused: Bool { authorization?.isRefused ?? false }
  var hasNoHeadings: Bool { headingProblem != nil }
  /// The reason why the source gives no headings: a problem other than a missing position, or no compass.
  var headingObstacle: SourceProblem? {
    if let problem, problem.code != .noPosition { return problem }
    return headingProblem
  }
  /// Whether the source may yet find a fix by itself.
  var isSearching: Bool { state == .connecting || state == .noFix }

  /// Sets the demand.
  ///
  /// - Returns: whether the source has to receive the demand.
  mutating func setDemand(_ demand: Demand, at now: Instant) -> Bool {
    guard demand != currentDemand else { return false }
    let wasAsked = isActive
    currentDemand = demand
    if !isActive {
      setState(.off, nil, at: now)
      (last, usualInterval, lastInterval) = (nil, nil, nil)
      (restarts, isOnProbation, contradiction) = (0, false, nil)
      pendingSatellites = nil
      wasRefusedBeforeRetry = false
    } else if !wasAsked {
      clearRefusal()
      setState(isRefused || hasEnded ? .failed : .connecting, hasEnded ? problem : nil, at: now)
      lastContact = now
    }
    return true
  }

  mutating func receive(_ signal: SourceSignal, at now: Instant) {
    lastContact = now
    switch signal {
    case .fix(let fix, _):
      if authorization != nil { authorization = nil }
      hasGivenUp = false
      wasRefusedBeforeRetry = false
      restarts = 0
      if let last {
        let interval = min(now.since(last.at), Self.longestInterval)
        // An interval with a problem is usual only if the one before was as long, as of a source that sends seldom.
        let hadProblem = state != .ok && state != .stale
        let usual = hadProblem ? min(interval, lastInterval ?? interval) : interval
        usualInterval = usualInterval.map { ($0 * 3 + usual) / 4 } ?? usual
        lastInterval = interval
      }
      last = (fix, now)
      // A fix that arrives after the source was stopped does not count.
      if isActive, state != .ok { setState(.ok, nil, at: now) }
    case .unavailable(let problem):
      hasGivenUp = false
      let isFar = [.unreachable, .noReceiver, .inUse, .unusable, .unreadable, .notPermitted].contains(
        problem.code)
      if isActive { setState(isFar ? .failed : .noFix, problem, at: now) }
    case .failed(let problem):
      hasGivenUp = true
      if isActive { setState(.failed, problem, at: now) }
    case .authorization(let new):
      authorization = new
      hasGivenUp = new.isRefused && !new.noticesChanges
      guard isActive else { return }
      if new.isRefused {
        setState(.failed, SourceProblem(.notPermitted, message: "use \(name)", remedy: new.remedy), at: now)
      } else if state == .failed, problem?.code == .notPermitted {
        setState(.connecting, nil, at: now)
      }
    case .headingsUnavailable(let problem): (providesHeadings, headingProblem) = (false, problem)
    case .heading: (providesHeadings, headingProblem) = (true, nil)
    case .segmentBegan: hasGap = true
    case .ended:
      hasEnded = true
      if isActive { setState(.failed, problem, at: now) }
    case .satellites(let view):
      if isActive { pendingSatellites = view }
      if state == .connecting { setState(.noFix, nil, at: now) }
    case .sources, .wakeCapacity, .woke: break
    }
  }

  private mutating func setState(_ new: SourceHealth.State, _ newProblem: SourceProblem?, at now: Instant) {
    if new != state || newProblem?.code != problem?.code { stateSince = now }
    if state == .ok || state == .off, new != .ok { withoutFixSince = now }
    if new != .ok { contradiction = nil }
    state = new
    problem = newProblem
  }

  // MARK: Silence

  /// The silence after which the source's fixes are stale; `nil` where silence is no evidence.
  private var staleness: Duration? {
    guard isSteady, case .continuous(let demand) = currentDemand.fixes, demand.distanceFilter == 0 else {
      return nil
    }
    let usual = max(usualInterval ?? .seconds(1), demand.interval)
    return max(Self.shortestStaleness, usual * Self.usualIntervals)
  }

  /// The instant at which the fixes become stale if none arrives until then.
  var staleAt: Instant? {
    guard state == .ok, let staleness, let last else { return nil }
    return last.at.advanced(by: staleness)
  }

  private var silenceProblem: SourceProblem {
    guard usualInterval != nil else {
      return SourceProblem(
        .silent, message: "hear more from \(name) yet: it gave one fix",
        remedy: "Wait, if it gives fixes seldom: its interval is known from the second fix. "
          + "Otherwise check its cable and its view of the sky.")
    }
    return SourceProblem(
      .silent, message: "hear from \(name): it gave fixes, and gives none any more",
      remedy: "Check its cable and its view of the sky; it is stopped and started if it stays silent.")
  }

  mutating func recordStaleness(at now: Instant) {
    guard let staleAt, staleAt <= now else { return }
    setState(.stale, silenceProblem, at: now)
  }

  /// Returns the instant at which a silent source is restarted; a source that has reported a problem is not silent.
  func restartTime(_ settings: FailoverSettings) -> Instant? {
    guard let silence = settings.silence, isActive, !hasEnded,
      hasGivenUp || state == .connecting || isSteady && state == .stale
    else { return nil }
    // A source with a new demand finds its own problem, and a restart would make it begin anew.
    let borne = state == .connecting ? silence + silence / 2 : max(silence, staleness ?? .zero)
    return lastContact.advanced(
      by: max(borne, min(borne * (1 << min(restarts, 16)), settings.longestSilence)))
  }

  mutating func recordRestart(at now: Instant) {
    lastContact = now
    restarts += 1
  }

  /// Records that a demand makes a source try again that has given up. The old result would end the requests that the
  /// demand is for. A refusal holds until the source reports the result.
  ///
  /// - Returns: whether the source had failed, and its next failure is reported again.
  mutating func recordRetry(at now: Instant) -> Bool {
    guard hasGivenUp, state == .failed, !hasEnded else { return false }
    guard !isRefused else {
      wasRefusedBeforeRetry = true
      return false
    }
    hasGivenUp = false
    lastContact = now
    setState(.connecting, nil, at: now)
    return true
  }

  /// Returns whether a refused source was made to try again since it last reported its authorization, and forgets it.
  mutating func consumeRetry() -> Bool {
    defer { wasRefusedBeforeRetry = false }
    return wasRefusedBeforeRetry
  }

  /// Clears the refusal, so that a new demand makes the source check the authorization again.
  mutating func clearRefusal() {
    if isRefused { authorization = nil }
  }

  // MARK: Probation

  func deliveryDuration(at now: Instant) -> Duration { isDelivering ? now.since(stateSince) : .zero }

  func probationEnd(_ settings: FailoverSettings) -> Instant { stateSince.advanced(by: settings.hold) }

  /// Clears the mark of a new segment.
  ///
  /// - Returns: whether the source's next fix does not continue the source's last used one.
  mutating func consumeGap() -> Bool {
    defer { hasGap = false }
    return hasGap
  }

  /// Returns the satellites that were not forwarded, and forgets them. A source sends unchanged satellites only once.
  @discardableResult
  mutating func consumeSatellites() -> SatellitesInView? {
    defer { pendingSatellites = nil }
    return pendingSatellites
  }

  // MARK: Fallback

  /// Returns whether the next source may have to be switched on.
  func allowsFallback(_ next: FallbackCondition, _ settings: FailoverSettings, at now: Instant) -> Bool {
    if isUnavailable { return true }
    guard next == .withoutFix else { return hasSilentReceiver }
    switch state {
    case .ok: return false
    case .failed, .stale: return true
    case .noFix, .connecting, .off: return fallbackTime(settings) <= now
    }
  }

  /// Returns the instant until which the next source waits while this one has no fix.
  func fallbackTime(_ settings: FailoverSettings) -> Instant {
    withoutFixSince.advanced(by: settings.patience)
  }

  func health(isUsed: Bool) -> SourceHealth {
    SourceHealth(
      name: name, state: state, since: Moment(instant: stateSince, wall: nil), problem: problem,
      isUsed: isUsed, restarts: restarts, contradiction: contradiction)
  }
}
