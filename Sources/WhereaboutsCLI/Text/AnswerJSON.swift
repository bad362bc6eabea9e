import WhereaboutsCore
import WhereaboutsFormats

/// An answer as one JSON object: `outcome`, `level`, `age` in seconds, and the `fix` in its documented form.
///
/// `outcome` is `reached`, `timedOut`, `sourceEnded` or `sourceFailed`; `level` is the best standard level that the fix
/// reached when the answer was given, and left out where it reached none.
struct AnswerJSON {
  let answer: Answer
  let outcome: RequestOutcome

  /// The object's text, without an end of line.
  var bytes: [UInt8] {
    var object = JSONObject()
    object.add("outcome", name)
    object.add("level", answer.level?.name)
    object.add("age", answer.age.inSeconds)
    object.add("fix", answer.fix)
    return object.bytes
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
