import Whereabouts
package import WhereaboutsModel

/// The outcome of a request as a sentence.
package struct OutcomeText {
  package let outcome: RequestOutcome
  /// The requested level.
  let level: AccuracyLevel
  let timeout: Duration?
  let settle: Duration?

  package init(outcome: RequestOutcome, level: AccuracyLevel, timeout: Duration?, settle: Duration?) {
    self.outcome = outcome
    self.level = level
    self.timeout = timeout
    self.settle = settle
  }

  /// A sentence in lower case, without a full stop unless a remedy follows.
  package var sentence: String {
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
    case .sourceFailed(let problem, _):
      return "could not \(problem.message)\(ending)\(problem.remedy.map { ". \($0)" } ?? "")"
    }
  }

  private var ending: String {
    outcome.answer == nil ? "; no fix at all" : "; this is the best there was"
  }
}
