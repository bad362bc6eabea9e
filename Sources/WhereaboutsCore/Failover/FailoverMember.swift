/// What is known of one source among several.
struct FailoverMember: Sendable {
  /// How many of its usual intervals a source may be silent before its fixes are stale.
  private static let usualIntervals = 3
  /// A source is not stale sooner than this.
  private static let shortestStaleness = Duration.seconds(3)
  /// A rate of fixes is not learnt from further apart.
  private static let longestInterval = Duration.seconds(60)

  let name: String
  let isSteady: Bool
  let standIn: StandIn

  private(set) var asked = Demand.off
  private(set) var state = SourceHealth.State.off
  private(set) var stateSince = Instant.start
  /// Since when it has had no fix while one was wanted.
  private var lackSince = Instant.start
  private(set) var trouble: SourceTrouble?
  private(set) var authorization: Authorization?
  /// When it was asked, or heard of last.
  private(set) var heard = Instant.start
  private(set) var restarts = 0
  /// It was used and lost: it has to prove itself before it is used again.
  var isOnProbation = false
  /// It has told all it had.
  private(set) var isOver = false
  /// It gave up until it is asked again, or was refused and does not notice when that changes.
  private(set) var hasGivenUp = false
  private(set) var givesHeadings = false
  private(set) var headingTrouble: SourceTrouble?
  private(set) var last: (fix: Fix, at: Instant)?
  private var usual: Duration?
  /// The next fix does not go on from the last: told with the first one that is used.
  private var hasGap = false
  var contradiction: SourceContradiction?

  init(_ member: Failover.Member) {
    name = member.name
    isSteady = member.isSteady
    standIn = member.standIn
  }

  var isAsked: Bool { asked != .off }
  var delivers: Bool { state == .ok }

  /// Whether it can't even begin: there is nothing at the other end, or it may not be used.
  var isAbsent: Bool {
    if isOver || isRefused { return true }
    guard let trouble, state == .failed else { return false }
    return [.unreachable, .noReceiver, .notPermitted, .unreadable, .unusable].contains(trouble.code)
  }

  /// Whether it can be reached, and says that its receiver is silent.
  private var hasSilentReceiver: Bool { state == .noFix && trouble?.code == .silent }

  var isRefused: Bool { authorization?.isRefused ?? false }
  var hasNoHeadings: Bool { headingTrouble != nil }
  /// Whether it may yet come to a fix by itself.
  var isLooking: Bool { state == .connecting || state == .noFix }

  /// - Returns: whether it has to be told.
  mutating func ask(_ demand: Demand, at now: Instant) -> Bool {
    guard demand != asked else { return false }
    let wasAsked = isAsked
    asked = demand
    if !isAsked {
      become(.off, nil, at: now)
      (last, usual, restarts, isOnProbation, contradiction) = (nil, nil, 0, false, nil)
    } else if !wasAsked {
      forgetRefusal()
      become(isRefused || isOver ? .failed : .connecting, isOver ? trouble : nil, at: now)
      heard = now
    }
    return true
  }

  mutating func hear(_ signal: SourceSignal, at now: Instant) {
    heard = now
    switch signal {
    case .fix(let fix, _):
      if authorization != nil { authorization = nil }
      hasGivenUp = false
      restarts = 0
      if let last {
        let interval = min(now.since(last.at), Self.longestInterval)
        usual = usual.map { ($0 * 3 + interval) / 4 } ?? interval
      }
      last = (fix, now)
      // One that comes after it was told to stop is none that somebody waits for.
      if isAsked, state != .ok { become(.ok, nil, at: now) }
    case .unavailable(let trouble):
      hasGivenUp = false
      let isFar = [.unreachable, .noReceiver, .inUse, .unusable, .unreadable, .notPermitted].contains(
        trouble.code)
      if isAsked { become(isFar ? .failed : .noFix, trouble, at: now) }
    case .failed(let trouble):
      hasGivenUp = true
      if isAsked { become(.failed, trouble, at: now) }
    case .authorization(let new):
      authorization = new
      hasGivenUp = new.isRefused && !new.noticesChanges
      guard isAsked else { return }
      if new.isRefused {
        become(.failed, SourceTrouble(.notPermitted, message: "use \(name)", remedy: new.remedy), at: now)
      } else if state == .failed, trouble?.code == .notPermitted {
        become(.connecting, nil, at: now)
      }
    case .headingsUnavailable(let trouble): (givesHeadings, headingTrouble) = (false, trouble)
    case .heading: (givesHeadings, headingTrouble) = (true, nil)
    case .segmentBegan: hasGap = true
    case .ended:
      isOver = true
      if isAsked { become(.failed, trouble, at: now) }
    case .satellites:
      if state == .connecting { become(.noFix, nil, at: now) }
    case .sources: break
    }
  }

