/// Chooses among several sources: the best that delivers is used, the next steps in where it has no fix, and it is gone
/// back to once it has proved itself again. A source that falls silent is stopped and started.
///
/// A value without clock or task, as the engine: inputs in, effects out. Sources are known by their places, the best
/// first. Instants must not go back.
///
/// - **On** is the first source, and each next one while those before it have no fix: after ``FailoverSettings/patience``
///   where they are still looking, at once where they can't be reached, fall silent or have lost theirs. Once one
///   delivers, those behind it are off again. One that is absent stays asked, for only then it says when it is there.
///   One that stands aside (``StandIn/withoutReceiver``) keeps none of those behind it waiting.
/// - **Used** is the best that delivers. One that was used and lost is used again only after ``FailoverSettings/hold``;
///   where nothing else delivers, at once.
public struct Failover: Sendable {
  /// One of the sources.
  public struct Member: Hashable, Sendable {
    /// What it is called.
    public var name: String
    /// Whether it gives fixes at a steady pace, so that its silence says something.
    public var isSteady: Bool
    /// When it is asked, if it is not the first.
    public var standIn: StandIn

    /// One of the sources.
    public init(name: String, isSteady: Bool = true, standIn: StandIn = .withoutFix) {
      self.name = name
      self.isSteady = isSteady
      self.standIn = standIn
    }
  }

  /// What happens.
  public enum Input: Sendable {
    /// This is needed of the sources from now on. The same again: stop and start.
    case demand(Demand)
    /// One of them says something.
    case signal(Int, SourceSignal)
    /// What was to be looked at by now is to be looked at.
    case wake
  }

  /// What is to be done, in this order.
  public enum Effect: Hashable, Sendable {
    /// Ask this of a source. What it was asked already: it is to stop and start.
    case ask(Int, Demand)
    /// Hand this on.
    case pass(SourceSignal)
    /// Send ``Input/wake`` at this instant and at no other; `nil`: at none.
    case wake(at: Instant?)
  }

  let settings: FailoverSettings
  var members: [FailoverMember]
  var demand = Demand.off
  /// The place of the source whose fixes are used; `nil` where none delivers.
  public internal(set) var used: Int?
  var comparison = SourceComparison()
  var told = Told()

  /// What was said last, to say only what is new.
  struct Told: Sendable {
    var wake: Instant?
    var health: [SourceHealth] = []
    var trouble: SourceTrouble?
    var isRefused = false
    var hasNoHeadings = false
    var isOver = false
  }

  /// Sources of which nothing is asked yet, the best first.
  public init(_ members: [Member], settings: FailoverSettings = FailoverSettings()) {
    self.settings = settings
    self.members = members.map { FailoverMember($0) }
  }

  /// Takes one input and appends what is to be done.
  public mutating func handle(_ input: Input, at now: Instant, into effects: inout [Effect]) {
    var passed: SourceSignal?
    switch input {
    case .demand(let new): take(new, at: now, into: &effects)
    case .signal(let place, let signal):
      guard members.indices.contains(place) else { return }
      members[place].hear(signal, at: now)
      if case .fix(let fix, _) = signal { compare(fix, of: place, at: now) }
      passed = signal
      choose(at: now)
      if !isPassed(signal, from: place) { passed = nil }
    case .wake: break
    }
    lookAtSilence(at: now, into: &effects)
    choose(at: now)
    askMembers(at: now, into: &effects)
    tellPermission(into: &effects)
    tellHealth(into: &effects)
    if case .fix = passed, let used, members[used].takeGap() { effects.append(.pass(.segmentBegan)) }
    if let passed { effects.append(.pass(passed)) }
    tellTrouble(into: &effects)
    setWake(at: now, into: &effects)
  }

  // MARK: Choosing

