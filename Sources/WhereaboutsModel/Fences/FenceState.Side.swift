extension FenceState {
  /// The side of a boundary that a device is on.
  public enum Side: String, Hashable, Sendable, Codable {
    /// The side is not certain yet.
    case unknown
    /// Inside.
    case inside
    /// Outside.
    case outside
  }
}
