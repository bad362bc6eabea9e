import Whereabouts
import WhereaboutsModel

/// The outcome of a request as a sentence and as an exit code.
struct OutcomeText {
  let outcome: RequestOutcome
  /// The requested level.
  let level: AccuracyLevel
  let timeout: Duration?
  let settle: Duration?

  /// A sentence in lower case, without a full stop unless a remedy follows.
  var sentence: String {
    let wanted = FixText.level(level)
    switch outcome {
    case .reached:
      return "\(wanted) was reached"
    case .settled:
      let calm = settle.map { " for \(Quantities.duration($0.inSeconds))" } ?? ""
      return "fixes had not got better\(calm), before \(wanted) was reached\(ending)"
    case .timedOut:
      let waited = Quantities.duration(timeout?.inSeconds ?? 0)
      return "\(wanted) was not reached within \(waited)\(ending)"
    case .unauthorized(let authorization):
      return AuthorizationText.sentence(authorization)
    case .completedEarly, .cancelled:
      return "\(wanted) was not reached\(ending)"
    case .sourceEnded:
      return "the source ended before \(wanted) was reached\(ending)"
    case .sourceFailed(let trouble, _):
      return "could not \(trouble.message)\(ending)\(trouble.remedy.map { ". \($0)" } ?? "")"
    }
  }

  /// The exit code of the outcome; `nil` for success.
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

  private var ending: String {
    outcome.answer == nil ? "; there was no fix at all" : "; this is the best there was"
  }
}
