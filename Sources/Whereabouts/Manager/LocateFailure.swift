/// Why ``LocationManager/fix(_:timeout:timeoutStarts:settlingAfter:activity:)`` has no fix as good as was asked for.
public struct LocateFailure: Error, Hashable, Sendable {
  /// How the request ended: anything but reached or settled.
  public let outcome: RequestOutcome

  /// A failure, for a test of code that asks for fixes.
  ///
  /// - Parameter outcome: how the request ended.
  public init(outcome: RequestOutcome) {
    self.outcome = outcome
  }

  /// The best fix there was all the same.
  public var best: Answer? { outcome.answer }
}

extension LocateFailure: CustomStringConvertible {
  /// Why there is no such fix, for a log: never a coordinate.
  public var description: String {
    switch outcome {
    case .reached, .settled: "there is a fix"
    case .timedOut(let best): "no fix was good enough in time" + Self.text(best)
    case .completedEarly(let best): "the request was completed before a fix was good enough" + Self.text(best)
    case .cancelled: "the request was cancelled"
    case .unauthorized(let authorization):
      "location is not allowed: \(authorization.status.rawValue)"
        + (authorization.remedy.map { ". \($0)" } ?? "")
    case .sourceFailed(let trouble, let best): "could not \(trouble.message)" + Self.text(best)
    case .sourceEnded(let best): "the source ended before a fix was good enough" + Self.text(best)
    }
  }

  private static func text(_ best: Answer?) -> String {
    guard let best else { return "; there was none" }
    guard let accuracy = best.fix.horizontalAccuracy else {
      return "; the best did not say how accurate it was"
    }
    return "; the best was within \(accuracy.rounded()) m, \(best.age.inSeconds.rounded()) s old"
  }
}
