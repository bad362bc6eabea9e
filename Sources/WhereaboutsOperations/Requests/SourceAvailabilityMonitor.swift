package import Whereabouts
package import WhereaboutsModel
import WhereaboutsReports

/// A monitor that detects when no source can deliver a fix. No source is then reachable, or has a receiver.
package struct SourceAvailabilityMonitor: Sendable {
  /// The time that a starting source needs to determine its state.
  private static let gracePeriod = Duration.seconds(3)
  private static let pollInterval = Duration.milliseconds(250)

  package let manager: LocationManager

  package init(manager: LocationManager) {
    self.manager = manager
  }

  /// Waits until all sources have been unavailable for the grace period.
  ///
  /// - Returns: the health of each source; `nil` if the task was cancelled.
  func waitUntilUnavailable() async -> [SourceHealth]? {
    let clock = ContinuousClock()
    var since: ContinuousClock.Instant?
    while (try? await clock.sleep(for: Self.pollInterval)) != nil {
      let sources = await manager.status.sources
      guard Self.areUnavailable(sources) else {
        since = nil
        continue
      }
      let began = since ?? clock.now
      since = began
      if clock.now - began >= Self.gracePeriod { return sources }
    }
    return nil
  }

  /// Completes a request when all sources have been unavailable for the grace period.
  ///
  /// - Returns: as ``waitUntilUnavailable()``.
  package func completeWhenUnavailable(_ request: LocationRequest) async -> [SourceHealth]? {
    let sources = await waitUntilUnavailable()
    if sources != nil { request.completeNow() }
    return sources
  }

  /// Returns whether every source has failed or is off, and at least one has failed.
  static func areUnavailable(_ sources: [SourceHealth]) -> Bool {
    sources.contains { $0.state == .failed } && sources.allSatisfy { $0.state == .failed || $0.state == .off }
  }

  /// Returns the error for unavailable sources.
  package static func failure(_ sources: [SourceHealth]) -> CommandError {
    var lines = ["no source delivers fixes"]
    lines += SourceText.reasons(sources)
    lines.append("Run `whereabouts doctor` to check the sources, or pass --timeout to wait for a source.")
    return CommandError(lines.joined(separator: "\n"), code: exitCode(sources))
  }

  /// Returns the exit code of the problem that is easiest to solve. A refused source precedes a source in use and an
  /// absent source.
  private static func exitCode(_ sources: [SourceHealth]) -> CommandError.Code {
    let codes = sources.compactMap { $0.problem.map { CommandError.Code($0.code) } }
    return [.notPermitted, .inUse, .silent].first(where: codes.contains)
      ?? (codes.allSatisfy { $0 == .absent } ? .absent : .failed)
  }
}
