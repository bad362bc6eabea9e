public import WhereaboutsModel

/// The engine that makes all decisions of Whereabouts: inputs in, effects out.
///
/// The engine is a value without clock, task, file or random number. Each input carries the time, which never goes
/// back. The same inputs give the same effects, on every platform and at any speed. Unknown values are reported as
/// unknown, never made up.
///
/// **The order of processing** for a fix, which is also the order of the effects:
///
/// 1. validity, then plausibility, then motion;
/// 2. requests: those that the fix answers, then those it settles, each in the order they were made, then the progress
///    of followed requests;
/// 3. subscriptions to fixes, significant changes, visits, accepted fixes, then trackers, each in the order they were
///    made;
/// 4. fences, then the status, then the fences' demand, then the power decision;
/// 5. the authorization prompt, then the demand on the source, then the next wake.
///
/// Deadlines that have passed by the time of an input are handled before the input, so a fix can't answer a request
/// that has timed out. The trackers and the fences still receive a fix that was refused as late or duplicate. The
/// fences also receive an implausible fix.
///
/// - Complexity: a fix costs the pending levels and settling times, plus the requests it ends, plus the subscriptions,
///   plus the nearby fences. Adding and ending a request costs O(log n). A fix that ends no request and causes no fence
///   event allocates nothing.
public struct Engine: Sendable {
  var gate = ValidityGate()
  var outliers: OutlierTest
  var bestFix = BestFix()
  var settlingDetector = SettlingDetector()
  /// The monitor of the device's motion; `nil` where motion is switched off.
  var motionMonitor: MotionMonitor?
  /// The last fix that was used, for new requests and subscriptions.
  var last: TimedFix?
  /// The last fix of another process, withheld until the source reports that fixes are allowed.
  var withheld: TimedFix?
  /// Whether known positions are withheld, after a restart and after a refusal: until the source reports that fixes are
  /// allowed, or gives one.
  var awaitsAuthorization = false
  var requests = RequestRegistry()
  var followedRequests = FollowedRequests()
  var subscriptions = SubscriptionRegistry()
  var needRegistry = NeedRegistry()
  /// The fences; `nil` until the first is added.
  var fences: FenceMonitor?
  /// The power policy and its last decision.
  var powerController: PowerController
  /// The recorder of the demands on the source.
  var usageRecorder = ReceiverUsageRecorder()
  /// The number of regions that the source can watch while the program rests.
  package internal(set) var wakeCapacity = 0
  /// The greatest radius of such a region in metres; `nil` where it is unknown.
  var greatestWakeRadius: Double?
  /// Whether the platform has woken the program with the present input.
  var hasWoken = false
  /// The settings of the engine.
  public let settings: EngineSettings
  var reported: Reported
  /// Whether the user has been asked since the authorization was last not determined.
  var hasRequestedAuthorization = false
  /// Whether the demand must be sent again, changed or not, to a source that has given up or was refused.
  var mustRepeatDemand = false
  /// The timer for retrying a source that has given up.
  var sourceRetry = SourceRetry()
  /// The problem with which a source had given up before its retry; `nil` once it delivers.
  package internal(set) var problemBefore: SourceProblem?
  /// The subscriptions that were not notified of ``problemBefore``: made, or started again, since the retry began.
  var unnotifiedSubscriptions: Set<SubscriptionID> = []

  /// The time for which the source has been silent, where a restart is due.
  var silenceBeforeRestart: Duration?

  /// The data that must survive the process and has not been drained yet.
  var pendingPersistence = PendingPersistence()

  /// The number of fixes used and refused so far.
  public internal(set) var fixCounts = FixCounts()
  /// The status of the location service.
  public internal(set) var status: ServiceStatus {
    didSet { reported.isStatusStale = true }
  }

  /// The values that were last reported, so that only changes are reported.
  struct Reported: Sendable {
    var demand = Demand.off
    /// The version of the needs that ``demand`` is of; `nil` where the demand depends on more than the needs.
    var needs: Int?
    var wake: Instant?
    var status: ServiceStatus
    var isStatusStale = false
  }

  /// Creates an engine without requests or subscriptions.
  public init(settings: EngineSettings = EngineSettings()) {
    self.settings = settings
    motionMonitor = settings.motion.map { MotionMonitor($0) }
    outliers = OutlierTest(settings.outliers)
    powerController = PowerController(settings.power)
    status = ServiceStatus(authorization: settings.initialAuthorization)
    reported = Reported(status: status)
  }

  /// Returns the last fix that was used, with its age then; `nil` before the first, and where fixes are not allowed.
  public func lastFix(at now: Instant) -> Answer? { last.map { Answer($0, at: now) } }

  /// The present demand on the source.
  public var demand: Demand { reported.demand }

  /// The instant at which the engine needs a wake, if any.
  public var nextWake: Instant? { reported.wake }

  /// Processes one input and returns its effects; see ``handle(_:at:into:)``.
  public mutating func handle(_ input: Input, at now: Moment) -> [Effect] {
    var effects: [Effect] = []
    handle(input, at: now, into: &effects)
    return effects
  }

