import Whereabouts
import WhereaboutsCore

/// A fix that is good enough for a fence around it.
struct FixNow {
  let source: SourceArgument
  /// Metres of the fence.
  let radius: Double
  /// How good it must be, where that was said.
  let accuracy: AccuracyLevel?
  let timeout: Duration?

  private static let patience = Duration.seconds(30)

  /// Half of the radius, so that the place that is meant is surely inside, and what a receiver reaches outdoors.
  private var level: AccuracyLevel {
    let house = AccuracyLevel.house
    return accuracy
      ?? AccuracyLevel.custom(worstAccuracy: min(radius / 2, house.worstAccuracy), maxAge: house.maxAge)
      ?? house
  }

  /// Waits for it.
  ///
  /// - Throws: where none comes that is good enough, with how good the best was.
  func fix(for id: String) async throws(CommandFailure) -> Fix {
    let manager =
      if case .replay(let replay) = source {
        LocationManager(source: replay.source(until: nil))
      } else {
        LocationManager(source: try source.live(), clock: .system)
      }
    let wait = timeout ?? Self.patience
    let outcome = await manager.request(level, timeout: wait).outcome
    if case .reached(let answer) = outcome { return answer.fix }
    let text = OutcomeText(outcome: outcome, level: level, timeout: wait, settle: nil)
    let best = outcome.answer?.fix.horizontalAccuracy.map { ": ±\(Quantities.accuracy($0))" } ?? ""
    throw CommandFailure(
      "could not make a fence here: \(text.sentence)\(best). No fence was added", code: text.code ?? .failed)
  }
}
