import WhereaboutsSources

/// Makes a replay take as long as the recording did, divided by its speed.
struct ReplayPace {
  private let speed: SpeedArgument
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant

  /// The replay begins now.
  init(_ speed: SpeedArgument) {
    self.speed = speed
    start = clock.now
  }

  /// Waits until what came so long after the recording's beginning is due.
  func wait(until elapsed: Duration) async throws {
    guard case .times(let times) = speed.replaySpeed else { return }
    let due = start.advanced(by: elapsed / times)
    if due > clock.now { try await clock.sleep(until: due) }
  }
}
