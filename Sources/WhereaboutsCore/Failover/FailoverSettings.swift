/// When one source steps in for another.
public struct FailoverSettings: Hashable, Sendable, Codable {
  /// How long a source may be without a fix until the next one is asked too.
  public var patience: Duration
  /// How long a source that was used and lost must have delivered again before it is gone back to.
  public var hold: Duration
  /// How long a source that gave fixes may be silent until it is stopped and started; `nil` for ever. Half as long again
  /// before the first word, so that a source has time to find out by itself why nothing comes. Doubles with each time
  /// that this brings nothing, up to ``longestSilence``.
  public var silence: Duration?
  /// The longest that ``silence`` grows to.
  public var longestSilence: Duration
  /// Whether every source is asked all the time, so that it is seen where they contradict each other. Costs the power of
  /// all of them; otherwise only those are compared that are on anyway.
  public var comparesAlways: Bool

  /// When one source steps in for another.
  public init(
    patience: Duration = .seconds(5), hold: Duration = .seconds(10), silence: Duration? = .seconds(10),
    longestSilence: Duration = .seconds(320), comparesAlways: Bool = false
  ) {
    self.patience = patience
    self.hold = hold
    self.silence = silence
    self.longestSilence = longestSilence
    self.comparesAlways = comparesAlways
  }
}

/// When a source that is not the first choice is asked.
public enum StandIn: String, Hashable, Sendable, Codable {
  /// Where the better ones have no fix, for whatever reason.
  case withoutFix
  /// Where the better ones can't be reached at all, have nothing to receive with, or say that their receiver is silent: so
  /// that it does not take a receiver away from one that uses it.
  case withoutReceiver
}
