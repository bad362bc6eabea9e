import WhereaboutsModel
package import WhereaboutsReports

extension OutcomeText {
  /// The exit code of a request's outcome; `nil` for success.
  package var code: CommandError.Code? {
    switch outcome {
    case .reached, .settled: nil
    case .timedOut: .timedOut
    case .unauthorized: .notPermitted
    case .completedEarly, .cancelled: .interrupted
    case .sourceEnded: .failed
    case .sourceFailed(let problem, _): CommandError.Code(problem.code)
    }
  }
}
