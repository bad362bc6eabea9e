import WhereaboutsModel

/// The state of one tracker: its phase, its count, and its last report.
///
/// A tracker at rest processes no fixes.
struct TrackerState: Sendable {
  private(set) var terms: TrackTerms
  private(set) var phase = TrackPhase.stopped
  private var monitor: SignalMonitor
  private var meter: TrackMeter
  private var trackingStart: TrackingStart?
  /// Whether a fix has counted since the start, or since the trip was resumed.
  private var hasCounted = false
  private var timeAssigner = FixTimeAssigner()
  private var turnDetector: TurnDetector
  /// The time of the last reported fix; `nil` reports the next at once.
  private var reportedTime: UTCTime?
  /// The last fix that was processed, with a time.
  private var last: Fix?
  private var motion = Motion.unknown
  /// The speed at the end of the settled track.
  private var settledSpeed: Double?
  /// The time of the first fix that counted.
  private var began: UTCTime?
  /// The settled gaps that have not been drained yet, where the tracker has a name.
  private(set) var gaps: [Trip.Gap] = []

  init(_ terms: TrackTerms) {
    self.terms = terms
    monitor = SignalMonitor(terms.signal)
    meter = TrackMeter(terms)
    turnDetector = TurnDetector(turn: terms.turn)
  }

  /// Creates a tracker that resumes the trip of its name.
  init(_ terms: TrackTerms, from snapshot: TripSnapshot) {
    self.init(terms)
    resume(snapshot)
  }

  /// Resumes a trip in place of the present count.
  mutating func resume(_ snapshot: TripSnapshot) {
    terms.trip = snapshot.id
    // Stored totals alone have no activity and no method.
    meter = snapshot.meter.isNamed ? snapshot.meter : TrackMeter(terms, continuing: snapshot.trip)
    began = snapshot.began
    settledSpeed = nil
    hasCounted = false
  }

  /// Gives the trip up: the count is no longer stored.
  mutating func giveUpTrip() { terms.trip = nil }

  /// The state that must survive the process; `nil` without a name.
  var snapshot: TripSnapshot? {
    terms.trip.map {
      TripSnapshot(id: $0, isCounting: isCounting, meter: meter, began: began)
    }
  }

  /// Whether the tracker has a name, and has counted a fix since its start.
  var countsTrip: Bool { terms.trip != nil && isCounting }

  private var isCounting: Bool { phase == .counting && hasCounted }

  mutating func drainGaps() -> [Trip.Gap] {
    defer { gaps.removeAll() }
    return gaps
  }

  /// Whether the tracker needs the source.
  var isActive: Bool { phase != .stopped }

  /// The instant of the next wake, if any.
  var deadline: Instant? { monitor.deadline }

  /// The state of the tracker, as reported to its subscriber.
  var update: TrackUpdate {
    TrackUpdate(
      phase: phase, totals: meter.totals, ahead: meter.provisionalDistance, settledTo: meter.settledTo,
      speed: speed,
      motion: motion, signal: monitor.strength, fix: last, lateFixes: meter.lateFixes,
      duplicates: meter.duplicates)
  }

  private var speed: Double? {
    guard isActive, let last else { return nil }
    if motion == .still { return 0 }
    return last.speed ?? (phase == .counting ? settledSpeed : nil)
  }

  // MARK: Commands

  typealias EventHandler = (consuming SubscriptionEvent) -> Void

  /// Carries out a command.
  ///
  /// - Parameters:
  ///   - last: the last fix that was used, by any consumer.
  ///   - status: the status of the location service.
  mutating func process(
    _ command: TrackPhase.Command, at now: Moment, after last: TimedFix?, _ status: ServiceStatus,
    notify: EventHandler
  ) {
    switch command {
    case .prepare:
      settle(notify)
      activateSource(.prepared, at: now.instant, status)
    case .start:
      if phase != .counting { beginTrack(at: now, after: last) }
      activateSource(.counting, at: now.instant, status)
    case .stop:
      settle(notify)
      releaseSource()
    case .reset:
      meter = TrackMeter(terms)
      settledSpeed = nil
      began = nil
      beginTrack(at: now, after: last)
    }
    reportPhase(.asked(command), notify)
  }

