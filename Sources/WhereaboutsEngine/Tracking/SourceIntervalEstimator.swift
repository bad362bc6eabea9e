import WhereaboutsModel

/// An estimator of a source's usual interval between fixes, by their arrival: the median of the last few intervals. One
/// tunnel does not change the median.
struct SourceIntervalEstimator: Sendable {
  /// The longest interval between fixes that arrive at once, from a source that delivers several at a time.
  private static let burstInterval = Duration.milliseconds(20)

  /// The intervals in nanoseconds, with the newest at any index; only the first `count` are set.
  private var intervals = SIMD8<Int64>(repeating: 0)
  private var count = 0
  private var next = 0
  private var last: Instant?

  /// The number of intervals that the median covers.
  private static let capacity = 5

  /// Records the arrival of a fix.
  mutating func recordFix(at now: Instant) {
    guard let last else {
      self.last = now
      return
    }
    let interval = now.since(last)
    guard interval >= Self.burstInterval else { return }
    self.last = now
    intervals[next] = interval.clampedNanoseconds
    next = (next + 1) % Self.capacity
    count = min(count + 1, Self.capacity)
  }

  /// Skips the interval to the next fix: no fix could arrive in it.
  mutating func skipInterval() { last = nil }

  /// The median of the last five intervals, of four or two the shorter in the middle; `nil` before the second fix.
  var median: Duration? {
    guard count > 0 else { return nil }
    // The median has as many shorter intervals as its rank requires.
    for index in 0..<count {
      let candidate = intervals[index]
      var shorter = 0
      var equal = 0
      for other in 0..<count {
        if intervals[other] < candidate { shorter += 1 } else if intervals[other] == candidate { equal += 1 }
      }
      let wanted = (count - 1) / 2
      if shorter <= wanted, wanted < shorter + equal { return .nanoseconds(candidate) }
    }
    return nil
  }
}
