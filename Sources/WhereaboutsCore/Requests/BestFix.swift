/// The best fix so far: the one that says most about where the device is *now*.
///
/// A fix tells where the device was. Until now it may have moved on, so its accuracy is widened by its age times the
/// speed the device may have had: `accuracy + age · speed`, a radius that still holds the device if it moved straight
/// on. The smaller radius is the better fix, so an old exact fix loses to a new fair one as soon as the device may
/// have left its circle. Speed is the activity's typical speed, or the newest fix's own if that is more; its own alone
/// would say nothing about the time between the two, which a device that stands now may have spent on the road.
///
/// Two fixes are compared when the newer arrives, with one speed for both; the difference of their radii then stays
/// the same from there on, and only the better of the two need be kept.
struct BestFix: Sendable {
  private(set) var best: TimedFix?

  /// - Returns: whether the best fix is another now.
  @discardableResult
  mutating func consider(_ candidate: TimedFix, activity: Activity, at now: Instant) -> Bool {
    guard let accuracy = candidate.fix.horizontalAccuracy else {
      // A position without an accuracy is better than nothing and worse than anything that has one.
      guard best?.fix.horizontalAccuracy == nil else { return false }
      best = candidate
      return true
    }
    guard let best, let bestAccuracy = best.fix.horizontalAccuracy else {
      self.best = candidate
      return true
    }
    let speed = max(candidate.fix.speed ?? 0, activity.typicalSpeed)
    let radius = accuracy + candidate.age(at: now).inSeconds * speed
    let bestRadius = bestAccuracy + best.age(at: now).inSeconds * speed
    guard radius <= bestRadius else { return false }
    self.best = candidate
    return true
  }

  /// Nothing is known any more.
  mutating func forget() {
    best = nil
  }

  /// The best fix as an answer given now.
  func answer(at now: Instant) -> Answer? {
    best.map { Answer($0, at: now) }
  }
}

extension Answer {
  /// A fix as an answer given now, with the standard level it reaches.
  init(_ timed: TimedFix, at now: Instant) {
    let age = timed.age(at: now)
    let level = timed.fix.horizontalAccuracy.flatMap { accuracy in
      AccuracyLevel.standard.first { $0.isReached(byAccuracy: accuracy, age: age) }
    }
    self.init(fix: timed.fix, age: age, level: level)
  }
}
