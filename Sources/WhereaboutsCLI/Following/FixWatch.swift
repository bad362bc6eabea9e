import Whereabouts
import WhereaboutsCore

/// Fixes as lines.
struct FixWatch: Sendable {
  let output: FixOutputOptions

  /// Prints fixes until they end, enough have come, the task is cancelled or nobody reads them any more.
  func run(_ updates: UpdateStream, _ lines: inout LiveLines) async throws {
    for await update in updates {
      switch update {
      case .trouble(let trouble): try LiveLines.report(trouble)
      case .authorization(let authorization): try LiveLines.report(authorization)
      case .fix(let fix, let dropped):
        LiveLines.report(dropped: dropped)
        guard try lines.write({ output.write(fix, to: $0) }) else { return }
      }
    }
  }
}
