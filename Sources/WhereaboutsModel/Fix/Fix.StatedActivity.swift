extension Fix {
  /// The activity of the device, as a source states it for a fix.
  ///
  /// It differs from ``Activity``, which the caller expects, from ``Motion``, which the engine finds, and from the
  /// transport mode of a journey, which is derived from all fixes of the journey.
  ///
  /// The raw values are the words of the JSON form.
  public enum StatedActivity: String, Hashable, Sendable, Codable, CaseIterable {
    /// At rest.
    case still
    /// On foot, but for running.
    case walking
    /// Running.
    case running
    /// By bicycle.
    case cycling
    /// By a road vehicle.
    case driving
    /// By train, underground railway or tram.
    case rail
    /// In the air.
    case flying
    /// On the water.
    case boating
  }
}
