/// The settings of a failover.
public struct FailoverSettings: Hashable, Sendable, Codable {
  /// The time without a fix after which the next source is switched on.
  public var patience: Duration
  /// The time for which a lost source must have delivered again before it is used again.
  public var hold: Duration
  /// The silence after which a source that gave fixes is restarted; `nil` for never. Before the first signal, half as
  /// long again, so that the source can report its own problem. Doubles with each restart without effect, up to
  /// ``longestSilence``.
  public var silence: Duration?
  /// The upper limit of ``silence`` after doublings.
  public var longestSilence: Duration
  /// Whether every source is always on, so that contradictions are seen. Costs the power of all sources; otherwise,
  /// only sources that are on anyway are compared.
  public var comparesAlways: Bool

  /// Creates settings of a failover.
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

/// The condition under which a source that is not the first choice is switched on.
public enum FallbackCondition: String, Hashable, Sendable, Codable {
  /// The better sources have no fix, for any reason; for headings also where they have no compass.
  case withoutFix
  /// The better sources can't be reached at all, have no receiver, or report that their receiver is silent. So this
  /// source deprives no other source of its receiver.
  case withoutReceiver
}
