/// The phase of a tracker.
public enum TrackPhase: String, Hashable, Sendable, Codable, CaseIterable {
  /// The source is on, and nothing is counted.
  case prepared
  /// The distance is counted.
  case counting
  /// Nothing is counted, and the source is not needed.
  case stopped
}

extension TrackPhase {
  /// A command to a tracker.
  public enum Command: String, Hashable, Sendable, Codable, CaseIterable {
    /// Switch the source on and measure the signal; nothing is counted yet. A counting tracker stops counting, with the
    /// source on.
    case prepare
    /// Start counting.
    case start
    /// Stop counting, and release the source. The count stays; the track until the next start is not counted.
    case stop
    /// Clear the count, and ignore every fix from before now.
    case reset
  }

  /// The cause of a tracker's phase.
  public enum Cause: Hashable, Sendable, Codable {
    /// A command was carried out.
    case asked(Command)
    /// Fixes are not allowed.
    case unauthorized(Authorization)
    /// The source can't deliver and has given up.
    case sourceFailed(SourceProblem)
    /// The source has ended, with its problem, if any. The tracker has ended.
    case sourceEnded(SourceProblem?)
    /// The tracker was released and has ended.
    case released
    /// The trip of the tracker's name has ended, before the tracker was made or while another tracker had the trip. The
    /// tracker has ended.
    case tripEnded(TripID)
  }
}
