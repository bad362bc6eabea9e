import WhereaboutsCore

/// Keeps what was told already from being told again after a line was lost and found.
///
/// Whoever connects anew in the middle of an instant hears the rest of it, and servers send what they have kept. A fix
/// not later than the last one is passed over then, until one is; time that has gone back for good, by five seconds or
/// more, is believed of three fixes in a row, as an engine asks too.
struct RepeatGuard: Sendable {
  private static let agreement = 3
  private static let far = Duration.seconds(5)
  /// A receiver that tells the date will do so within as many fixes.
  private static let patience = 10

  /// The time of the last fix let through, of those that had one.
  private(set) var last: UTCTime?
  private var isWary = false
  private var behind: (time: UTCTime, count: Int)?
  private var timeless = 0

  /// The line was lost: what comes next may repeat what came.
  mutating func lineBroke() {
    isWary = last != nil
    behind = nil
    timeless = 0
  }

  /// Whether a fix made at that time is news.
  mutating func passes(_ time: UTCTime?) -> Bool {
    guard isWary, let last else {
      self.last = time ?? last
      return true
    }
    guard let time else {
      // The receiver tells the date, and has not yet done so on this line.
      timeless += 1
      if timeless > Self.patience { isWary = false }
      return !isWary
    }
    if time <= last {
      let count = behind.map { time > $0.time ? $0.count + 1 : 1 } ?? 1
      behind = (time, count)
      guard count >= Self.agreement, last.since(time) >= Self.far else { return false }
    }
    isWary = false
    self.last = time
    return true
  }
}
