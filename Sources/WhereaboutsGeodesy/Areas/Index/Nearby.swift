extension AreaIndex {
  /// An area that contains a place or is near the place.
  public struct Nearby: Hashable, Sendable {
    /// The key of the area.
    public var key: UInt32
    /// The signed distance from the place to the area's boundary.
    public var distance: SignedDistance

    /// Creates an area with its distance.
    public init(key: UInt32, distance: SignedDistance) {
      self.key = key
      self.distance = distance
    }
  }
}
