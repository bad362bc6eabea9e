import WhereaboutsModel

/// The best fix so far: the best evidence of the device's place *now*.
///
/// A fix shows a past place; since then the device may have moved on. So a fix's accuracy is widened by the greatest
/// possible movement since, and the smallest radius is the best. An old exact fix loses to a new fair one as soon as
/// the device may have left so large a circle. The possible movement is bounded from fix to fix, and added up:
///
///     radius of a fix = its accuracy
///         + sum of reach(time from one fix to the next) over all fixes since
///
/// The ``reach(in:speed:activity:)`` of each leg uses the speed that its newer fix states. Time after the newest fix
/// widens all alike, so the best fix changes only with a new fix, and only the best fix is stored. The comparison
/// weighs accuracy against age, not the order of arrival.
///
/// - Source: Pfoser and Jensen, "Capturing the Uncertainty of Moving-Object Representations", SSD '99, for bounding the
///   place of an object between samples by its greatest speed times the time.
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

  /// Returns the greatest distance that the device may have moved in a time, from one end with a stated speed.
  ///
  /// Its speed is at most its activity's typical speed, or the stated one if that is greater. The speed changes only by
  /// comfortable acceleration or braking. With v the stated speed, V the greater of v and the typical speed, and a the
  /// acceleration,
  ///
  ///     reach(t) = ∫ min(v + a·s, V) ds from 0 to t
  ///              = v·t + a·t²/2 until V is reached, and V·t − (V − v)²/2a from then on.
  ///
  /// Without a stated speed the reach is V·t. More time and more speed never reduce the reach.
  ///
  /// - Returns: metres.
  static func reach(in seconds: Double, speed: Double?, activity: Activity) -> Double {
    guard let speed, speed.isFinite, speed >= 0 else { return activity.typicalSpeed * seconds }
    let room = activity.typicalSpeed - speed
    guard room > 0 else { return speed * seconds }
    let rise = min(seconds, room / comfortableAcceleration)
    return speed * rise + comfortableAcceleration / 2 * rise * rise + activity.typicalSpeed * (seconds - rise)
  }

  /// The acceleration that people in a vehicle accept in everyday traffic, in metres per second squared.
  ///
  /// - Source: Hoberock, "A Survey of Longitudinal Acceleration Comfort Studies in Ground Transportation Vehicles",
  ///   *J. Dynamic Systems, Measurement, and Control* 99 (1977): 0.11 g to 0.15 g in public transport, of which this is
  /// the upper end. Emergencies are harder, and short.
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
