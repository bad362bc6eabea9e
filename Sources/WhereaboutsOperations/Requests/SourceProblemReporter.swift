import Whereabouts
package import WhereaboutsModel
import WhereaboutsReports

/// A reporter that collects the sources' problems for the end of a request. The reporter can also print each new
/// problem on standard error.
package actor SourceProblemReporter {
  /// The delay before the first report. A request that is answered sooner reports no problems.
  private static let startDelay = Duration.milliseconds(3_500)
  private static let pollInterval = Duration.milliseconds(250)

  /// The last health of each source that was active.
  private var sources: [SourceHealth] = []
  private var reported: [String: SourceProblem] = [:]

  package init() {}

  /// Updates the health of the sources.
  package func update(with new: [SourceHealth]) {
    // Inactive sources have no reasons.
    guard new.contains(where: { $0.state != .off }) else { return }
    sources = new
  }

  /// Returns the sources that explain an outcome: all of them without a fix, and those with a problem beside a fix that
  /// is not good enough.
  package func sources(explaining outcome: RequestOutcome) -> [SourceHealth] {
    switch outcome {
    case .reached, .settled: []
    default: outcome.answer == nil ? sources : sources.filter { $0.problem != nil }
    }
  }

  /// Reports each new reason until the task is cancelled.
  package func reportUntilCancelled() async {
    let clock = ContinuousClock()
    guard (try? await clock.sleep(for: Self.startDelay)) != nil else { return }
    repeat {
      for source in sources where source.problem != reported[source.name] {
        reported[source.name] = source.problem
        if source.problem != nil { StandardError.print("whereabouts: \(Self.waitingText(source))") }
      }
    } while (try? await clock.sleep(for: Self.pollInterval)) != nil
  }

  /// Returns `gpsd: could not reach gpsd. Start it. Waiting.`, or `; waiting` after a reason without a remedy.
  static func waitingText(_ source: SourceHealth) -> String {
    let reason = SourceText.reason(source)
    return reason.hasSuffix(".") ? "\(reason) Waiting." : "\(reason); waiting"
  }
}
