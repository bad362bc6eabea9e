import WhereaboutsModel

/// The timer that retries a source that has given up, while a consumer needs it.
///
/// Each failure doubles the pause, because each try may switch a receiver on; a used fix resets the pause.
struct SourceRetry: Sendable {
  static let firstPause = Duration.seconds(10)
  static let longestPause = Duration.seconds(600)

  private var pause = firstPause
  /// The instant of the next retry; `nil` where the source has not given up, or has not answered the last retry yet.
  private(set) var nextRetry: Instant?

  /// Records that the source has given up.
  mutating func recordFailure(at now: Instant) {
    nextRetry = now.advanced(by: pause)
    pause = min(pause * 2, Self.longestPause)
  }

  /// Records a retry, automatic or not.
  mutating func recordRetry() { nextRetry = nil }

  /// Records that the source delivers.
  mutating func recordDelivery() {
    nextRetry = nil
    pause = Self.firstPause
  }
}

extension Engine {
  /// Returns whether a retry is due: the pause is over and the source is still needed.
  func isSourceRetryDue(at now: Instant) -> Bool {
    nextSourceRetry.map { $0 <= now } ?? false
  }

  /// The instant of the next automatic retry.
  var nextSourceRetry: Instant? {
    guard case .failed = status.source, reported.demand != .off else { return nil }
    return sourceRetry.nextRetry
  }
}
