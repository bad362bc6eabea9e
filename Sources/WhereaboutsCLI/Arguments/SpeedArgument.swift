import ArgumentParser
import WhereaboutsSources

/// The speed of a replay: `1` as recorded, `60` for one minute per second, `max` for no delay.
///
/// The speed lies between 0.001 and 1,000,000.
struct SpeedArgument: Hashable, Sendable {
  var replaySpeed: ReplaySpeed

  static let unlimited = SpeedArgument(replaySpeed: .asFastAsPossible)

  static func times(_ factor: Double) -> SpeedArgument { SpeedArgument(replaySpeed: .times(factor)) }
}

extension SpeedArgument: ExplainedArgument {
  static let form =
    "Write max, or a factor from 0.001 to 1000000, as in 1 for the speed of the recording, or 60"

  init?(argument: String) {
    guard let speed = ReplaySpeed(argument) else { return nil }
    replaySpeed = speed
  }

  static var defaultCompletionKind: CompletionKind { .list(["max", "1", "10", "60"]) }
}
