import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsReports

/// A time at which a recording ends early, in the recording's own time since its first fix.
///
/// Elements at that time or later are not played. So no output is ever later than the limit, at any replay speed.
struct TimeLimit: Sendable {
  let after: Duration
  /// The problem that ends the recording; `nil` for a normal end.
  var problem: SourceProblem?
  /// A predicate for elements that cancel the limit if they arrive before the limit.
  var isLifted: @Sendable (RecordingElement) -> Bool = { _ in false }
}

extension TimeLimit {
  /// Returns a limit that fails with a timeout unless a fix reaches the level in time.
  static func reaching(_ level: AccuracyLevel, within timeout: Duration) -> TimeLimit {
    let message = "reach \(FixText.level(level)) within \(Quantities.duration(timeout.inSeconds))"
    return TimeLimit(after: timeout, problem: SourceProblem(.timedOut, message: message)) { element in
      // Fixes of a recording count as new when they are played.
      guard case .fix(let fix) = element, let accuracy = fix.horizontalAccuracy else { return false }
      return level.isReached(byAccuracy: accuracy, age: .zero)
    }
  }

  /// Returns a limit that fails with a timeout unless a heading with the reference arrives in time.
  static func heading(from reference: Heading.Reference?, within timeout: Duration) -> TimeLimit {
    let waited = Quantities.duration(timeout.inSeconds)
    let message = "find a heading\(HeadingText.north(reference)) within \(waited)"
    return TimeLimit(after: timeout, problem: SourceProblem(.timedOut, message: message)) { element in
      guard case .heading(let heading) = element else { return false }
      return heading.isUsable && (reference == nil || heading.reference == reference)
    }
  }
}
