package import WhereaboutsModel

/// A detector of interruptions in a history.
package struct HistorySegmenter {
  package let gap: Duration
  /// The number of segments.
  package private(set) var count = 0
  private var last: UTCTime?
  /// The ends of the gaps that begin a segment, in their order.
  private var ends: ArraySlice<UTCTime>

  /// Creates a detector.
  ///
  /// - Parameters:
  ///   - gap: the time without a fix after which a new segment begins.
  ///   - gaps: the gaps of a trip. A segment also begins after each gap for which nothing was counted: otherwise the
  ///     segments would be longer than the trip.
  package init(gap: Duration, gaps: [Trip.Gap] = []) {
    self.gap = gap
    ends = gaps.filter { $0.gap.counted == 0 && $0.gap.uncertainty == 0 }.map(\.end).sorted()[...]
  }

  /// Returns whether a new segment begins with the next fix.
  package mutating func begins(at time: UTCTime?) -> Bool {
    defer { last = time ?? last }
    let isFirst = count == 0
    let isAfterGap = time.flatMap { time in last.map { time.since($0) > gap } } ?? false
    let isAfterInterruption = skipEnds(to: time)
    guard isFirst || isAfterGap || isAfterInterruption else { return false }
    count += 1
    return true
  }

  /// Returns whether a gap has ended since the last fix.
  private mutating func skipEnds(to time: UTCTime?) -> Bool {
    guard let time, let first = ends.first, first <= time else { return false }
    ends = ends.drop { $0 <= time }
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
