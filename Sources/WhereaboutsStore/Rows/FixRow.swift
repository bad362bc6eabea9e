import WhereaboutsCore

/// The columns of a row of history.
enum FixRow {
  /// Where the time of a row comes from.
  enum Timing: Int64 {
    /// The fix said it.
    case own = 0
    /// The fix had none: it is when the fix was taken, by the clock of the fixes.
    case seen = 1
    /// Nor was there a clock of the fixes: it is the wall clock's when it was committed.
    case wall = 2
  }

  static let names = ["device", "time", "seq", "timing", "seen", "use"] + FixColumns.names

  static let insert = """
    INSERT INTO fix (\(names.joined(separator: ", "))) \
    VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
    """

  /// What ``fix(of:)`` reads, in its order.
  static let selected = names.dropFirst().joined(separator: ", ")

  /// Columns of ``selected`` by which rows are chosen before they are read.
  static let timeColumn: Int32 = 0, seqColumn: Int32 = 1, useColumn: Int32 = 4

  static func time(of seen: SeenFix, wall: () -> UTCTime) -> (UTCTime, Timing) {
    if let time = seen.fix.time { return (time, .own) }
    if let time = seen.seen { return (time, .seen) }
    return (wall(), .wall)
  }

  static func bind(
    _ seen: SeenFix, device: Int64, seq: Int64, at time: UTCTime, _ timing: Timing, to statement: Statement
  ) {
    statement.bind(device, 1)
    statement.bind(time.nanosecondsSince1970, 2)
    statement.bind(seq, 3)
    statement.bind(timing.rawValue, 4)
    statement.bind(seen.seen?.nanosecondsSince1970, 5)
    statement.bind(seen.use.rawValue, 6)
    FixColumns.bind(seen.fix, to: statement, from: 7)
  }

  /// Reads a row of ``selected``.
  static func fix(of statement: Statement) throws -> StoredFix {
    let time = UTCTime(nanosecondsSince1970: statement.int(0))
    let isTimed = statement.int(2) == Timing.own.rawValue
    let name = statement.text(4)
    guard let use = SeenFix.Use(rawValue: name) else {
      throw UnreadableRow(what: "column use of a fix is '\(name)'")
    }
    let fix = try FixColumns.fix(of: statement, from: 5, time: isTimed ? time : nil)
    let seen = statement.optionalInt(3).map(UTCTime.init(nanosecondsSince1970:))
    return StoredFix(
      seq: UInt64(clamping: statement.int(1)), rowTime: time, fix: SeenFix(fix, use: use, seen: seen))
  }
}
