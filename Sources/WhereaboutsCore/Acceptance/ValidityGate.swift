/// Lets through what can be a fix of this device, now; refuses the rest with a reason.
///
/// A fix's place is valid by its type. Here its accuracy must be a number that is not negative, and its time must
/// move forward. What else is unusable in it (a negative speed, a course that is no angle) is taken out and the fix
/// kept: absent is honest, invented is not.
package struct ValidityGate: Sendable {
  /// How many fixes in a row must agree that time went back before they are believed: a receiver that found out the
  /// true date, a recording that starts over. Fewer are late or shuffled fixes.
  static let restartAfter = 3
  /// What is behind by less is late or shuffled however much of it there is: an odometer puts it in order.
  package static let disorder = Duration.seconds(5)

  private var clock = WallClockWatch()
  private var last: Fix?
  /// The time of the last fix that stated one.
  private var lastTime: UTCTime?
  /// How far the wall clock was ahead of the monotonic one when the last fix was used; `nil` where it was not known.
  private var lastWallOffset: Duration?
  /// Time of the newest fix refused as out of order, and how many came in a row, each later than the one before.
  private var rewound: (time: UTCTime, count: Int)?

  enum Verdict: Equatable {
    case accepted(Fix, validAt: Instant)
    case acceptedOnNewTimeline(Fix, validAt: Instant)
    case refused(Refusal)
  }

  /// Sees what time it is; to be called with every input.
  mutating func see(_ now: Moment) {
    clock.see(now)
  }

  mutating func judge(_ fix: Fix, age rule: AgeRule, at now: Moment) -> Verdict {
    guard Self.isUsable(fix.horizontalAccuracy), Self.isUsable(fix.verticalAccuracy) else {
      return .refused(.invalidAccuracy)
    }
    let validAt: Instant
    switch instantOfValidity(of: fix, rule, at: now) {
    case .success(let instant): validAt = instant
    case .failure(let refusal): return .refused(refusal.refusal)
    }
    switch order(fix, rule, at: now) {
    case .forward:
      accept(fix, at: now)
      return .accepted(Self.cleaned(fix), validAt: validAt)
    case .restarted:
      accept(fix, at: now)
      return .acceptedOnNewTimeline(Self.cleaned(fix), validAt: validAt)
    case .refused(let refusal):
      return .refused(refusal)
    }
  }

  private mutating func accept(_ fix: Fix, at now: Moment) {
    last = fix
    if let time = fix.time { lastTime = time }
    lastWallOffset = now.wallOffset
    rewound = nil
  }

  private enum Order {
    case forward, restarted
    case refused(Refusal)
  }

  private mutating func order(_ fix: Fix, _ rule: AgeRule, at now: Moment) -> Order {
    guard let last else { return .forward }
    guard let time = fix.time, let lastTime else {
      // Without times only an exact repetition can be told.
      return fix == last ? .refused(.duplicate) : .forward
    }
    if time > lastTime { return .forward }
    if time == lastTime {
      // The same instant told again, or told better: an epoch whose second half came late.
      return Self.adds(fix, to: last) ? .forward : .refused(.duplicate)
    }
    if rule == .sinceFixTime, wasStepped(back: lastTime.since(time), at: now) { return .restarted }
    let count = if let rewound, time > rewound.time { rewound.count + 1 } else { 1 }
    let isFarBack = lastTime.since(time) >= Self.disorder
    guard count < Self.restartAfter || !isFarBack else { return .restarted }
    rewound = (time, count)
    return .refused(.outOfOrder(by: lastTime.since(time)))
  }

  /// Whether the wall clock, by which fixes that may be cached are stamped, was set back since the last fix, and by so
  /// much that a fix which seems this much older is not.
  private func wasStepped(back: Duration, at now: Moment) -> Bool {
    guard let offset = now.wallOffset, let lastWallOffset else { return false }
    let step = lastWallOffset - offset
    return step > WallClockWatch.step && back < step
  }

  /// Whether a second fix of the same instant says something new: another place, or an accuracy better than before.
  private static func adds(_ fix: Fix, to last: Fix) -> Bool {
    if fix.coordinate != last.coordinate { return true }
    guard let accuracy = fix.horizontalAccuracy else { return false }
    guard let lastAccuracy = last.horizontalAccuracy else { return true }
    return accuracy < lastAccuracy
  }

  private struct Refused: Error {
    let refusal: Refusal
  }

  private func instantOfValidity(
    of fix: Fix, _ rule: AgeRule, at now: Moment
  ) -> Result<Instant, Refused> {
    switch rule {
    case .sinceArrival:
      return .success(now.instant)
    case .sinceFixTime:
      guard let time = fix.time else { return .failure(Refused(refusal: .withoutTime)) }
      switch clock.age(of: time, at: now) {
      case .known(let age): return .success(now.instant.advanced(by: .zero - age))
      case .negative(let ahead): return .failure(Refused(refusal: .fromTheFuture(by: ahead)))
      }
    }
  }

  private static func isUsable(_ accuracy: Double?) -> Bool {
    guard let accuracy else { return true }
    return accuracy.isFinite && accuracy >= 0
  }

  /// A fix without what is unusable in it.
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
