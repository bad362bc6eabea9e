/// The motion as an engine keeps it: what the fixes tell, and when they have been silent for too long.
///
/// Silence is noticed with whatever input comes next. A wake for it is asked for only while somebody follows the motion,
/// and moved only when it comes, not with each fix.
struct MotionWatch: Sendable {
  private var classifier: MotionClassifier
  private let silence: Duration
  /// When the last fix came.
  private var lastInstant: Instant?
  private var wakeAt: Instant?
  /// What has led to the motion of now, for whoever comes next; `nil` while it is unknown.
  private(set) var last: MotionChange?

  init(_ settings: MotionSettings) {
    classifier = MotionClassifier(settings)
    silence = classifier.settings.silence
  }

  var motion: Motion { classifier.motion }

  /// When silence may have lasted too long, for a host that is to wake the engine then.
  var nextWake: Instant? { classifier.motion == .unknown ? nil : wakeAt }

  mutating func take(_ fix: Fix, activity: Activity, at now: Instant) -> MotionChange? {
    lastInstant = now
    if wakeAt == nil { wakeAt = now.advanced(by: silence) }
    return noting(classifier.take(fix, activity: activity))
  }

  /// Time has passed.
  mutating func pass(to now: Instant) -> MotionChange? {
    guard let wakeAt, wakeAt <= now, let lastInstant else { return nil }
    let end = lastInstant.advanced(by: silence)
    guard end <= now else {
      self.wakeAt = end
      return nil
    }
    self.wakeAt = nil
    return noting(classifier.fallSilent())
  }

  mutating func beginAnew() -> MotionChange? {
    wakeAt = nil
    lastInstant = nil
    return noting(classifier.beginAnew())
  }

  private mutating func noting(_ change: MotionChange?) -> MotionChange? {
    if let change { last = change.to == .unknown ? nil : change }
    return change
  }
}
