import WhereaboutsModel

/// The columns of a history row.
package enum FixRow {
  /// The origin of a row's time.
  enum Timing: Int64 {
    /// The fix's own time.
    case fromFix = 0
    /// The fix had no time: the time of arrival, by the clock of the fixes.
    case fromArrival = 1
    /// The clock of the fixes was unknown too: the wall clock's time at the commit.
    case fromWallClock = 2
    /// The fix's own time, in a recording of the past that was imported. No engine processes such a fix again.
    case imported = 3
  }

  static let names = ["device", "time", "seq", "timing", "seen", "use"] + FixColumns.names

  static let insert = """
    INSERT INTO fix (\(names.joined(separator: ", "))) \
    VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
    """

  /// The columns that ``fix(of:)`` reads, in order.
  package static let selected = names.dropFirst().joined(separator: ", ")

  /// The columns of ``selected`` that filter rows before decoding.
  package static let timeColumn: Int32 = 0, seqColumn: Int32 = 1, useColumn: Int32 = 4

  static func time(of logged: LoggedFix, wall: () -> UTCTime) -> (UTCTime, Timing) {
    if let time = logged.fix.time { return (time, .fromFix) }
    if let time = logged.seen { return (time, .fromArrival) }
    return (wall(), .fromWallClock)
  }

  static func bind(
    _ logged: LoggedFix, device: Int64, seq: Int64, at time: UTCTime, _ timing: Timing,
    to statement: Statement
  ) {
    statement.bind(device, 1)
    statement.bind(time.nanosecondsSince1970, 2)
    statement.bind(seq, 3)
    statement.bind(timing.rawValue, 4)
    statement.bind(logged.seen?.nanosecondsSince1970, 5)
    statement.bind(logged.use.rawValue, 6)
    FixColumns.bind(logged.fix, to: statement, from: 7)
  }

  /// Decodes a row of ``selected``.
  package static func fix(of statement: Statement) throws -> StoredFix {
    let time = UTCTime(nanosecondsSince1970: statement.int(0))
    let timing = statement.int(2)
    let isTimed = timing == Timing.fromFix.rawValue || timing == Timing.imported.rawValue
    let name = statement.text(4)
    guard let use = LoggedFix.Use(rawValue: name) else {
      throw UnreadableRowError(message: "column use of a fix is '\(name)'")
    }
    let fix = try FixColumns.fix(of: statement, from: 5, time: isTimed ? time : nil)
    let seen = statement.optionalInt(3).map(UTCTime.init(nanosecondsSince1970:))
    var stored = StoredFix(
      seq: UInt64(clamping: statement.int(1)), rowTime: time, fix: LoggedFix(fix, use: use, seen: seen))
    stored.isImported = timing == Timing.imported.rawValue
    return stored
  }
}
