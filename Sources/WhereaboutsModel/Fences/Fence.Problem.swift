extension Fence {
  /// The reason for which a fence can't be added.
  public enum Problem: Error, Hashable, Sendable, Codable {
    /// A fence with this id exists already.
    case duplicate(FenceID)
    /// The fence's active hours name an unknown time zone. The string is its name.
    case unknownTimeZone(FenceID, String)
  }
}
