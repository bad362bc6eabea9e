extension AreaIndex {
  /// An area that contains a place or is near it.
  public struct Nearby: Hashable, Sendable {
    /// The key it was put in as.
    public var key: UInt32
    /// How far the place is from its boundary, and on which side.
    public var distance: SignedDistance

    /// An area and the distance to it.
    public init(key: UInt32, distance: SignedDistance) {
      self.key = key
      self.distance = distance
    }
  }
}
