package import WhereaboutsSources

/// The pace of a replay: the duration of the recording, divided by the speed.
package struct ReplayPace {
  private let speed: ReplaySpeed
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant

  /// Starts the pace.
  package init(_ speed: ReplaySpeed) {
    self.speed = speed
    start = clock.now
  }

  /// Waits until the given time since the recording's beginning is due.
  package func wait(until elapsed: Duration) async throws {
    guard case .times(let times) = speed else { return }
    let due = start.advanced(by: elapsed / times)
    if due > clock.now { try await clock.sleep(until: due) }
  }
}