  private mutating func become(_ new: SourceHealth.State, _ why: SourceTrouble?, at now: Instant) {
    if new != state || why?.code != trouble?.code { stateSince = now }
    if state == .ok || state == .off, new != .ok { lackSince = now }
    if new != .ok { contradiction = nil }
    state = new
    trouble = why
  }

  // MARK: Silence

  /// How long it may be silent before its fixes are stale; `nil` where silence says nothing.
  private var staleness: Duration? {
    guard isSteady, case .continuous(let demand) = asked.fixes, demand.distanceFilter == 0 else { return nil }
    let usual = max(usual ?? .seconds(1), demand.interval)
    return max(Self.shortestStaleness, usual * Self.usualIntervals)
  }

  /// When the fixes become stale if none comes until then.
  var staleAt: Instant? {
    guard state == .ok, let staleness, let last else { return nil }
    return last.at.advanced(by: staleness)
  }

  private var fellSilent: SourceTrouble {
    SourceTrouble(
      .silent, message: "hear from \(name): it gave fixes, and gives none any more",
      remedy: "Check its cable and its view of the sky; it is stopped and started if it stays silent.")
  }

  mutating func noteStaleness(at now: Instant) {
    guard let staleAt, staleAt <= now else { return }
    become(.stale, fellSilent, at: now)
  }

  /// When it is to be stopped and started if it stays silent until then: who has said why it can't deliver is not silent.
  func restartAt(_ settings: FailoverSettings) -> Instant? {
    guard let silence = settings.silence, isAsked, !isOver,
      hasGivenUp || state == .connecting || isSteady && state == .stale
    else { return nil }
    // A source that has just been asked looks for the reason itself, and a restart would make it begin anew.
    let borne = state == .connecting ? silence + silence / 2 : max(silence, staleness ?? .zero)
    return heard.advanced(
      by: max(borne, min(borne * (1 << min(restarts, 16)), settings.longestSilence)))
  }

  mutating func noteRestart(at now: Instant) {
    heard = now
    restarts += 1
  }

  /// Somebody asks anew, so that it looks again whether it may.
  mutating func forgetRefusal() {
    if isRefused { authorization = nil }
  }

  // MARK: Proving itself

  func deliveredFor(at now: Instant) -> Duration { delivers ? now.since(stateSince) : .zero }

  func provedAt(_ settings: FailoverSettings) -> Instant { stateSince.advanced(by: settings.hold) }

  /// - Returns: whether its next fix does not go on from the last that was used, which is then no news any more.
  mutating func takeGap() -> Bool {
    defer { hasGap = false }
    return hasGap
  }

  // MARK: Standing in

  /// Whether the next one may have to step in for it.
  func letsNextIn(_ next: StandIn, _ settings: FailoverSettings, at now: Instant) -> Bool {
    if isAbsent { return true }
    guard next == .withoutFix else { return hasSilentReceiver }
    switch state {
    case .ok: return false
    case .failed, .stale: return true
    case .noFix, .connecting, .off: return patienceEnd(settings) <= now
    }
  }

  /// Until when the next one waits for it where it has no fix yet.
  func patienceEnd(_ settings: FailoverSettings) -> Instant { lackSince.advanced(by: settings.patience) }

  func health(isUsed: Bool) -> SourceHealth {
    SourceHealth(
      name: name, state: state, since: Moment(instant: stateSince, wall: nil), trouble: trouble,
      isUsed: isUsed, restarts: restarts, contradiction: contradiction)
  }
}
