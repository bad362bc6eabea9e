import WhereaboutsModel

/// Requests that somebody follows, in the order they were made, and some that have ended since.
///
/// Those that have ended are dropped together now and then, so that to end a request costs nothing here.
struct FollowedRequests: Sendable {
  private(set) var ids: [RequestID] = []

  /// Takes one in that is open, unless it is there.
  ///
  /// - Parameter isOpen: whether a request has not ended; so many are.
  mutating func insert(_ id: RequestID, open count: Int, where isOpen: (RequestID) -> Bool) {
    if ids.count > 2 * count + 64 { forgetEnded(where: isOpen) }
    var low = 0
    var high = ids.count
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    guard low == ids.count || ids[low] != id else { return }
    ids.insert(id, at: low)
  }

  /// Drops those that have ended.
  mutating func forgetEnded(where isOpen: (RequestID) -> Bool) {
    ids.removeAll { !isOpen($0) }
  }
}
