import WhereaboutsModel
import WhereaboutsReports

extension OutcomeText {
  /// The exit code of a request's outcome; `nil` for success.
  var code: CommandError.Code? {
    switch outcome {
    case .reached, .settled: nil
    case .timedOut: .timedOut
    case .unauthorized: .notPermitted
    case .completedEarly, .cancelled: .interrupted
    case .sourceEnded: .failed
    case .sourceFailed(let trouble, _): CommandError.Code(trouble.code)
    }
  }
}
