/// An error of ``LocationManager/fix(_:timeout:timeoutStarts:settlingAfter:activity:)``: no fix has the required
/// accuracy.
public struct LocationRequestError: Error, Hashable, Sendable {
  /// The outcome of the request: neither reached nor settled.
  public let outcome: RequestOutcome

  /// Creates an error, for tests of code that requests fixes.
  ///
  /// - Parameter outcome: the outcome of the request.
  public init(outcome: RequestOutcome) {
    self.outcome = outcome
  }

  /// The best fix of the request, if any.
  public var best: Answer? { outcome.answer }
}

extension LocationRequestError: CustomStringConvertible {
  /// The reason and its remedy as text for a log, without coordinates.
  public var description: String {
    switch outcome {
    case .reached, .settled: "there is a fix"
    case .timedOut(let best): "no fix was good enough in time" + Self.text(best)
    case .completedEarly(let best): "the request was completed before a fix was good enough" + Self.text(best)
    case .cancelled: "the request was cancelled"
    case .unauthorized(let authorization):
      "location is not allowed: \(authorization.status.rawValue)"
        + (authorization.remedy.map { ". \($0)" } ?? "")
    case .sourceFailed(let problem, let best):
      "could not \(problem.message)" + Self.text(best) + (problem.remedy.map { ". \($0)" } ?? "")
    case .sourceEnded(let best): "the source ended before a fix was good enough" + Self.text(best)
    }
  }

  private static func text(_ best: Answer?) -> String {
    guard let best else { return "; no fix came" }
    guard let accuracy = best.fix.horizontalAccuracy else {
      return "; the best did not say how accurate it was"
    }
    return "; the best was within \(accuracy.rounded()) m, \(best.age.inSeconds.rounded()) s old"
  }
}
