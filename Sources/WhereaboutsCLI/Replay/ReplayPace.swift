import WhereaboutsSources

/// The pace of a replay: the duration of the recording, divided by the speed.
struct ReplayPace {
  private let speed: SpeedArgument
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant

  /// Starts the pace.
  init(_ speed: SpeedArgument) {
    self.speed = speed
    start = clock.now
  }

  /// Waits until the given time since the recording's beginning is due.
  func wait(until elapsed: Duration) async throws {
    guard case .times(let times) = speed.replaySpeed else { return }
    let due = start.advanced(by: elapsed / times)
    if due > clock.now { try await clock.sleep(until: due) }
  }
}
