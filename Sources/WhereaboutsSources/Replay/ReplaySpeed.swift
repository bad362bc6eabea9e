import WhereaboutsModel

/// The speed of a replay.
public enum ReplaySpeed: Hashable, Sendable {
  /// As fast as possible, without waiting.
  case asFastAsPossible
  /// A multiple of the recorded speed; 1 is real time. A value not above 0 counts as 1.
  case times(Double)

  /// Returns the real time for a recorded time.
  ///
  /// At most thirty million years, near the limit of a duration.
  func trueDuration(of recorded: Duration) -> Duration {
    switch self {
    case .asFastAsPossible: .zero
    case .times(let factor) where factor > 0: .seconds(min(recorded.inSeconds / factor, 1e15))
    case .times: recorded
    }
  }
}
