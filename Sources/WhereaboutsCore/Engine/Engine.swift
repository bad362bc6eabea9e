/// All judgement of Whereabouts: inputs in, effects out.
///
/// A value without clock, task, file or random number. Time comes with each input and never goes back; the same inputs
/// give the same effects, on every platform and at any speed. What it can't know it says, and never makes up.
///
/// **The order of things** for a fix, which the effects keep: validity, then whether the device can have come
/// there, then how it moves, then requests (those it answers, then those it settles, each in the order they were made,
/// then the progress of those that are followed), then subscriptions (those to fixes, to significant changes, to visits,
/// to fixes worth keeping, trackers, each in the order they were made), then fences, then how things stand, then what
/// fences need, then how much of all that is needed power allows, then what is asked of the person, then of the source,
/// then the next wake. Deadlines that have come by the time of an input end before the input
/// is looked at, so a fix can't answer a request whose time was up. A fix that validity refused because it came late or
/// twice is still offered to the trackers and to the fences, and to these one that the device can't have come to, too.
///
/// - Complexity: a fix costs the levels and settling times that someone waits for, plus the requests it ends, plus the
///   subscriptions, plus the fences that are near; adding and ending a request O(log n). Handling a fix allocates nothing
///   where it ends no request and nothing happens at a fence.
public struct Engine: Sendable {
  var gate = ValidityGate()
  var outliers: OutlierTest
  var best = BestFix()
  var calm = CalmWatch()
  /// How the device moves; `nil` where nobody is to know.
  var motionWatch: MotionWatch?
  /// The last fix that was used, for whoever comes next and asks for it.
  var last: TimedFix?
  /// The last fix of another process, where the source has not said yet that fixes may be had: given to nobody before.
  var withheld: TimedFix?
  /// Whether what another process has left of places waits for permission: until the source says that fixes may be had,
  /// or gives one.
  var awaitsPermission = false
  var requests = RequestBook()
  var followed = FollowedRequests()
  var subscriptions = SubscriptionBook()
  var needs = NeedBooks()
  /// The fences; `nil` until there has been one.
  var fences: FenceKeeper?
  /// How power is saved.
  var powerKeeper: PowerKeeper
  /// For how long what was asked of the source.
  var spells = SpellKeeper()
  /// What it was made with.
  public let settings: EngineSettings
  var told: Told
  /// The person has been asked since permission was last not determined.
  var hasAsked = false
  /// A source that has given up, or was refused, is to be told the demand again, changed or not.
  var asksAgain = false
  /// When a source that has given up is asked again by itself.
  var sourceRetry = SourceRetry()
  /// What a source had given up with when it was asked to try once more; until it delivers.
  var troubleBefore: SourceTrouble?

  /// For how long the source has been silent, where that is to be broken.
  var silenceToBreak: Duration?

  /// What must outlive the process and nobody has asked for yet.
  var lasting = LastingNews()

  /// Fixes used and refused so far.
  public internal(set) var tally = FixTally()
  /// How things stand between the program and its source.
  public internal(set) var status: ServiceStatus {
    didSet { told.isStatusOld = true }
  }

  /// What was last told to the outside, to tell only changes.
  struct Told: Sendable {
    var demand = Demand.off
    var wake: Instant?
    var status: ServiceStatus
    var isStatusOld = false
  }

  /// An engine that nobody asks anything of yet.
  public init(settings: EngineSettings = EngineSettings()) {
    self.settings = settings
    motionWatch = settings.motion.map { MotionWatch($0) }
    outliers = OutlierTest(settings.outliers)
    powerKeeper = PowerKeeper(settings.power)
    status = ServiceStatus(authorization: settings.initialAuthorization)
    told = Told(status: status)
  }

  /// The last fix that was used, as old as it is by then; `nil` before the first, and where fixes may not be had.
  public func lastFix(at now: Instant) -> Answer? { last.map { Answer($0, at: now) } }

  /// What is asked of the source now.
  public var demand: Demand { told.demand }

  /// The instant at which the engine wants to be woken, if any.
  public var nextWake: Instant? { told.wake }

  /// Takes one input and says what is to be done; see ``handle(_:at:into:)``.
  public mutating func handle(_ input: Input, at now: Moment) -> [Effect] {
    var effects: [Effect] = []
    handle(input, at: now, into: &effects)
    return effects
  }

