import Synchronization

/// The limit of log lines whose cause repeats, as a phone tries again and again: one an hour for each key.
final class HourlyLogLimit<Key: Hashable & Sendable>: Sendable {
  private let times = Mutex<[Key: ContinuousClock.Instant]>([:])

  /// Returns whether to log a line about a key now. The line counts as logged then.
  func claimLine(about key: Key, at now: ContinuousClock.Instant) -> Bool {
    times.withLock { times in
      if let last = times[key], now - last < .seconds(3600) { return false }
      // Keys that are of no use any more must not fill the memory.
      times = times.filter { now - $0.value < .seconds(3600) }
      times[key] = now
      return true
    }
  }
}
