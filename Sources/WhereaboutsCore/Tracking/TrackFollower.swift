/// One tracker: what it does, the way it has counted, and what it has told of it.
///
/// While it rests it looks at nothing.
struct TrackFollower: Sendable {
  let terms: TrackTerms
  private(set) var phase = TrackPhase.stopped
  private var monitor: SignalMonitor
  private var meter: TrackMeter
  private var line: StartLine?
  private var times = FixTimes()
  private var turns: TurnWatch
  /// The time of the fix that was told last; `nil` tells the next at once.
  private var told: UTCTime?
  /// The last fix that was taken, with a time.
  private var last: Fix?
  private var motion = Motion.unknown
  /// The speed of the way where it is settled last.
  private var settledSpeed: Double?
  /// The time of the first fix that counted.
  private var began: UTCTime?
  /// Gaps that were settled and nobody has asked for yet, where it has a name to keep them under.
  private(set) var gaps: [TripGap] = []

  init(_ terms: TrackTerms) {
    self.terms = terms
    monitor = SignalMonitor(terms.signal)
    meter = TrackMeter(terms)
    turns = TurnWatch(turn: terms.turn)
  }

  /// Goes on with what was counted under its name.
  init(_ terms: TrackTerms, from snapshot: TripSnapshot) {
    self.init(terms)
    meter = snapshot.meter
    began = snapshot.began
  }

  /// What must outlive the process; `nil` without a name.
  var snapshot: TripSnapshot? {
    terms.trip.map { TripSnapshot(id: $0, isCounting: phase == .counting, meter: meter, began: began) }
  }

  mutating func takeGaps() -> [TripGap] {
    defer { gaps.removeAll() }
    return gaps
  }

  /// Whether it needs the source.
  var isActive: Bool { phase != .stopped }

  /// When to be woken, if ever.
  var deadline: Instant? { monitor.deadline }

  /// How things stand.
  var update: TrackUpdate {
    TrackUpdate(
      phase: phase, totals: meter.totals, ahead: meter.ahead, settledTo: meter.settledTo, speed: speed,
      motion: motion, signal: monitor.strength, fix: last, leftOut: meter.leftOut, doubled: meter.doubled)
  }

  private var speed: Double? {
    guard isActive, let last else { return nil }
    if motion == .still { return 0 }
    return last.speed ?? (phase == .counting ? settledSpeed : nil)
  }

  // MARK: What it is told to do

  typealias Tell = (SubscriptionEvent) -> Void

  /// Does what it is told.
  ///
  /// - Parameters:
  ///   - last: the last fix that was used, by whomever.
  ///   - status: how things stand with the source.
  mutating func take(
    _ command: TrackCommand, at now: Moment, after last: TimedFix?, _ status: ServiceStatus, tell: Tell
  ) {
    switch command {
    case .prepare:
      settle(tell)
      activate(.prepared, at: now.instant, status)
    case .start:
      if phase != .counting { line = StartLine(at: now, after: last) }
      activate(.counting, at: now.instant, status)
    case .stop:
      settle(tell)
      rest()
    case .reset:
      meter = TrackMeter(terms)
      settledSpeed = nil
      began = nil
      line = StartLine(at: now, after: last)
    }
    announce(.asked(command), tell)
  }

  /// Stops by itself.
  ///
  /// - Parameter tellsPlaces: whether what is settled of the way may be told.
  mutating func stop(because cause: TrackPhaseCause, tellsPlaces: Bool = true, tell: Tell) {
    settle(tellsPlaces ? tell : { _ in })
    rest()
    announce(cause, tell)
  }

  private mutating func activate(_ new: TrackPhase, at now: Instant, _ status: ServiceStatus) {
    // Until fixes may be had there is nothing to be told of them.
    if phase == .stopped, status.authorization.isAllowed {
      monitor.begin(at: now)
      if status.source != .working { _ = monitor.excuseSilence(at: now) }
    }
    phase = new
  }

  private mutating func rest() {
    phase = .stopped
    monitor.end()
    motion = .unknown
    settledSpeed = nil
  }

  private mutating func announce(_ cause: TrackPhaseCause, _ tell: Tell) {
    told = nil
    turns.forget()
    tell(.trackPhase(phase, because: cause))
    tell(.track(update))
  }

  // MARK: What comes

