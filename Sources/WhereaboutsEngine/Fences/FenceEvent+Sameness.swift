import WhereaboutsModel

extension FenceEvent {
  /// Returns whether another event is of the same crossing or stay, as evaluated with other fixes.
  func isSame(as other: FenceEvent) -> Bool {
    fence == other.fence && kind == other.kind
      && time.seconds(since: other.time).magnitude <= Self.sameEventTolerance
  }

  /// The largest difference in seconds between two times of the same crossing.
  private static let sameEventTolerance = 60.0
}