  /// Takes one input and appends what is to be done.
  ///
  /// - Parameters:
  ///   - now: when the input came. Instants must not go back from one input to the next.
  ///   - effects: appended to; pass a warm array to allocate nothing.
  public mutating func handle(_ input: Input, at now: Moment, into effects: inout [Effect]) {
    gate.see(now)
    endDue(at: now, into: &effects)
    switch input {
    case .signal(let signal): handle(signal, at: now, into: &effects)
    case .request(let id, let terms): open(id, terms, at: now.instant, into: &effects)
    case .follow(let id): follow(id, at: now.instant, into: &effects)
    case .completeNow(let id):
      if let ended = requests.remove(id) {
        finish(
          ended, outcomeWithoutFix(best.answer(at: now.instant)) { .completedEarly(best: $0) }, into: &effects
        )
      }
    case .cancel(let id):
      if let ended = requests.remove(id) { finish(ended, .cancelled, into: &effects) }
    case .subscribe(let id, let terms): subscribe(id, terms, at: now, into: &effects)
    case .unsubscribe(let id): unsubscribe(id, into: &effects)
    case .track(let id, let command): steer(id, command, at: now, into: &effects)
    case .fences(let command): handle(command, at: now, into: &effects)
    case .restore(let left): restore(left, at: now, into: &effects)
    case .endTrip(let id): endTrip(id, at: now, into: &effects)
    case .power(let state): powerKeeper.take(state)
    case .wake: break  // What was due has ended above.
    }
    // What is to last no time at all has been over since it began.
    endDue(at: now, into: &effects)
    tellChanges(at: now, into: &effects)
  }

  /// Ends what was due by now.
  private mutating func endDue(at now: Moment, into effects: inout [Effect]) {
    endDueRequests(at: now.instant, into: &effects)
    for ended in subscriptions.takeDue(at: now.instant) { finish(ended, into: &effects) }
    subscriptions.keepDue(at: now.instant) { effects.append(.tell($0, $1)) }
    passTimeOfMotion(to: now.instant, into: &effects)
    lookAtSignals(at: now.instant, into: &effects)
    passTimeOfFences(to: now, into: &effects)
  }

  /// The instant at which something will be due.
  private mutating func nextDeadline() -> Instant? {
    let silence = subscriptions.followsMotion ? motionWatch?.nextWake : nil
    let asked = Self.earlier(requests.nextDeadline(), subscriptions.nextDeadline())
    let watched = Self.earlier(silence, fences?.nextWake(tellsDue: !awaitsPermission))
    let source = Self.earlier(powerKeeper.nextLook, nextSourceRetry)
    return Self.earlier(Self.earlier(asked, watched), source)
  }

  private static func earlier(_ one: Instant?, _ another: Instant?) -> Instant? {
    guard let one, let another else { return one ?? another }
    return min(one, another)
  }

  private mutating func tellChanges(at now: Moment, into effects: inout [Effect]) {
    if told.isStatusOld {
      told.isStatusOld = false
      if status != told.status {
        told.status = status
        effects.append(.status(status))
      }
    }
    lookAtFencePower(at: now.instant, into: &effects)
    let demand = judgePower(at: now, into: &effects)
    askPerson(for: demand, into: &effects)
    if let silence = silenceToBreak, demand == told.demand, case .continuous = demand.fixes {
      effects.append(.decided(.sourceRestarted(silentFor: silence, demand: demand)))
      effects.append(.demand(.off))
      effects.append(.demand(demand))
    } else if demand != told.demand || (asksAgain || isSourceRetryDue(at: now.instant)) && demand != .off {
      told.demand = demand
      if demand != .off { sourceRetry.ask() }
      effects.append(.demand(demand))
    }
    writeSpell(at: now)
    asksAgain = false
    silenceToBreak = nil
    let wake = nextDeadline()
    if wake != told.wake {
      told.wake = wake
      effects.append(.wake(at: wake))
    }
  }

  /// Asks once for each time that permission is not determined, as soon as something is needed.
  private mutating func askPerson(for demand: Demand, into effects: inout [Effect]) {
    guard !hasAsked, demand.fixes != .off, status.authorization.status == .notDetermined,
      case .needed(let level?) = settings.authorization
    else { return }
    hasAsked = true
    effects.append(.askAuthorization(level))
  }
}
