import Whereabouts
import WhereaboutsCore

/// Keeps why no source delivers, for the end of a request, and reports each reason on standard error if that is wanted.
actor SourceReasons {
  /// Reasons of a request that is answered sooner are of no interest.
  private static let patience = Duration.milliseconds(3_500)
  private static let look = Duration.milliseconds(250)

  /// How each source was doing when it was last asked for something.
  private(set) var sources: [SourceHealth] = []
  private var reported: [String: SourceTrouble] = [:]

  /// How the sources are doing has changed.
  func take(_ new: [SourceHealth]) {
    // Once nothing is asked of them any more, they have no reasons.
    guard new.contains(where: { $0.state != .off }) else { return }
    sources = new
  }

  /// Reports each new reason until the task is cancelled.
  func report() async {
    let clock = ContinuousClock()
    guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
    repeat {
      for source in sources where source.trouble != reported[source.name] {
        reported[source.name] = source.trouble
        if source.trouble != nil { StandardError.say("whereabouts: \(SourceText.reason(source)); waiting") }
      }
    } while (try? await clock.sleep(for: Self.look)) != nil
  }
}
