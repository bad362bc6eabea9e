import WhereaboutsModel

/// A filter that drops fixes repeated after a connection was lost.
///
/// A client that reconnects in the middle of an instant receives the rest of the instant, and servers resend old
/// data. Fixes not later than the last one are dropped until a later one arrives. A time that goes back by five
/// seconds or more is accepted after three fixes in a row, as in the engine.
struct DuplicateFixFilter: Sendable {
  private static let requiredConfirmations = 3
  private static let restartThreshold = Duration.seconds(5)
  /// The number of fixes within which a receiver that sends dates sends one.
  private static let untimedFixLimit = 10

  /// The time of the last fix that passed and had a time.
  private(set) var lastTime: UTCTime?
  private var isFiltering = false
  private var earlierFixes: (time: UTCTime, count: Int)?
  private var untimedFixes = 0

  /// Marks a lost connection: the next fixes may be repeated.
  mutating func connectionLost() {
    isFiltering = lastTime != nil
    earlierFixes = nil
    untimedFixes = 0
  }

  /// Returns whether a fix with that time is new.
  mutating func accept(_ time: UTCTime?) -> Bool {
    guard isFiltering, let lastTime else {
      self.lastTime = time ?? lastTime
      return true
    }
    guard let time else {
      // The receiver sends dates, but has not sent one on this connection yet.
      untimedFixes += 1
      if untimedFixes > Self.untimedFixLimit { isFiltering = false }
      return !isFiltering
    }
    if time <= lastTime {
      let count = earlierFixes.map { time > $0.time ? $0.count + 1 : 1 } ?? 1
      earlierFixes = (time, count)
      guard count >= Self.requiredConfirmations, lastTime.since(time) >= Self.restartThreshold else {
        return false
      }
    }
    isFiltering = false
    self.lastTime = time
    return true
  }
}
