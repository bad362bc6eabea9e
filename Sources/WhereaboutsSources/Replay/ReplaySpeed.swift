import WhereaboutsCore

/// How fast a recording is played.
public enum ReplaySpeed: Hashable, Sendable {
  /// Without waiting.
  case asFastAsPossible
  /// So many times as fast as it was recorded; 1 is true speed. What is not above 0 counts as 1.
  case times(Double)

  /// How long to wait in truth for a time that passed in the recording.
  ///
  /// At most thirty million years: a duration can't hold much more.
  func trueDuration(of recorded: Duration) -> Duration {
    switch self {
    case .asFastAsPossible: .zero
    case .times(let factor) where factor > 0: .seconds(min(recorded.inSeconds / factor, 1e15))
    case .times: recorded
    }
  }
}
