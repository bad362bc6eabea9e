package import WhereaboutsModel
import WhereaboutsFormats

/// The outcome of a request as one JSON object. The keys have this order, and absent values are omitted:
///
/// - `outcome`: `reached`, `settled`, `timedOut`, `completedEarly` (by Ctrl-C, or because no source can deliver),
///   `unauthorized`, `sourceEnded`, `sourceFailed`
/// - `level`: the most demanding standard level that the fix reached when the answer was sent
/// - `age`: the age of the fix in seconds
/// - `fix`: the fix in its documented JSON form
/// - `authorization`: `denied`, `restricted`, `services disabled` or `not determined`, if the outcome is
///   `unauthorized`
/// - `problem`: the stable code of the source's problem, if the source failed
/// - `message`, `remedy`: the problem and its remedy as text
/// - `sources`: the sources of a live request without a fix, each with its name, state, `problem`, `message` and
///   `remedy`; also beside a fix that is not good enough, those with a problem
package struct OutcomeJSON {
  let outcome: RequestOutcome
  /// The sources with their reasons for a missing or too poor fix; empty if the fix is good enough.
  var sources: [SourceHealth] = []

  package init(outcome: RequestOutcome, sources: [SourceHealth] = []) {
    self.outcome = outcome
    self.sources = sources
  }

  /// The text of the object, without a line end.
  package var bytes: [UInt8] {
    var object = JSONObject()
    object.add("outcome", name)
    if let answer = outcome.answer {
      object.add("level", answer.level?.name)
      object.add("age", answer.age.inSeconds.rounded(to: 1e3))
      object.add("fix", answer.fix)
    }
    switch outcome {
    case .unauthorized(let authorization):
      object.add("authorization", authorization.status.rawValue)
      object.add("remedy", authorization.remedy)
    case .sourceFailed(let problem, _):
      object.add("problem", problem.code.rawValue)
      object.add("message", "could not \(problem.message)")
      object.add("remedy", problem.remedy)
    case .reached, .settled, .timedOut, .completedEarly, .cancelled, .sourceEnded:
      break
    }
    if !sources.isEmpty { object.add("sources", sources.map(Self.object)) }
    return object.bytes
  }

  private static func object(_ source: SourceHealth) -> JSONObject {
    var object = JSONObject()
    object.add("source", source.name)
    object.add("state", source.state.rawValue)
    object.add("problem", source.problem?.code.rawValue)
    object.add("message", source.problem.map { "could not \($0.message)" })
    object.add("remedy", source.problem?.remedy)
    return object
  }

  private var name: String {
    switch outcome {
    case .reached: "reached"
    case .settled: "settled"
    case .unauthorized: "unauthorized"
    case .timedOut: "timedOut"
    case .completedEarly: "completedEarly"
    case .cancelled: "cancelled"
    case .sourceEnded: "sourceEnded"
    case .sourceFailed: "sourceFailed"
    }
  }
}
