/// The time of listening to the sources of one examination.
struct ListeningPeriod: Sendable {
  /// The longest time if none is given. The slowest result is that of a serial line whose bytes make no sense: after up
  /// to 2 s for the query of gpsd, nine speeds are tried for 2.2 s each, and the last bytes are judged a second later.
  /// A silent receiver and a gpsd without a greeting are known after 5 s, a gpsd without a reply or with a silent
  /// receiver after 8 s.
  static let standardLimit = Duration.seconds(25)
  /// The time in which a source that works sends everything once: fixes, satellites, or that it has no position. Also
  /// the time for which the other sources are heard where one has delivered.
  static let patience = Duration.seconds(5)

  /// The longest time.
  let limit: Duration
  /// Whether listening to a source ends with its result, since no time was given.
  let endsWithResult: Bool
  let deadline: ContinuousClock.Instant
  private let monitor = DeliveryMonitor()

  /// Begins a period.
  ///
  /// - Parameter wait: the time of listening; `nil` listens until each source has its result.
  init(_ wait: Duration?) {
    limit = wait ?? Self.standardLimit
    endsWithResult = wait == nil
    deadline = ContinuousClock.now + limit
  }

  /// Returns whether listening to a source ends before the limit.
  func isOver(for result: ListenResult, after elapsed: Duration) async -> Bool {
    if result.fixes > 0 { await monitor.recordDelivery() }
    if result.isComplete(after: elapsed) { return true }
    guard endsWithResult else { return false }
    if result.hasReason(after: elapsed) { return true }
    // One source that delivers is enough: slow reasons of the others are not waited for.
    guard elapsed >= Self.patience else { return false }
    return await monitor.hasDelivery
  }
}

/// A monitor of whether any source of an examination has delivered.
private actor DeliveryMonitor {
  private(set) var hasDelivery = false

  func recordDelivery() { hasDelivery = true }
}
