/// The signal strength of a tracker: the quality of its fixes.
public enum SignalStrength: String, Hashable, Sendable, Codable, CaseIterable {
  /// No fix has arrived yet, or the source is silent, or it reports that it can't deliver.
  case invalid
  /// The last fix is worse than required.
  case weak
  /// The signal has been weak, or absent, for so long that a wider limit applies until it is strong again.
  case consistentlyWeak
  /// The last fix is as good as required.
  case strong
}

extension SignalStrength {
  /// The thresholds that classify a signal as strong or consistently weak. The standard values are those of
  /// CYLocationManager.
  public struct Settings: Hashable, Sendable, Codable {
    /// The accuracy, in metres at 68 %, at or below which a fix is strong.
    public var requiredAccuracy: Double
    /// The accuracy, in metres at 68 %, that is accepted while the signal is consistently weak.
    public var acceptableAccuracy: Double
    /// The time for which a signal must be weak, or absent, to be consistently weak.
    public var recheck: Duration
    /// The time without a fix after which the source is restarted, at least a second; `nil` for never.
    ///
    /// The time counts while fixes are allowed and the source has not reported a problem. For a slow source, three
    /// times its usual interval counts where that is longer; the usual interval is the median of the last five. Each
    /// restart without a fix doubles the time, up to 32 times as long, so that a receiver without a sky can find
    /// satellites.
    public var longestSilence: Duration?

    /// Creates the thresholds. An accuracy that is negative or not a number counts as the standard one, and a negative
    /// time of recheck as zero.
    public init(
      requiredAccuracy: Double = 20, acceptableAccuracy: Double = 70, recheck: Duration = .seconds(15),
      longestSilence: Duration? = .seconds(10)
    ) {
      self.requiredAccuracy = requiredAccuracy >= 0 ? requiredAccuracy : 20
      self.acceptableAccuracy = acceptableAccuracy >= 0 ? acceptableAccuracy : 70
      self.recheck = max(.zero, recheck)
      self.longestSilence = longestSilence
    }

    /// The same thresholds with invalid values replaced: they may have been changed or decoded since they were made.
    package var validated: Settings {
      Settings(
        requiredAccuracy: requiredAccuracy, acceptableAccuracy: acceptableAccuracy, recheck: recheck,
        longestSilence: longestSilence)
    }
  }
}