  private mutating func beginTrack(at now: Moment, after last: TimedFix?) {
    trackingStart = TrackingStart(at: now, after: last)
    hasCounted = false
  }

  /// Stops the tracker without a command.
  ///
  /// - Parameter reportsPlaces: whether settled points of the track may be reported.
  mutating func stop(because cause: TrackPhase.Cause, reportsPlaces: Bool = true, notify: EventHandler) {
    settle(reportsPlaces ? notify : { _ in })
    releaseSource()
    reportPhase(cause, notify)
  }

  private mutating func activateSource(_ new: TrackPhase, at now: Instant, _ status: ServiceStatus) {
    // Until fixes are allowed, there is nothing to report of them.
    if phase == .stopped, status.authorization.isAllowed {
      monitor.beginWaiting(at: now)
      if status.source != .working { _ = monitor.suspendSilenceCheck(at: now) }
    }
    phase = new
  }

  private mutating func releaseSource() {
    phase = .stopped
    monitor.stopMonitoring()
    motion = .unknown
    settledSpeed = nil
  }

  private mutating func reportPhase(_ cause: TrackPhase.Cause, _ notify: EventHandler) {
    reportedTime = nil
    turnDetector.reset()
    notify(.trackPhase(phase, because: cause))
    notify(.track(update))
  }

  // MARK: Fixes

  /// Processes a fix that was used.
  ///
  /// - Returns: whether a new ``snapshot`` is due.
  mutating func process(_ timed: TimedFix, motion: Motion, at now: Moment, notify: EventHandler) -> Bool {
    guard isActive else { return false }
    var timed = timed
    if timeAssigner.assignTime(&timed.fix, at: timed.validAt, now) {
      settle(notify)
      meter.clearEnd()
      reportedTime = nil
    }
    let isSignalNew = monitor.process(accuracy: timed.fix.horizontalAccuracy, at: now.instant)
    self.motion = motion
    last = timed.fix
    let needsSnapshot = measure(timed, notify)
    let isDue = isReportDue(timed.fix)
    if isDue {
      reportedTime = timed.fix.time
      turnDetector.record(timed.fix, isStill: motion == .still)
    }
    if isDue || isSignalNew { notify(.track(update)) }
    return needsSnapshot
  }

  /// Processes a fix that was refused as late or duplicate: the odometer may still order it.
  ///
  /// - Returns: whether a new ``snapshot`` is due.
  mutating func process(late timed: TimedFix, notify: EventHandler) -> Bool {
    guard isActive, let time = timed.fix.time else { return false }
    // A process may have begun after the fix, so the start of its tracker does not matter. But a late fix of the day
    // before is not of a trip of one day.
    guard !timed.mayPrecedeStart || began.map({ time >= $0 }) ?? false else { return countsTrip }
    return measure(timed, notify)
  }

  /// Counts a fix, unless it was made before the start.
  ///
  /// - Returns: whether a replay from the last snapshot would count otherwise: it knows no start, and counts each fix or
  ///   none.
  private mutating func measure(_ timed: TimedFix, _ notify: EventHandler) -> Bool {
    guard phase == .counting else { return false }
    guard timed.mayPrecedeStart || trackingStart?.isReached(by: timed) ?? true else {
      return hasCounted && terms.trip != nil
    }
    let isFirst = !hasCounted
    hasCounted = true
    began = began ?? timed.fix.time
    var speed = settledSpeed, gaps: [Trip.Gap] = []
    // The terms as a whole would be copied with each fix.
    let trip = terms.trip, reportsPoints = terms.reportsPoints
    meter.process(
      timed.fix, upTo: monitor.acceptedAccuracy, isStill: motion == .still, findsMotion: reportsPoints
    ) {
      speed = $0.speed
      if let trip, let gap = $1 { gaps.append(Trip.Gap(trip: trip, end: $0.time, gap: gap)) }
      if reportsPoints { notify(.trackPoint($0)) }
    }
    settledSpeed = speed
    if !gaps.isEmpty { self.gaps += gaps }
    return isFirst && terms.trip != nil
  }

