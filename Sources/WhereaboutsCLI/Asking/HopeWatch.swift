import Whereabouts
import WhereaboutsCore

/// Sees when none of the sources can come to a fix by itself: none can be reached, or has anything to receive with.
struct HopeWatch: Sendable {
  /// What is asked may be starting, and it takes a source a moment to find out.
  private static let patience = Duration.seconds(3)
  private static let look = Duration.milliseconds(250)

  let manager: LocationManager

  /// Waits until there has been no hope for a while.
  ///
  /// - Returns: how each source is doing then; `nil` where the task was cancelled.
  func end() async -> [SourceHealth]? {
    let clock = ContinuousClock()
    var since: ContinuousClock.Instant?
    while (try? await clock.sleep(for: Self.look)) != nil {
      let sources = await manager.status.sources
      guard Self.isHopeless(sources) else {
        since = nil
        continue
      }
      let began = since ?? clock.now
      since = began
      if clock.now - began >= Self.patience { return sources }
    }
    return nil
  }

  static func isHopeless(_ sources: [SourceHealth]) -> Bool {
    sources.contains { $0.state == .failed } && sources.allSatisfy { $0.state == .failed || $0.state == .off }
  }

  /// What to tell a person then.
  static func failure(_ sources: [SourceHealth]) -> CommandFailure {
    var lines = ["no source delivers"]
    for source in sources {
      guard let trouble = source.trouble else { continue }
      lines.append("  \(source.name): could not \(trouble.message)\(trouble.remedy.map { ". \($0)" } ?? "")")
    }
    lines.append("`whereabouts doctor` looks closer; with --timeout it is waited for")
    let isRefused = sources.contains { $0.trouble?.code == .notPermitted }
    return CommandFailure(lines.joined(separator: "\n"), code: isRefused ? .notPermitted : .failed)
  }
}
