/// A record that a fence watch emits.
public enum FenceRecord: Hashable, Sendable, Codable {
  /// An event occurred.
  case event(FenceEvent)
  /// A late fix changed the reported event of the given id; `nil` if the event did not happen.
  case revised(FenceEvent.ID, FenceEvent?)
  /// A decision was made.
  case decided(FenceDecision)
  /// A fence was removed, after its one event or at its expiry.
  case removed(FenceID, because: RemovalReason)
}

extension FenceRecord {
  /// The reason for which a fence was removed.
  public enum RemovalReason: String, Hashable, Sendable, Codable {
    /// The fence was for one event.
    case once
    /// The fence expired.
    case expired
  }
}
