public import WhereaboutsModel

/// A failover among several sources: the best source that delivers is used, and a silent source is restarted.
///
/// A failover is a value without clock or task, like the engine: inputs in, effects out. Sources are identified by
/// their index, the best first. Instants must not go back.
///
/// Which sources are on:
///
/// - `Failover` turns the first source on.
/// - It turns the next source on when every better source has no fix: after ``FailoverSettings/patience`` while those
///   sources search; at once if they are unreachable, silent or lost their fix.
/// - It also turns the next source on for headings where every better source has no compass, until the source reports
///   that it has none either.
/// - Once a source delivers, `Failover` turns the sources behind it off again, except for headings.
/// - An absent source keeps its demand, because it reports its return only with a demand.
/// - A source with ``FallbackCondition/withoutReceiver`` delays none of the sources behind it.
///
/// Which source is used:
///
/// - `Failover` uses the best source that delivers.
/// - A source that was used and lost is used again only after it has delivered for ``FailoverSettings/hold``; at once
///   if no other source delivers.
/// - A source's new segment begins one of the forwarded fixes only if no other source's fix was forwarded since the
///   source's own last one.
public struct Failover: Sendable {
  /// One of the sources.
  public struct Member: Hashable, Sendable {
    /// The name of the source.
    public var name: String
    /// Whether the source gives fixes at a steady rate, so that its silence is evidence.
    public var isSteady: Bool
    /// The condition under which the source is switched on, if it is not the first.
    public var fallbackCondition: FallbackCondition

    /// Creates a source.
    public init(name: String, isSteady: Bool = true, fallbackCondition: FallbackCondition = .withoutFix) {
      self.name = name
      self.isSteady = isSteady
      self.fallbackCondition = fallbackCondition
    }
  }

  /// An input of the failover.
  public enum Input: Sendable {
    /// The demand on the sources from now on. The same demand again restarts them.
    case demand(Demand)
    /// A signal from the source at an index.
    case signal(Int, SourceSignal)
    /// A deadline may have passed.
    case wake
  }

  /// An effect, in the order of execution.
  public enum Effect: Hashable, Sendable {
    /// Send this demand to the source at an index. An unchanged demand restarts the source.
    case demand(Int, Demand)
    /// Forward this signal.
    case forward(SourceSignal)
    /// Send ``Input/wake`` at this instant and at no other; `nil`: at none.
    case wake(at: Instant?)
  }

  let settings: FailoverSettings
  var members: [FailoverMember]
  var demand = Demand.off
  /// The index of the source whose fixes are used; `nil` where none delivers.
  public internal(set) var used: Int?
  /// The index of the source whose fix was forwarded last since the demand began; `nil` before the first.
  private var lastForwarded: Int?
  var comparison = SourceComparison()
  var reported = Reported()

  /// The values that were last reported, so that only changes are reported.
  struct Reported: Sendable {
    var wake: Instant?
    var health: [SourceHealth] = []
    var problem: SourceProblem?
    var isRefused = false
    /// Whether a refusal was reported and is checked again: the engine does not know the permission then.
    var isCheckedAgain = false
    var hasNoHeadings = false
    var hasEnded = false
  }

  /// Creates a failover of sources without a demand, the best first.
  public init(_ members: [Member], settings: FailoverSettings = FailoverSettings()) {
    self.settings = settings
    self.members = members.map { FailoverMember($0) }
  }

  /// Processes one input and appends its effects.
  public mutating func handle(_ input: Input, at now: Instant, into effects: inout [Effect]) {
    var passed: SourceSignal?
    switch input {
    case .demand(let new): setDemand(new, at: now, into: &effects)
    case .signal(let place, let signal):
      guard members.indices.contains(place) else { return }
      if case .authorization(let new) = signal, members[place].consumeRetry(), new.isRefused {
        reported.isRefused = false
      }
      members[place].receive(signal, at: now)
      if case .fix(let fix, _) = signal { compare(fix, of: place, at: now) }
      passed = signal
      selectSource(at: now)
      if !isForwarded(signal, from: place) { passed = nil }
      if case .satellites = passed { members[place].consumeSatellites() }
    case .wake: break
    }
    checkSilence(at: now, into: &effects)
    selectSource(at: now)
    updateMemberDemands(at: now, into: &effects)
    // A denial ends requests, and their results state the health of each source.
    reportHealth(into: &effects)
    reportAuthorization(into: &effects)
    if case .fix = passed, let used {
      // A gap in one source's fixes is none in the track if another source's fixes were forwarded meanwhile.
      let isBridged = lastForwarded.map { $0 != used } ?? false
      if members[used].consumeGap(), !isBridged { effects.append(.forward(.segmentBegan)) }
      lastForwarded = used
      if let view = members[used].consumeSatellites() { effects.append(.forward(.satellites(view))) }
    }
    if let passed { effects.append(.forward(passed)) }
    reportProblem(into: &effects)
    scheduleWake(at: now, into: &effects)
  }

  // MARK: Selection

