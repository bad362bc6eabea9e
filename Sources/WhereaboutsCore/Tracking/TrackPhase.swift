/// What a tracker can be told to do.
public enum TrackCommand: String, Hashable, Sendable, Codable, CaseIterable {
  /// Turn the source on and see how strong the signal is; nothing is counted yet. A tracker that counts goes on no
  /// further, with the source on.
  case prepare
  /// Count from here on.
  case start
  /// Count no further, and let the source rest. What was counted stays; the way until the next start is not counted.
  case stop
  /// Forget what was counted, and every fix from before now.
  case reset
}

/// What a tracker is doing.
public enum TrackPhase: String, Hashable, Sendable, Codable, CaseIterable {
  /// The source is on, and nothing is counted.
  case prepared
  /// The way is counted.
  case counting
  /// Nothing is counted, and the source is not needed.
  case stopped
}

/// Why a tracker does what it is doing.
public enum TrackPhaseCause: Hashable, Sendable, Codable {
  /// It was told to, and could.
  case asked(TrackCommand)
  /// Fixes may not be had.
  case unauthorized(Authorization)
  /// The source can't deliver and has given up.
  case sourceFailed(SourceTrouble)
  /// The source has told all it had; the trouble it ended with, if any. The tracker is over.
  case sourceEnded(SourceTrouble?)
  /// Nobody wants it any more. The tracker is over.
  case released
}
