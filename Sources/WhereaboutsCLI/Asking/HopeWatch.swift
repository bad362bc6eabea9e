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
    lines += SourceText.reasons(sources)
    lines.append("`whereabouts doctor` looks closer; with --timeout it is waited for")
    return CommandFailure(lines.joined(separator: "\n"), code: code(sources))
  }

  /// The exit code of what can be mended first: a source that is here and refused, then one in use, then an absent one.
  private static func code(_ sources: [SourceHealth]) -> CommandFailure.Code {
    let codes = sources.compactMap { $0.trouble.map { CommandFailure.Code($0.code) } }
    return [.notPermitted, .inUse, .silent].first(where: codes.contains)
      ?? (codes.allSatisfy { $0 == .absent } ? .absent : .failed)
  }
}
