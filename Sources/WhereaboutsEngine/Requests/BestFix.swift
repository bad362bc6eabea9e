import WhereaboutsModel

/// The best fix so far: the one that says most about where the device is *now*.
///
/// A fix tells where the device was; since then it may have moved on. So a fix's accuracy is widened by how far the
/// device may have come since, and the smallest radius is the best: an old exact fix loses to a new fair one as soon
/// as the device may have left so large a circle. How far it may have come is bounded from fix to fix, and added up:
///
///     radius of a fix = its accuracy + sum of reach(time from one fix to the next) over all fixes since
///
/// with the ``reach(in:speed:activity:)`` of each leg by the speed that its newer fix states. Whatever comes after
/// the newest fix widens all alike, so which is best changes only when a fix comes, and of all fixes only the best
/// need be kept. What is compared is the better of accuracy and age, never which came last.
///
/// - Source: Pfoser and Jensen, "Capturing the Uncertainty of Moving-Object Representations", SSD '99, for bounding
///   where an object can be between samples by its greatest speed times the time.
struct BestFix: Sendable {
  private(set) var best: TimedFix?
  /// The greatest distance the device may have covered from ``best`` until the newest fix, in metres.
  private var drift = 0.0
  /// The time when the newest fix was valid, and its stated speed.
  private var newest: (validAt: Instant, speed: Double?)?

  /// Considers a fix.
  ///
  /// - Returns: whether the best fix has changed.
  @discardableResult
  mutating func consider(_ candidate: TimedFix, activity: Activity) -> Bool {
    let reach = advance(to: candidate, activity: activity)
    guard isBetter(candidate.fix.horizontalAccuracy, widenedBy: reach) else { return false }
    best = candidate
    drift = reach
    return true
  }

  /// Forgets all fixes.
  mutating func reset() {
    self = BestFix()
  }

  /// Returns the best fix as an answer given now.
  func answer(at now: Instant) -> Answer? {
    best.map { Answer($0, at: now) }
  }

  /// Advances the time until a fix, if that is the newest.
  ///
  /// - Returns: the greatest distance the device may have covered from that fix until the newest, in metres.
  private mutating func advance(to candidate: TimedFix, activity: Activity) -> Double {
    guard let newest else {
      newest = (candidate.validAt, candidate.fix.speed)
      return 0
    }
    let seconds = candidate.validAt.since(newest.validAt).inSeconds
    guard seconds >= 0 else {
      // Older than another that was here before it.
      return Self.reach(in: -seconds, speed: newest.speed, activity: activity)
    }
    drift += Self.reach(in: seconds, speed: candidate.fix.speed, activity: activity)
    self.newest = (candidate.validAt, candidate.fix.speed)
    return 0
  }

  /// Returns whether a fix is at least as good as the best; of equal ones, the later is better. A position without an
  /// accuracy is better than none and worse than any with one.
  private func isBetter(_ accuracy: Double?, widenedBy reach: Double) -> Bool {
    guard let bestAccuracy = best?.fix.horizontalAccuracy else { return true }
    guard let accuracy else { return false }
    return accuracy + reach <= bestAccuracy + drift
  }

  /// How far the device may have moved in so many seconds, at one end of which it states a speed.
  ///
  /// It moves no faster than its activity's typical speed, or than it states if that is more, and its speed was or
  /// will be another only by accelerating or braking comfortably: with v the stated speed, V the greater of it and
  /// the typical speed, and a the acceleration,
  ///
  ///     reach(t) = ∫ min(v + a·s, V) ds from 0 to t
  ///              = v·t + a·t²/2 until V is reached, and V·t − (V − v)²/2a from then on.
  ///
  /// Where no speed is stated it is V·t. More time and more speed never reach less far.
  ///
  /// - Returns: metres.
  static func reach(in seconds: Double, speed: Double?, activity: Activity) -> Double {
    guard let speed, speed.isFinite, speed >= 0 else { return activity.typicalSpeed * seconds }
    let room = activity.typicalSpeed - speed
    guard room > 0 else { return speed * seconds }
    let rise = min(seconds, room / comfortableAcceleration)
    return speed * rise + comfortableAcceleration / 2 * rise * rise + activity.typicalSpeed * (seconds - rise)
  }

  /// What people in a vehicle put up with in everyday traffic, in metres per second squared.
  ///
  /// - Source: Hoberock, "A Survey of Longitudinal Acceleration Comfort Studies in Ground Transportation Vehicles",
  ///   *J. Dynamic Systems, Measurement, and Control* 99 (1977): 0.11 g to 0.15 g in public transport, of which this
  ///   is the upper end. Emergencies are harder, and short.
  private static let comfortableAcceleration = 1.5
}

extension Answer {
  /// Creates an answer from a fix now, with the standard level it reaches.
  init(_ timed: TimedFix, at now: Instant) {
    let age = timed.age(at: now)
    let level = timed.fix.horizontalAccuracy.flatMap { accuracy in
      AccuracyLevel.standard.first { $0.isReached(byAccuracy: accuracy, age: age) }
    }
    self.init(fix: timed.fix, age: age, level: level)
  }
}
