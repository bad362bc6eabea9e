/// A tracker that counts under a name, as of one moment: what must outlive a process.
public struct TripSnapshot: Hashable, Sendable, Codable, Identifiable {
  /// The name.
  public let id: TripID
}
