import WhereaboutsModel

/// The followed requests, in the order they were made, and some that have ended since.
///
/// Ended requests are dropped together at intervals, so that the end of a request costs nothing here.
struct FollowedRequests: Sendable {
  private(set) var ids: [RequestID] = []

  /// Inserts an open request, unless it is present.
  ///
  /// - Parameters:
  ///   - count: the number of open requests.
  ///   - isOpen: whether a request has not ended.
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

  /// Drops the ended requests.
  mutating func forgetEnded(where isOpen: (RequestID) -> Bool) {
    ids.removeAll { !isOpen($0) }
  }
}
