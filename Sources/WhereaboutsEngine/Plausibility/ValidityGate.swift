import WhereaboutsModel

/// A gate that passes valid fixes of this device and refuses the rest with a reason.
///
/// A fix's place is valid by its type. Here the accuracy must be a number that is not negative, and the time must
/// move forward. Other unusable values (a negative speed, a course that is no angle) become absent and the fix is
/// kept.
package struct ValidityGate: Sendable {
  /// The number of successive fixes that must agree on an earlier time before it is trusted. Causes are a receiver that
  /// found the true date and a recording that starts over. Fewer fixes are late or shuffled.
  static let restartAfter = 3
  /// The delay below which fixes count as late or shuffled, however many they are: an odometer reorders them.
  package static let reorderTolerance = Duration.seconds(5)

  private var clock = WallClockMonitor()
  private var last: Fix?
  /// The time of the last fix that stated one.
  private var lastTime: UTCTime?
  /// The greatest lead of a fix's time over the monotonic clock on this timeline; `nil` before the first time. Fixes
  /// that a buffer held have a smaller one.
  private var greatestLead: Duration?
  /// The wall clock's lead over the monotonic clock when the last fix was used; `nil` where unknown.
  private var lastWallOffset: Duration?
  /// The time of the newest fix refused as out of order, and the number of such fixes in a row, each later than the
  /// one before.
  private var rewound: (time: UTCTime, count: Int)?
  /// The newest time of an earlier run that had a wrong date, and the number of fixes before that time in this run;
  /// `nil` once a fix is as new.
  private var earlierRun: (newest: UTCTime, olderFixes: Int)?
  /// The time of the last fix that an earlier run used; `nil` if that had a wrong date, or is unknown.
  private var lastTimeOfEarlierRun: UTCTime?

  enum Verdict: Equatable {
    case accepted(Fix, validAt: Instant)
    case acceptedOnNewTimeline(Fix, validAt: Instant)
    case refused(Refusal)
  }

  /// Records the current time; to be called with every input.
  mutating func recordTime(_ now: Moment) {
    clock.recordTime(now)
  }

  /// Resumes after an earlier run.
  ///
  /// A time ahead of the wall clock is from a wrong date. If fixes before that time follow, the third one begins a new
  /// timeline, as in one run. Otherwise the restored state would refuse all fixes until the clock reaches that time.
  ///
  /// - Parameters:
  ///   - newest: the newest time in the restored state; `nil` for none.
  ///   - lastFix: the time of the last fix that was used. Earlier fixes of a trusted time are late; `nil` for none.
  mutating func resume(after newest: UTCTime?, lastFix: UTCTime?, at now: Moment) {
    guard let wall = now.wall else { return }
    func isAhead(_ time: UTCTime) -> Bool { time.since(wall) >= Self.reorderTolerance }
    if let newest, isAhead(newest) { earlierRun = (newest: newest, olderFixes: 0) }
    if let lastFix, !isAhead(lastFix) { lastTimeOfEarlierRun = lastFix }
  }

  mutating func judge(_ fix: Fix, age rule: SourceSignal.AgeRule, at now: Moment) -> Verdict {
    guard Self.isUsable(fix.horizontalAccuracy), Self.isUsable(fix.verticalAccuracy) else {
      return .refused(.invalidAccuracy)
    }
    let validAt: Instant
    switch instantOfValidity(of: fix, rule, at: now) {
    case .success(let instant): validAt = instant
    case .failure(let refusal): return .refused(refusal.refusal)
    }
    // A cached fix has the lead that it had when it was made.
    let lead = Moment(instant: validAt, wall: fix.time).wallOffset
    switch order(fix, rule, lead, at: now) {
    case .forward:
      let beginsTimeline = endsEarlierRun(fix, rule)
      accept(fix, lead, at: now)
      return beginsTimeline
        ? .acceptedOnNewTimeline(Self.cleaned(fix), validAt: validAt)
        : .accepted(Self.cleaned(fix), validAt: validAt)
    case .restarted:
      earlierRun = nil
      greatestLead = nil
      accept(fix, lead, at: now)
      return .acceptedOnNewTimeline(Self.cleaned(fix), validAt: validAt)
    case .refused(let refusal):
      return .refused(refusal)
    }
  }

  private mutating func accept(_ fix: Fix, _ lead: Duration?, at now: Moment) {
    last = fix
    if let time = fix.time { lastTime = time }
    if let lead { greatestLead = greatestLead.map { max($0, lead) } ?? lead }
    lastWallOffset = now.wallOffset
    rewound = nil
  }

  /// Returns whether a fix is one too many before the end of the earlier run.
  private mutating func endsEarlierRun(_ fix: Fix, _ rule: SourceSignal.AgeRule) -> Bool {
    guard let run = earlierRun, let time = fix.time, rule != .sinceTrustedTime else { return false }
    guard run.newest.since(time) >= Self.reorderTolerance else {
      earlierRun = nil
      return false
    }
    // The second half of an epoch does not count.
    guard lastTime.map({ time > $0 }) ?? true else { return false }
    let count = run.olderFixes + 1
    earlierRun = count < Self.restartAfter ? (newest: run.newest, olderFixes: count) : nil
    return count >= Self.restartAfter
  }

  private enum Order {
    case forward, restarted
    case refused(Refusal)
  }

  private mutating func order(
    _ fix: Fix, _ rule: SourceSignal.AgeRule, _ lead: Duration?, at now: Moment
  ) -> Order {
    guard let last else {
      guard rule == .sinceTrustedTime, let time = fix.time, let newest = lastTimeOfEarlierRun, time < newest
      else { return .forward }
      return .refused(.outOfOrder(by: newest.since(time)))
    }
    guard let time = fix.time, let lastTime else {
      // Without times, only an exact repetition can be recognized.
      return fix == last ? .refused(.duplicate) : .forward
    }
    if time > lastTime { return isCorrected(fix, to: time, rule, lead, at: now) ? .restarted : .forward }
    if time == lastTime {
      // The same instant with more information: the second half of an epoch arrived late.
      return Self.addsInformation(fix, to: last) ? .forward : .refused(.duplicate)
    }
    guard rule != .sinceTrustedTime else { return .refused(.outOfOrder(by: lastTime.since(time))) }
    if rule == .sinceFixTime, wasStepped(back: lastTime.since(time), at: now) { return .restarted }
    let count = if let rewound, time > rewound.time { rewound.count + 1 } else { 1 }
    let isFarBack = lastTime.since(time) >= Self.reorderTolerance
    guard count < Self.restartAfter || !isFarBack else { return .restarted }
    rewound = (time, count)
    return .refused(.outOfOrder(by: lastTime.since(time)))
  }

  /// Returns whether a receiver has corrected a date that was behind: the fix is hours ahead of all before it, compared
  /// with the monotonic clock, and has the time of the wall clock. A simulated fix may be of a recording that is played
  /// fast.
  private func isCorrected(
    _ fix: Fix, to time: UTCTime, _ rule: SourceSignal.AgeRule, _ lead: Duration?, at now: Moment
  ) -> Bool {
    guard rule == .sinceArrival, !fix.isSimulated, let wall = now.wall, let lead, let greatestLead else {
      return false
    }
    let difference = time.since(wall)
    return lead - greatestLead >= Self.leastCorrection
      && difference < Self.leastCorrection && difference > .zero - Self.leastCorrection
  }

  /// The least correction of a date. Clocks of hosts may be wrong by minutes, and zones are hours apart.
  private static let leastCorrection = Duration.seconds(7_200)

  /// Returns whether the wall clock was set back since the last fix by so much that a seemingly older fix is not
  /// older. The wall clock stamps fixes that may be cached.
  private func wasStepped(back: Duration, at now: Moment) -> Bool {
    guard let offset = now.wallOffset, let lastWallOffset else { return false }
    let step = lastWallOffset - offset
    return step > WallClockMonitor.step && back < step
  }

  /// Returns whether a second fix of the same instant adds information: another place, or a better accuracy.
  private static func addsInformation(_ fix: Fix, to last: Fix) -> Bool {
    if fix.coordinate != last.coordinate { return true }
    guard let accuracy = fix.horizontalAccuracy else { return false }
    guard let lastAccuracy = last.horizontalAccuracy else { return true }
    return accuracy < lastAccuracy
  }

  private struct RefusalError: Error {
    let refusal: Refusal
  }

  private func instantOfValidity(
    of fix: Fix, _ rule: SourceSignal.AgeRule, at now: Moment
  ) -> Result<Instant, RefusalError> {
    switch rule {
    case .sinceArrival:
      return .success(now.instant)
    case .sinceFixTime, .sinceTrustedTime:
      guard let time = fix.time else { return .failure(RefusalError(refusal: .withoutTime)) }
      switch clock.age(of: time, at: now) {
      case .known(let age): return .success(now.instant.advanced(by: .zero - age))
      case .negative(let ahead): return .failure(RefusalError(refusal: .fromTheFuture(by: ahead)))
      }
    }
  }

  private static func isUsable(_ accuracy: Double?) -> Bool {
    guard let accuracy else { return true }
    return accuracy.isFinite && accuracy >= 0
  }

  /// Returns a fix without its unusable values.
  static func cleaned(_ fix: Fix) -> Fix {
    var fix = fix
    if let speed = fix.speed, !(speed.isFinite && speed >= 0) { fix.speed = nil }
    if let course = fix.course { fix.course = course.isFinite && course >= 0 && course < 360 ? course : nil }
    if let accuracy = fix.speedAccuracy, !(accuracy.isFinite && accuracy >= 0) { fix.speedAccuracy = nil }
    if let accuracy = fix.courseAccuracy, !(accuracy.isFinite && accuracy >= 0) { fix.courseAccuracy = nil }
    if let height = fix.heightAboveGeoid, !height.isFinite { fix.heightAboveGeoid = nil }
    if let height = fix.heightAboveEllipsoid, !height.isFinite { fix.heightAboveEllipsoid = nil }
    if let climb = fix.climb, !climb.isFinite { fix.climb = nil }
    return fix
  }
}
