/// How good the fixes are that a tracker gets.
public enum SignalStrength: String, Hashable, Sendable, Codable, CaseIterable {
  /// There is no fix yet, or none any more: the source is silent, or says that it can't deliver.
  case invalid
  /// The last fix is worse than asked for.
  case weak
  /// It has been weak, or absent, for so long that a wider limit holds until it is strong again.
  case consistentlyWeak
  /// The last fix is as good as asked for.
  case strong
}

/// When a signal is strong, weak, or weak for good. The standards are those of CYLocationManager.
public struct SignalSettings: Hashable, Sendable, Codable {
  /// The accuracy, in metres at 68 %, up to which a fix is strong.
  public var requiredAccuracy: Double
  /// The accuracy, in metres at 68 %, that will do once the signal is consistently weak.
  public var acceptableAccuracy: Double
  /// How long a signal must be weak, or absent, to be so consistently.
  public var recheck: Duration
  /// How long the source may be silent before it is stopped and started; `nil` for ever, and at least a second.
  ///
  /// Counts while fixes may be had and the source has not said why there are none. Of a source that is slow three times
  /// its usual interval is borne where that is longer; usual is the median of the last five. One that stays silent is left
  /// in peace for twice as long each time, up to 32 times as long, so that a receiver without a sky can find satellites.
  public var longestSilence: Duration?

  /// Limits of a signal.
  public init(
    requiredAccuracy: Double = 20, acceptableAccuracy: Double = 70, recheck: Duration = .seconds(15),
    longestSilence: Duration? = .seconds(10)
  ) {
    self.requiredAccuracy = requiredAccuracy
    self.acceptableAccuracy = acceptableAccuracy
    self.recheck = recheck
    self.longestSilence = longestSilence
  }
}