  /// Processes one input and appends its effects.
  ///
  /// - Parameters:
  ///   - input: the input.
  ///   - now: the moment of the input. Instants must not go back from one input to the next.
  ///   - effects: appended to; pass a warm array to allocate nothing.
  public mutating func handle(_ input: Input, at now: Moment, into effects: inout [Effect]) {
    gate.recordTime(now)
    endOverdue(at: now, into: &effects)
    switch input {
    case .signal(let signal): handle(signal, at: now, into: &effects)
    case .request(let id, let terms): openRequest(id, terms, at: now.instant, into: &effects)
    case .follow(let id): follow(id, at: now.instant, into: &effects)
    case .completeNow(let id):
      if let ended = requests.remove(id) {
        finish(
          ended, outcomeWithoutFix(bestFix.answer(at: now.instant)) { .completedEarly(best: $0) },
          into: &effects
        )
      }
    case .cancel(let id):
      if let ended = requests.remove(id) { finish(ended, .cancelled, into: &effects) }
    case .subscribe(let id, let terms): subscribe(id, terms, at: now, into: &effects)
    case .unsubscribe(let id): unsubscribe(id, into: &effects)
    case .track(let id, let command): commandTracker(id, command, at: now, into: &effects)
    case .fences(let command): handle(command, at: now, into: &effects)
    case .restore(let left): restore(left, at: now, into: &effects)
    case .endTrip(let id): endTrip(id, at: now, into: &effects)
    case .power(let state): powerController.update(state)
    case .wake: break  // Overdue deadlines have been handled above.
    }
    // An interval of zero length ends at once.
    endOverdue(at: now, into: &effects)
    emitChanges(at: now, into: &effects)
  }

  /// Handles the deadlines that have passed.
  private mutating func endOverdue(at now: Moment, into effects: inout [Effect]) {
    endDueRequests(at: now.instant, into: &effects)
    for ended in subscriptions.removeDue(at: now.instant) { finish(ended, into: &effects) }
    subscriptions.acceptDue(at: now.instant) { effects.append(.notify($0, $1)) }
    advanceMotion(to: now.instant, into: &effects)
    checkSignals(at: now.instant, into: &effects)
    advanceFences(to: now, into: &effects)
  }

  /// Returns whether a result is due without a further input: of a request or a subscription, the event of a fence, or
  /// the expiry of a fence that the device is in.
  package mutating func hasPendingResult() -> Bool {
    if nextDeadlineBesidesFences() != nil { return true }
    guard let fences, !awaitsAuthorization else { return false }
    return fences.hasPendingEvent() || containingFences.contains { $0.terms.expiry != nil }
  }

  /// Returns the instant of the next deadline.
  private mutating func nextDeadline() -> Instant? {
    let watched = fences?.nextWake(reportsDue: !awaitsAuthorization)
    return Self.earlier(nextDeadlineBesidesFences(), watched)
  }

  private mutating func nextDeadlineBesidesFences() -> Instant? {
    let silence = subscriptions.followsMotion ? motionMonitor?.nextWake : nil
    let asked = Self.earlier(requests.nextDeadline(), subscriptions.nextDeadline())
    let source = Self.earlier(powerController.nextCheck, nextSourceRetry)
    return Self.earlier(Self.earlier(asked, silence), source)
  }

  private static func earlier(_ one: Instant?, _ another: Instant?) -> Instant? {
    guard let one, let another else { return one ?? another }
    return min(one, another)
  }

  private mutating func emitChanges(at now: Moment, into effects: inout [Effect]) {
    updateDemand(at: now, into: &effects)
    let wake = nextDeadline()
    if wake != reported.wake {
      reported.wake = wake
      effects.append(.wake(at: wake))
    }
  }

  /// Reports the status and the demand where they have changed; otherwise costs a few comparisons.
  private mutating func updateDemand(at now: Moment, into effects: inout [Effect]) {
    if reported.needs == needRegistry.version, fences == nil, powerController.isUnrestricted,
      !reported.isStatusStale, !mustRepeatDemand, !hasWoken, silenceBeforeRestart == nil,
      !isSourceRetryDue(at: now.instant)
    {
      return
    }
    if reported.isStatusStale {
      reported.isStatusStale = false
      if status != reported.status {
        reported.status = status
        effects.append(.status(status))
      }
    }
    updateFencePower(at: now.instant, into: &effects)
    var demand = decidePower(at: now, into: &effects)
    demand.wakeRegions = fences?.wakeRegions ?? []
    requestAuthorization(for: demand, into: &effects)
    if let silence = silenceBeforeRestart, demand == reported.demand, case .continuous = demand.fixes {
      effects.append(.decided(.sourceRestarted(silentFor: silence, demand: demand)))
      effects.append(.demand(Demand(wakeRegions: demand.wakeRegions)))
      effects.append(.demand(demand))
    } else if demand != reported.demand
      || (mustRepeatDemand || isSourceRetryDue(at: now.instant)) && demand != .off
    {
      // A source without a demand for fixes was not silent.
      if demand.isForFixes, !reported.demand.isForFixes {
        subscriptions.trackers.restartSilenceChecks(at: now.instant)
      }
      reported.demand = demand
      if demand != .off { sourceRetry.recordRetry() }
      effects.append(.demand(demand))
    } else if hasWoken, demand.ofReceiver == .off {
      // A source that wakes a program in vain is informed that no fix is needed.
      effects.append(.demand(demand))
    }
    recordReceiverUsage(at: now)
    mustRepeatDemand = false
    hasWoken = false
    silenceBeforeRestart = nil
    // Fences and a reduced demand depend on each input.
    reported.needs = fences == nil && powerController.isUnrestricted ? needRegistry.version : nil
  }

  /// Asks the user once per undetermined authorization, as soon as something is needed.
  private mutating func requestAuthorization(for demand: Demand, into effects: inout [Effect]) {
    guard !hasRequestedAuthorization, demand.fixes != .off, status.authorization.status == .notDetermined,
      case .needed(let level?) = settings.authorization
    else { return }
    hasRequestedAuthorization = true
    effects.append(.askAuthorization(level))
  }
}

extension Demand {
  /// Whether fixes are demanded, and not only significant changes.
  fileprivate var isForFixes: Bool { if case .continuous = fixes { true } else { false } }
}
