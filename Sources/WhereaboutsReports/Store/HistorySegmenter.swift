package import WhereaboutsModel

/// A detector of interruptions in a history.
package struct HistorySegmenter {
  package let gap: Duration
  /// The number of segments.
  package private(set) var count = 0
  private var last: UTCTime?

  package init(gap: Duration) { self.gap = gap }

  /// Returns whether a new segment begins with the next fix.
  package mutating func begins(at time: UTCTime?) -> Bool {
    defer { last = time ?? last }
    let isFirst = count == 0
    let isAfterGap = time.flatMap { time in last.map { time.since($0) > gap } } ?? false
    guard isFirst || isAfterGap else { return false }
    count += 1
    return true
  }
}

extension Trip {
  /// The time from the first fix to the last settled fix; `nil` without a settled track.
  package var span: Range<UTCTime>? {
    guard let began, let settledTo, began <= settledTo else { return nil }
    return began..<settledTo.advanced(by: .nanoseconds(1))
  }
}