  /// Selects the best source that delivers, unless it is on probation and another delivers meanwhile.
  private mutating func selectSource(at now: Instant) {
    if let used, !members[used].isDelivering {
      members[used].isOnProbation = true
      self.used = nil
    }
    guard demand != .off else {
      used = nil
      return
    }
    let best = members.indices.first {
      members[$0].isDelivering
        && (!members[$0].isOnProbation || members[$0].deliveryDuration(at: now) >= settings.hold)
    }
    if let best, used.map({ best < $0 }) ?? true {
      used = best
    } else if used == nil {
      used = members.indices.first { members[$0].isDelivering }
    }
    if let used { members[used].isOnProbation = false }
  }

  private func isForwarded(_ signal: SourceSignal, from place: Int) -> Bool {
    switch signal {
    case .fix: place == used
    case .heading: place == members.indices.first { members[$0].providesHeadings }
    case .satellites: place == used ?? members.indices.first { members[$0].isSearching }
    case .headingsUnavailable, .authorization, .segmentBegan, .unavailable, .failed, .sources, .ended: false
    // The regions of one source among many are not watched.
    case .wakeCapacity, .woke: false
    }
  }

  private mutating func compare(_ fix: Fix, of place: Int, at now: Instant) {
    guard members[place].isDelivering else { return }
    for other in members.indices where other != place && members[other].isDelivering {
      guard let last = members[other].last else { continue }
      let found = comparison.compare(fix, of: place, with: last, of: other, at: now)
      for (one, another) in [(place, other), (other, place)] {
        let name = members[another].name
        if let found {
          // Reported once, with its first figures: else each fix would cause a report.
          if members[one].contradiction?.other != name {
            members[one].contradiction = SourceHealth.Contradiction(
              other: name, distance: found.distance, allowed: found.allowed)
          }
        } else if members[one].contradiction?.other == name, !comparison.isContradicted(place, other) {
          members[one].contradiction = nil
        }
      }
    }
  }

  // MARK: Demands

  private mutating func setDemand(_ new: Demand, at now: Instant, into effects: inout [Effect]) {
    let new = new.withoutRegions
    let isAgain = new == demand && new != .off
    // A new demand repeats the report of a missing authorization or a problem.
    if isAgain || demand == .off {
      if reported.isRefused { reported.isCheckedAgain = true }
      (reported.isRefused, reported.problem) = (false, nil)
    }
    demand = new
    if new == .off {
      comparison.reset()
      lastForwarded = nil
    }
    guard new != .off else { return }
    for place in members.indices where members[place].isActive {
      if isAgain {
        members[place].clearRefusal()
        members[place].recordRestart(at: now)
        effects.append(.demand(place, members[place].currentDemand))
      }
      if members[place].recordRetry(at: now) { reported.problem = nil }
    }
  }

  private mutating func checkSilence(at now: Instant, into effects: inout [Effect]) {
    for place in members.indices {
      members[place].recordStaleness(at: now)
      if let due = members[place].restartTime(settings), due <= now {
        members[place].recordRestart(at: now)
        effects.append(.demand(place, members[place].currentDemand))
      }
    }
  }

  private mutating func updateMemberDemands(at now: Instant, into effects: inout [Effect]) {
    for place in members.indices {
      // The used source stays on until a better one has ended its probation. No source is stopped for one that has
      // not delivered yet.
      let isKept = members[place].isActive && used.map { place <= $0 } ?? true
      let isOn = demand != .off && (isNeeded(place, at: now) || isKept || settings.comparesAlways)
      let wanted = isOn ? demand : .off
      if members[place].setDemand(wanted, at: now) { effects.append(.demand(place, wanted)) }
    }
  }

  /// Returns whether all better sources have no fix or, for a demand for headings, no compass.
  private func isNeeded(_ place: Int, at now: Instant) -> Bool {
    let member = members[place], condition = member.fallbackCondition
    // A better source that is off leaves the receiver to another source: no source waits for it.
    let better = members[..<place]
    if better.allSatisfy({ !$0.isActive || $0.allowsFallback(condition, settings, at: now) }) { return true }
    guard demand.headings != nil, !member.hasNoHeadings, condition == .withoutFix else { return false }
    return better.allSatisfy {
      !$0.isActive || $0.hasNoHeadings
        || !$0.providesHeadings && $0.allowsFallback(condition, settings, at: now)
    }
  }

  // MARK: Deadlines

  private mutating func scheduleWake(at now: Instant, into effects: inout [Effect]) {
    var next: Instant?
    func consider(_ instant: Instant?) {
      guard let instant, instant > now else { return }
      next = next.map { min($0, instant) } ?? instant
    }
    if demand != .off {
      for place in members.indices {
        let member = members[place]
        consider(member.staleAt)
        consider(member.restartTime(settings))
        if member.isSearching, !members[place...].allSatisfy(\.isActive) {
          consider(member.fallbackTime(settings))
        }
        if member.isDelivering, member.isOnProbation { consider(member.probationEnd(settings)) }
      }
    }
    // A wake that is too early does no harm, and each fix would postpone it.
    if let next, let wake = reported.wake, wake > now, wake <= next { return }
    guard next != reported.wake else { return }
    reported.wake = next
    effects.append(.wake(at: next))
  }
}
