import WhereaboutsCore
import WhereaboutsFormats

/// Where a recording is to be over before its end, in its own time, counted from its first fix.
///
/// What comes at that time or later is not played, so nothing is ever shown that came after a deadline, however fast the
/// recording goes.
struct TimeLimit: Sendable {
  let after: Duration
  /// What the recording then fails with; `nil` ends it.
  var trouble: SourceTrouble?
  /// What makes the limit void if it comes before.
  var isLifted: @Sendable (RecordingElement) -> Bool = { _ in false }
}

extension TimeLimit {
  /// Gives up unless a fix of some level comes in time.
  static func reaching(_ level: AccuracyLevel, within timeout: Duration) -> TimeLimit {
    let message = "reach \(FixText.level(level)) within \(Quantities.duration(timeout.inSeconds))"
    return TimeLimit(after: timeout, trouble: SourceTrouble(.timedOut, message: message)) { element in
      // Fixes of a recording are new when they come.
      guard case .fix(let fix) = element, let accuracy = fix.horizontalAccuracy else { return false }
      return level.isReached(byAccuracy: accuracy, age: .zero)
    }
  }

  /// Gives up unless a heading from some north comes in time.
  static func heading(from reference: Heading.Reference?, within timeout: Duration) -> TimeLimit {
    let waited = Quantities.duration(timeout.inSeconds)
    let message = "find a heading\(HeadingText.north(reference)) within \(waited)"
    return TimeLimit(after: timeout, trouble: SourceTrouble(.timedOut, message: message)) { element in
      guard case .heading(let heading) = element else { return false }
      return heading.isUsable && (reference == nil || heading.reference == reference)
    }
  }
}
