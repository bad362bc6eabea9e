import WhereaboutsModel

/// How often a source usually gives a fix, by when they came: the median of the last few intervals, which one tunnel
/// does not change.
struct SourceIntervalEstimator: Sendable {
  /// Fixes closer together come at once: a source that gives several at a time.
  private static let burstInterval = Duration.milliseconds(20)

  /// Nanoseconds, the newest anywhere; only the first `count` are set.
  private var intervals = SIMD8<Int64>(repeating: 0)
  private var count = 0
  private var next = 0
  private var last: Instant?

  /// How many intervals are looked at.
  private static let capacity = 5

  /// A fix has come.
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

  /// What comes next is not compared with what came before: in between no fix could come.
  mutating func skipInterval() { last = nil }

  /// The median of the last five intervals, of four or two the shorter in the middle; `nil` before the second fix.
  var median: Duration? {
    guard count > 0 else { return nil }
    // The one that as many are shorter than as there are to be.
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
