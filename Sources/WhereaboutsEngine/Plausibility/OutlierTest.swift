import WhereaboutsModel

/// The test that refuses fixes that the device can't have reached, by the rule of `Outlier.Settings`.
///
/// Each fix passes the test, so the test holds numbers only. A used fix costs a plane and a point in it.
struct OutlierTest: Sendable {
  enum Verdict: Equatable, Sendable {
    case accepted
    case believed(Outlier.BelievedJump)
    case refused(Outlier)
  }

  private let settings: Outlier.Settings?
  private let memory: Double
  /// The last trusted fix.
  private var anchor: PlacedState?
  /// Whether another fix has agreed with the anchor.
  private var isConfirmed = false
  /// The last refused fix, and the number of successive fixes that agree with each other.
  private var candidate: PlacedState?
  private var agreeing = 0
  /// Whether fixes that agree with each other have disproved the motion that the source states: always a speed of 0, or
  /// always the same course.
  private var isStatedMotionDisproved = false

  init(_ settings: Outlier.Settings?) {
    self.settings = settings?.validated
    memory = self.settings?.memory.inSeconds ?? 0
  }

  /// Forgets all fixes.
  mutating func reset() {
    anchor = nil
    candidate = nil
    isConfirmed = false
    isStatedMotionDisproved = false
  }

  mutating func judge(_ timed: TimedFix, activity: Activity) -> Verdict {
    guard let settings else { return .accepted }
    let model = ReachModel(settings, activity: activity)
    guard let anchor, let seconds = anchor.seconds(until: timed), seconds <= memory else {
      reset()
      self.anchor = PlacedState(timed, model)
      return .accepted
    }
    let leg = model.leg(from: anchor, to: timed, in: seconds)
    guard let outlier = leg.outlier else {
      candidate = nil
      isConfirmed = true
      if model.confirmsStatedMotion(of: timed.fix, after: leg) { isStatedMotionDisproved = false }
      // A poorer fix does not replace a better one that still holds.
      if leg.reach + anchor.accuracy >= model.accuracy(of: timed.fix) {
        self.anchor = PlacedState(timed, model, after: leg, usesStated: !isStatedMotionDisproved)
      }
      return .accepted
    }
    guard isConfirmed || model.accuracy(of: timed.fix) > anchor.accuracy else {
      self.anchor = PlacedState(timed, model)
      candidate = nil
      return .believed(Outlier.BelievedJump(outlier: outlier, agreeing: 1))
    }
    return considerJump(timed, outlier, model)
  }

  /// Counts refused fixes that agree with each other.
  ///
  /// Such fixes may disprove the assumed activity and the source's stated speed. So the limits of any activity apply,
  /// but the fixes have to continue in their direction.
  private mutating func considerJump(_ timed: TimedFix, _ outlier: Outlier, _ model: ReachModel) -> Verdict {
    let anything = model.forUnknownActivity
    var leg: ReachModel.Leg?
    if let candidate {
      leg = candidate.seconds(until: timed).map { anything.leg(from: candidate, to: timed, in: $0) }
      // Without a known time between them, two fixes can't contradict each other.
      agreeing = leg?.outlier == nil ? agreeing + 1 : 1
    } else {
      agreeing = 1
    }
    if agreeing >= model.settings.agreeing {
      isStatedMotionDisproved = agreeing > 1
      anchor = PlacedState(
        timed, model, after: agreeing > 1 ? leg : nil, usesStated: !isStatedMotionDisproved)
      candidate = nil
      isConfirmed = true
      return .believed(Outlier.BelievedJump(outlier: outlier, agreeing: agreeing))
    }
    candidate = PlacedState(timed, anything, seenSince: agreeing > 1 ? candidate : nil, leg)
    return .refused(outlier)
  }
}
