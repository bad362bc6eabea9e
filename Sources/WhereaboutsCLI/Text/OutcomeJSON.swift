import WhereaboutsCore
import WhereaboutsFormats

/// How a request ended as one JSON object, with the keys in this order and what is absent left out:
///
/// - `outcome`: `reached`, `settled`, `timedOut`, `completedEarly` (by Ctrl-C), `unauthorized`, `sourceEnded`,
///   `sourceFailed`
/// - `level`: the most demanding standard level that the fix reached when it was given
/// - `age`: of the fix, in seconds
/// - `fix`: in its documented form
/// - `authorization`: `denied`, `restricted`, `services disabled` or `not determined`, where it is `unauthorized`
/// - `trouble`: a stable name of what kind of trouble the source has, where it has failed
/// - `message`, `remedy`: what is wrong and what to do about it, for people
/// - `sources`: of a live source without a fix, each with its name, state, and `trouble`, `message` and `remedy`
struct OutcomeJSON {
  let outcome: RequestOutcome
  /// Why each source has no fix; empty where there is one.
  var sources: [SourceHealth] = []

  /// The object's text, without an end of line.
  var bytes: [UInt8] {
    var object = JSONObject()
    object.add("outcome", name)
    if let answer = outcome.answer {
      object.add("level", answer.level?.name)
      object.add("age", answer.age.inSeconds)
      object.add("fix", answer.fix)
    }
    switch outcome {
    case .unauthorized(let authorization):
      object.add("authorization", authorization.status.rawValue)
      object.add("remedy", authorization.remedy)
    case .sourceFailed(let trouble, _):
      object.add("trouble", trouble.code.rawValue)
      object.add("message", "could not \(trouble.message)")
      object.add("remedy", trouble.remedy)
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
    object.add("trouble", source.trouble?.code.rawValue)
    object.add("message", source.trouble.map { "could not \($0.message)" })
    object.add("remedy", source.trouble?.remedy)
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
