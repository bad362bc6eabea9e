import WhereaboutsModel

/// The monitor of an engine's motion: the classifier's result, and the silence of fixes.
///
/// The monitor detects silence with the next input. A wake is requested only while a subscription follows the motion,
/// and is rescheduled only when it fires, not with each fix.
struct MotionMonitor: Sendable {
  private var classifier: MotionClassifier
  private let silence: Duration
  /// The instant of the last fix.
  private var lastInstant: Instant?
  private var wakeAt: Instant?
  /// The change that led to the present motion, for new subscribers; `nil` while the motion is unknown.
  private(set) var lastChange: Motion.Change?

  init(_ settings: Motion.Settings) {
    classifier = MotionClassifier(settings)
    silence = classifier.settings.silence
  }

  var motion: Motion { classifier.motion }

  /// The instant at which a silence may have become too long, for the next wake.
  var nextWake: Instant? { classifier.motion == .unknown ? nil : wakeAt }

  mutating func process(_ fix: Fix, activity: Activity, at now: Instant) -> Motion.Change? {
    lastInstant = now
    if wakeAt == nil { wakeAt = now.advanced(by: silence) }
    return recorded(classifier.process(fix, activity: activity))
  }

  /// Advances the time.
  mutating func advance(to now: Instant) -> Motion.Change? {
    guard let wakeAt, wakeAt <= now, let lastInstant else { return nil }
    let end = lastInstant.advanced(by: silence)
    guard end <= now else {
      self.wakeAt = end
      return nil
    }
    self.wakeAt = nil
    return recorded(classifier.processSilence())
  }

  mutating func reset() -> Motion.Change? {
    wakeAt = nil
    lastInstant = nil
    return recorded(classifier.reset())
  }

  private mutating func recorded(_ change: Motion.Change?) -> Motion.Change? {
    if let change { lastChange = change.to == .unknown ? nil : change }
    return change
  }
}