  private mutating func isReportDue(_ fix: Fix) -> Bool {
    guard let reportedTime, let time = fix.time else { return true }
    // A better report of the same instant is not reported.
    guard time > reportedTime else { return false }
    return time.since(reportedTime) >= terms.calculationInterval
      || turnDetector.hasTurned(fix, isStill: motion == .still)
  }

  /// Ends the segment: later fixes do not continue the earlier ones.
  mutating func endSegment(restartsTimeline: Bool, notify: EventHandler) {
    settle(notify)
    guard restartsTimeline else { return }
    // A step of a clock is no gap.
    meter.clearEnd()
    timeAssigner = FixTimeAssigner()
    reportedTime = nil
  }

  /// Clears the known positions; the distance travelled is no position and remains.
  mutating func clearPositions() {
    settle { _ in }
    meter.clearEnd()
    last = nil
    motion = .unknown
  }

  private mutating func settle(_ notify: EventHandler) {
    guard phase == .counting else { return }
    var gaps: [Trip.Gap] = []
    meter.endSegment { [terms] in
      if let trip = terms.trip, let gap = $1 { gaps.append(Trip.Gap(trip: trip, end: $0.time, gap: gap)) }
      if terms.reportsPoints { notify(.trackPoint($0)) }
    }
    if !gaps.isEmpty { self.gaps += gaps }
  }

  // MARK: Signal

  /// Updates whether fixes are allowed.
  mutating func setAuthorized(_ isAllowed: Bool, at now: Instant, notify: EventHandler) {
    guard isActive else { return }
    let before = monitor.strength
    if isAllowed { monitor.beginWaiting(at: now) } else { monitor.stopMonitoring() }
    if monitor.strength != before { notify(.track(update)) }
  }

  /// Records a signal from the source.
  mutating func recordSignal(at now: Instant) {
    if isActive { monitor.recordSignal(at: now) }
  }

  /// Suspends the check for silence, because the source has reported a problem.
  ///
  /// - Parameter isSilence: whether the problem is a silence alone.
  mutating func suspendSilenceCheck(at now: Instant, isSilence: Bool, notify: EventHandler) {
    if monitor.suspendSilenceCheck(at: now, isSilence: isSilence) { notify(.track(update)) }
  }

  /// Restarts the check for silence: the source has received a demand for fixes.
  mutating func restartSilenceCheck(at now: Instant) { monitor.restartSilenceCheck(at: now) }

  /// Records a restart of the source.
  mutating func recordRestart(at now: Instant) {
    monitor.recordRestart(at: now)
  }

  /// Handles the deadlines that have passed.
  ///
  /// - Returns: the duration of the source's silence, where a restart is due.
  mutating func wake(at now: Instant, notify: EventHandler) -> Duration? {
    let alarm = monitor.wake(at: now)
    if alarm.strengthChanged { notify(.track(update)) }
    return alarm.silence
  }
}

/// An assigner of times to fixes without one, on a timeline that continues from the last fix with a time.
private struct FixTimeAssigner: Sendable {
  private var anchor: (time: UTCTime, instant: Instant, isStated: Bool)?

  /// Ensures that a fix has a time.
  ///
  /// - Returns: whether the fix is on another timeline than those before, which had no times of their own.
  mutating func assignTime(_ fix: inout Fix, at instant: Instant, _ now: Moment) -> Bool {
    if let time = fix.time {
      defer { anchor = (time, instant, true) }
      guard let anchor, !anchor.isStated else { return false }
      let off = time.since(anchor.time) - instant.since(anchor.instant)
      return off > WallClockMonitor.step || off < .zero - WallClockMonitor.step
    }
    let begin =
      anchor
      ?? (now.wall ?? UTCTime(nanosecondsSince1970: now.instant.nanoseconds), now.instant, false)
    fix.time = begin.time.advanced(by: instant.since(begin.instant))
    anchor = begin
    return false
  }
}