  /// The best that delivers, unless it has to prove itself and another delivers meanwhile.
  private mutating func choose(at now: Instant) {
    if let used, !members[used].delivers {
      members[used].isOnProbation = true
      self.used = nil
    }
    guard demand != .off else {
      used = nil
      return
    }
    let best = members.indices.first {
      members[$0].delivers
        && (!members[$0].isOnProbation || members[$0].deliveredFor(at: now) >= settings.hold)
    }
    if let best, used.map({ best < $0 }) ?? true {
      used = best
    } else if used == nil {
      used = members.indices.first { members[$0].delivers }
    }
    if let used { members[used].isOnProbation = false }
  }

  private func isPassed(_ signal: SourceSignal, from place: Int) -> Bool {
    switch signal {
    case .fix: place == used
    case .heading: place == members.indices.first { members[$0].givesHeadings }
    case .satellites: place == used ?? members.indices.first { members[$0].isLooking }
    case .headingsUnavailable, .authorization, .segmentBegan, .unavailable, .failed, .sources, .ended: false
    }
  }

  private mutating func compare(_ fix: Fix, of place: Int, at now: Instant) {
    guard members[place].delivers else { return }
    for other in members.indices where other != place && members[other].delivers {
      guard let last = members[other].last else { continue }
      let found = comparison.compare(fix, of: place, with: last, of: other, at: now)
      for (one, another) in [(place, other), (other, place)] {
        let name = members[another].name
        if let found {
          // Told once, with the figures it began with: else each fix would be news.
          if members[one].contradiction?.other != name {
            members[one].contradiction = SourceContradiction(
              other: name, distance: found.distance, allowed: found.allowed)
          }
        } else if members[one].contradiction?.other == name, !comparison.isDoubtful(place, other) {
          members[one].contradiction = nil
        }
      }
    }
  }

  // MARK: Asking

  private mutating func take(_ new: Demand, at now: Instant, into effects: inout [Effect]) {
    let isAgain = new == demand && new != .off
    // Whoever asks anew is to hear anew why there is nothing.
    if isAgain || demand == .off { (told.isRefused, told.trouble) = (false, nil) }
    demand = new
    if new == .off { comparison.forget() }
    guard isAgain else { return }
    for place in members.indices where members[place].isAsked {
      members[place].forgetRefusal()
      members[place].noteRestart(at: now)
      effects.append(.ask(place, members[place].asked))
    }
  }

  private mutating func lookAtSilence(at now: Instant, into effects: inout [Effect]) {
    for place in members.indices {
      members[place].noteStaleness(at: now)
      if let due = members[place].restartAt(settings), due <= now {
        members[place].noteRestart(at: now)
        effects.append(.ask(place, members[place].asked))
      }
    }
  }

  private mutating func askMembers(at now: Instant, into effects: inout [Effect]) {
    for place in members.indices {
      // A better one that is off stands aside for the receiver of another: nobody waits for it.
      let isNeeded = members[..<place].allSatisfy {
        !$0.isAsked || $0.letsNextIn(members[place].standIn, settings, at: now)
      }
      // One that is used stays on until a better one has proved itself, and none that was asked is stopped for one that
      // has not delivered yet.
      let isKept = members[place].isAsked && used.map { place <= $0 } ?? true
      let isOn = demand != .off && (isNeeded || isKept || settings.comparesAlways)
      let wanted = isOn ? demand : .off
      if members[place].ask(wanted, at: now) { effects.append(.ask(place, wanted)) }
    }
  }

  // MARK: Waking

  private mutating func setWake(at now: Instant, into effects: inout [Effect]) {
    var next: Instant?
    func consider(_ instant: Instant?) {
      guard let instant, instant > now else { return }
      next = next.map { min($0, instant) } ?? instant
    }
    if demand != .off {
      for place in members.indices {
        let member = members[place]
        consider(member.staleAt)
        consider(member.restartAt(settings))
        if member.isLooking, !members[place...].allSatisfy(\.isAsked) {
          consider(member.patienceEnd(settings))
        }
        if member.delivers, member.isOnProbation { consider(member.provedAt(settings)) }
      }
    }
    // One that comes too early does no harm, and each fix would put it off.
    if let next, let wake = told.wake, wake > now, wake <= next { return }
    guard next != told.wake else { return }
    told.wake = next
    effects.append(.wake(at: next))
  }
}