  /// Takes a fix that was used.
  mutating func take(_ timed: TimedFix, motion: Motion, at now: Moment, tell: Tell) {
    guard isActive else { return }
    var timed = timed
    if times.place(&timed.fix, at: timed.validAt, now) {
      settle(tell)
      told = nil
    }
    let isSignalNew = monitor.take(accuracy: timed.fix.horizontalAccuracy, at: now.instant)
    self.motion = motion
    last = timed.fix
    count(timed, tell)
    let isDue = isDue(timed.fix)
    if isDue {
      told = timed.fix.time
      turns.note(timed.fix, isStill: motion == .still)
    }
    if isDue || isSignalNew { tell(.track(update)) }
  }

  /// Takes a fix that was refused because it came late or twice: the way may know where it belongs.
  mutating func take(late fix: Fix, at now: Instant, tell: Tell) {
    guard isActive, fix.time != nil else { return }
    count(TimedFix(fix: fix, validAt: now), tell)
  }

  private mutating func count(_ timed: TimedFix, _ tell: Tell) {
    guard phase == .counting, line?.isPassed(by: timed) ?? true else { return }
    began = began ?? timed.fix.time
    var speed = settledSpeed, gaps: [TripGap] = []
    meter.take(timed.fix, upTo: monitor.acceptedAccuracy, isStill: motion == .still) { [terms] in
      speed = $0.speed
      if let gap = TripGap(of: terms.trip, endingAt: $0) { gaps.append(gap) }
      if terms.tellsPoints { tell(.trackPoint($0)) }
    }
    settledSpeed = speed
    if !gaps.isEmpty { self.gaps += gaps }
  }

  private mutating func isDue(_ fix: Fix) -> Bool {
    guard let told, let time = fix.time else { return true }
    // Told better, the same instant is no news.
    guard time > told else { return false }
    return time.since(told) >= terms.calculationInterval || turns.isTurned(fix, isStill: motion == .still)
  }

  /// What comes next does not continue what came before.
  mutating func breakOff(restartsTime: Bool, tell: Tell) {
    settle(tell)
    guard restartsTime else { return }
    times = FixTimes()
    told = nil
  }

  /// What was known of places is not given away any more; how far the device had come is no place.
  mutating func forgetPlaces() {
    settle { _ in }
    last = nil
    motion = .unknown
  }

  private mutating func settle(_ tell: Tell) {
    guard phase == .counting else { return }
    var gaps: [TripGap] = []
    meter.breakOff { [terms] in
      if let gap = TripGap(of: terms.trip, endingAt: $0) { gaps.append(gap) }
      if terms.tellsPoints { tell(.trackPoint($0)) }
    }
    if !gaps.isEmpty { self.gaps += gaps }
  }

  // MARK: Signal

  /// Fixes may be had from now on, or no longer.
  mutating func permit(_ isAllowed: Bool, at now: Instant, tell: Tell) {
    guard isActive else { return }
    let before = monitor.strength
    if isAllowed { monitor.begin(at: now) } else { monitor.end() }
    if monitor.strength != before { tell(.track(update)) }
  }

  /// The source said something.
  mutating func hear(at now: Instant) {
    if isActive { monitor.hear(at: now) }
  }

  /// The source has said why it is silent.
  mutating func excuseSilence(at now: Instant, tell: Tell) {
    if monitor.excuseSilence(at: now) { tell(.track(update)) }
  }

  /// The source was stopped and started.
  mutating func noteRestart(at now: Instant) {
    monitor.noteRestart(at: now)
  }

  /// Looks at what is due.
  ///
  /// - Returns: for how long the source has been silent, where it is to be stopped and started.
  mutating func wake(at now: Instant, tell: Tell) -> Duration? {
    let alarm = monitor.wake(at: now)
    if alarm.isStrengthNew { tell(.track(update)) }
    return alarm.silence
  }
}

/// Gives fixes without a time one, on a timeline that goes on from the last that had one.
private struct FixTimes: Sendable {
  private var anchor: (time: UTCTime, instant: Instant, isStated: Bool)?

  /// Sees to it that a fix has a time.
  ///
  /// - Returns: whether it is on another timeline than those before: they had none of their own.
  mutating func place(_ fix: inout Fix, at instant: Instant, _ now: Moment) -> Bool {
    if let time = fix.time {
      defer { anchor = (time, instant, true) }
      guard let anchor, !anchor.isStated else { return false }
      let off = time.since(anchor.time) - instant.since(anchor.instant)
      return off > WallClockWatch.step || off < .zero - WallClockWatch.step
    }
    let begin =
      anchor
      ?? (now.wall ?? UTCTime(nanosecondsSince1970: now.instant.nanoseconds), now.instant, false)
    fix.time = begin.time.advanced(by: instant.since(begin.instant))
    anchor = begin
    return false
  }
}
