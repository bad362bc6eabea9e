import WhereaboutsModel

/// The monitor of a tracker's signal: the quality of its fixes, and the silence of its source.
///
/// The monitor uses the clock of the run alone, so a stepped wall clock changes nothing. Its deadlines may be too
/// early, since a fix extends them silently; ``wake(at:)`` then only names the next one.
struct SignalMonitor: Sendable {
  /// The greatest number of doublings of the tolerated silence: 10 s become 320 s.
  private static let maximumDoublings = 5
  /// The multiple of a source's usual interval that is no silence: a fix may be missing, and the next be late.
  private static let usualIntervals = 3
  /// The longest silence reported by a source that may be its usual interval.
  private static let longestReportedInterval = Duration.seconds(60)

  /// The result of a wake.
  struct WakeResult: Equatable, Sendable {
    /// Whether the strength has changed.
    var strengthChanged = false
    /// The duration of the source's silence, where a restart is due.
    var silence: Duration?
  }

  private let settings: SignalStrength.Settings
  private(set) var strength = SignalStrength.invalid
  /// The instant at which a weak or absent signal becomes consistently weak; `nil` where it is neither, or already
  /// is.
  private var recheck: Instant?
  /// The instant of the next check for silence; `nil` where no check is needed.
  private var check: Instant?
  /// The instant of the source's last signal or demand.
  private var lastSignal = Instant.start
  /// The number of restarts in a row after which the source stayed silent.
  private var attempts = 0
  private var intervalEstimator = SourceIntervalEstimator()

  init(_ settings: SignalStrength.Settings) {
    self.settings = settings.validated
  }

  /// The accuracy at or below which a fix is accepted now, in metres at 68 %.
  var acceptedAccuracy: Double {
    strength == .consistentlyWeak
      ? max(settings.requiredAccuracy, settings.acceptableAccuracy) : settings.requiredAccuracy
  }

  /// The instant of the next wake, if any.
  var deadline: Instant? {
    guard let recheck, let check else { return recheck ?? check }
    return min(recheck, check)
  }

  /// Begins a period without a signal: the source has received a demand for fixes.
  mutating func beginWaiting(at now: Instant) {
    strength = .invalid
    intervalEstimator.skipInterval()
    recheck = now.advanced(by: max(.zero, settings.recheck))
    restartSilenceTimer(at: now)
  }

  /// Stops monitoring: the source is not needed any more.
  mutating func stopMonitoring() {
    strength = .invalid
    recheck = nil
    check = nil
  }

  /// Suspends the check for silence, because the source has reported a problem; there is no signal.
  ///
  /// - Parameter isSilence: whether the problem is a silence alone. Then the interval up to the next fix counts if it is a
  ///   minute at most: it may be the usual one of a source that sends seldom.
  /// - Returns: whether the strength has changed.
  mutating func suspendSilenceCheck(at now: Instant, isSilence: Bool = false) -> Bool {
    check = nil
    if !isSilence { intervalEstimator.skipInterval() }
    return loseSignal(since: now)
  }

  /// Records the loss of the signal; a period without a signal that has begun continues.
  private mutating func loseSignal(since then: Instant) -> Bool {
    switch strength {
    case .invalid, .consistentlyWeak: return false
    case .weak: break
    case .strong: recheck = then.advanced(by: max(.zero, settings.recheck))
    }
    strength = .invalid
    return true
  }

  /// Records a signal from the source, of any quality.
  mutating func recordSignal(at now: Instant) {
    if check == nil, now.since(lastSignal) > Self.longestReportedInterval { intervalEstimator.skipInterval() }
    intervalEstimator.recordFix(at: now)
    // Otherwise the check keeps its instant and is postponed when due: a fix costs no new deadline.
    if check == nil || attempts > 0 { restartSilenceTimer(at: now) } else { lastSignal = now }
  }

  /// Restarts the check for silence, unless it is suspended: the source has received a demand for fixes.
  mutating func restartSilenceCheck(at now: Instant) {
    if check != nil { restartSilenceTimer(at: now) }
  }

  /// Records a restart of the source.
  mutating func recordRestart(at now: Instant) {
    guard check != nil else { return }
    lastSignal = now
    attempts += 1
    check = patience.map { now.advanced(by: $0) }
  }

  /// Processes the accuracy of a used fix, in metres at 68 %; a fix without one does not count as strong.
  ///
  /// - Returns: whether the strength has changed.
  mutating func process(accuracy: Double?, at now: Instant) -> Bool {
    let before = strength
    if let accuracy, accuracy <= settings.requiredAccuracy {
      strength = .strong
      recheck = nil
    } else if before == .strong {
      strength = .weak
      recheck = now.advanced(by: max(.zero, settings.recheck))
    } else if before == .invalid {
      // The time without a signal counts: weak and absent form one period.
      strength = .weak
    }
    return strength != before
  }

  /// Handles the deadlines that have passed.
  mutating func wake(at now: Instant) -> WakeResult {
    var alarm = WakeResult()
    let before = strength
    if let check, check <= now, let patience {
      let due = lastSignal.advanced(by: patience)
      if due <= now {
        alarm.silence = now.since(lastSignal)
        _ = loseSignal(since: lastSignal)
      }
      // Where a restart is due, `recordRestart` postpones the check further.
      self.check = due <= now ? now.advanced(by: patience) : due
    }
    if let recheck, recheck <= now {
      self.recheck = nil
      strength = .consistentlyWeak
    }
    alarm.strengthChanged = strength != before
    return alarm
  }

  private mutating func restartSilenceTimer(at now: Instant) {
    lastSignal = now
    attempts = 0
    check = patience.map { now.advanced(by: $0) }
  }

  /// The silence that is tolerated now. At least a second, in which no source could answer, and at least a slow
  /// source's interval; bounded so that instants don't overflow.
  private var patience: Duration? {
    settings.longestSilence.map {
      let usual = (intervalEstimator.median ?? .zero) * Self.usualIntervals
      return min(max($0, usual, .seconds(1)), .seconds(1_000_000_000))
        * (1 << min(attempts, Self.maximumDoublings))
    }
  }
}
