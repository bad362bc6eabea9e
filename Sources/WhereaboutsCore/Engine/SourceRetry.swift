/// The time at which a source that has given up is asked again by itself, for whoever still needs it.
///
/// Each failure doubles the pause, because each try may switch a receiver on; a fix that is used resets it.
struct SourceRetry: Sendable {
  static let firstPause = Duration.seconds(10)
  static let longestPause = Duration.seconds(600)

  private var pause = firstPause
  /// The next try; `nil` where the source has not given up, or was asked again and has not answered yet.
  private(set) var due: Instant?

  /// The source has given up.
  mutating func fail(at now: Instant) {
    due = now.advanced(by: pause)
    pause = min(pause * 2, Self.longestPause)
  }

  /// The source was asked again, by whomever.
  mutating func ask() { due = nil }

  /// The source delivers.
  mutating func succeed() {
    due = nil
    pause = Self.firstPause
  }
}

extension Engine {
  /// Whether a source that has given up is to be asked once more: the pause is over and somebody still needs it.
  func isSourceRetryDue(at now: Instant) -> Bool {
    nextSourceRetry.map { $0 <= now } ?? false
  }

  /// The instant at which a source that has given up is asked again by itself.
  var nextSourceRetry: Instant? {
    guard case .failed = status.source, told.demand != .off else { return nil }
    return sourceRetry.due
  }
}
