package import WhereaboutsModel
import WhereaboutsFormats
package import WhereaboutsSources

extension TimeLimit {
  /// Returns a limit that fails with a timeout unless a fix reaches the level in time.
  package static func reaching(_ level: AccuracyLevel, within timeout: Duration) -> TimeLimit {
    let message = "reach \(FixText.level(level)) within \(Quantities.duration(timeout.inSeconds))"
    return TimeLimit(after: timeout, problem: SourceProblem(.timedOut, message: message)) { element in
      // Fixes of a recording count as new when they are played.
      guard case .fix(let fix) = element, let accuracy = fix.horizontalAccuracy else { return false }
      return level.isReached(byAccuracy: accuracy, age: .zero)
    }
  }

  /// Returns a limit that fails with a timeout unless a heading with the reference arrives in time.
  package static func heading(from reference: Heading.Reference?, within timeout: Duration) -> TimeLimit {
    let waited = Quantities.duration(timeout.inSeconds)
    let message = "find a heading\(HeadingText.north(reference)) within \(waited)"
    return TimeLimit(after: timeout, problem: SourceProblem(.timedOut, message: message)) { element in
      guard case .heading(let heading) = element else { return false }
      return heading.isUsable && (reference == nil || heading.reference == reference)
    }
  }
}
