import GRDB
import Whereabouts
import WhereaboutsModel

/// An enforcer of the retention limits, which erases in small steps between other commits.
///
/// `counts` belongs to the caller of a step, one at a time.
final class RetentionEnforcer {
  /// The number of new fixes between two checks.
  static let fixesPerCheck = 512
  /// The number of rows in one step, which take a few milliseconds.
  private static let rowsPerStep = 1_000

  private let retention: Retention
  private let wall: () -> UTCTime
  /// The number of fixes of each device, and the sequence number at the count.
  private var counts: [DeviceID: (rows: Int, seq: Int64)] = [:]

  /// - Parameter wall: the wall clock.
  /// - Returns: `nil` if the retention sets no limit.
  init?(_ retention: Retention, wall: @escaping () -> UTCTime) {
    guard retention != Retention() else { return nil }
    self.retention = retention
    self.wall = wall
  }

  /// Performs one step.
  ///
  /// - Returns: whether more work is left.
  func step(in database: Database) throws -> Bool {
    var isMore = false
    let names = try String.fetchAll(database, sql: "SELECT name FROM device")
    for name in names {
      let device = DeviceID(rawValue: name)
      guard let reader = try DeviceReader(database, device) else { continue }
      isMore = try eraseOld(reader) || isMore
      isMore = try eraseSurplus(reader, device) || isMore
    }
    return try eraseOverSize(names.map(DeviceID.init(rawValue:)), database) || isMore
  }

  /// Erases fixes beyond the greatest age, by the clock of the fixes, because a wall clock that jumps ahead must not
  /// erase a history. Times far ahead of the wall clock are ignored as wrong dates, and times after a jump until they
  /// span a day: the wall clock may be ahead itself, and the fixes may be dated by it.
  private func eraseOld(_ reader: DeviceReader) throws -> Bool {
    guard let age = retention.age else { return false }
    // A recording may state visits and no fix.
    let newest = try reader.newestConfirmedTime(at: wall()) ?? reader.newestStatedDeparture(at: wall())
    guard let newest else { return false }
    let (bound, overflow) = newest.subtractingReportingOverflow(age.clampedNanoseconds)
    guard !overflow else { return false }
    try reader.eraseStatedVisits(endedBefore: bound)
    guard let oldest = try reader.oldestTime(), oldest < bound else { return false }
    let gone = try reader.eraseFixes(from: .min, to: bound, atMost: Self.rowsPerStep, snapshotOnly: true)
    try reader.eraseOldOffsets()
    return gone.map { $0.count >= Self.rowsPerStep } ?? false
  }

  private func eraseSurplus(_ reader: DeviceReader, _ device: DeviceID) throws -> Bool {
    guard let limit = retention.count else { return false }
    var rows = 0
    if let known = counts[device] {
      rows = known.rows + Int(clamping: reader.lastSeq - known.seq)
      // Counting is slow for many rows, and not worth the time for a few.
      if rows <= limit || (known.seq != reader.lastSeq && rows - limit <= limit / 100) { return false }
    }
    // Other processes may have erased rows meanwhile, so count again before erasing.
    if counts[device]?.seq != reader.lastSeq { rows = try reader.fixCount() }
    let surplus = min(rows - limit, Self.rowsPerStep)
    let gone = surplus > 0 ? try eraseOldest(reader, atMost: surplus) : 0
    counts[device] = (rows - gone, reader.lastSeq)
    return gone == Self.rowsPerStep
  }

  private func eraseOverSize(_ devices: [DeviceID], _ database: Database) throws -> Bool {
    guard let bytes = retention.bytes, try FileSize(of: database).used > bytes else { return false }
    let readers = try devices.compactMap { try DeviceReader(database, $0) }
    let oldest = try readers.compactMap { reader in
      try reader.oldestTime().map { (time: $0, reader: reader) }
    }
    guard let first = oldest.min(by: { $0.time < $1.time }) else { return false }
    return try eraseOldest(first.reader, atMost: Self.rowsPerStep) > 0
  }

  /// Erases fixes with a wrong date, far ahead of the wall clock, first. Otherwise they would outlive all other
  /// fixes.
  private func eraseOldest(_ reader: DeviceReader, atMost count: Int) throws -> Int {
    let (bound, overflow) = wall().nanosecondsSince1970.addingReportingOverflow(DeviceReader.maximumClockLead)
    let ahead =
      overflow
      ? 0 : try reader.eraseFixes(from: bound, to: .max, atMost: count, snapshotOnly: true)?.count ?? 0
    guard ahead < count else { return ahead }
    let old = try reader.eraseFixes(from: .min, to: .max, atMost: count - ahead, snapshotOnly: true)
    // Stated visits are kept as long as the fixes of their time.
    if old != nil { try reader.eraseStatedVisits(endedBefore: try reader.oldestTime() ?? .max) }
    try reader.eraseOldOffsets()
    return ahead + (old?.count ?? 0)
  }
}

extension DeviceReader {
  /// Erases the stated offsets before the oldest fix and the oldest stated visit.
  fileprivate func eraseOldOffsets() throws {
    let oldest = try [oldestTime(), oldestStatedArrival()].compactMap { $0 }.min()
    if let oldest { _ = try eraseOffsets(from: .min, to: oldest) }
  }

  private func oldestStatedArrival() throws -> Int64? {
    let row = try statement("SELECT min(arrival) FROM stated_visit WHERE device = ?")
    return try row.step() ? row.optionalInt(0) : nil
  }

  /// Returns the newest time in the history that is not far ahead of the wall clock; the time before a gap of more than
  /// a day if the fixes since then arrived later and span less than a day.
  fileprivate func newestConfirmedTime(at wall: UTCTime) throws -> Int64? {
    guard let newest = try newestTime(at: wall) else { return nil }
    let (start, overflow) = newest.subtractingReportingOverflow(Self.maximumClockLead)
    guard !overflow, let before = try key("time < ? ORDER BY time DESC, seq DESC", start),
      let first = try key("time >= ? ORDER BY time, seq", start)
    else { return newest }
    let (gap, isTooLong) = first.time.subtractingReportingOverflow(before.time)
    let isJump = (isTooLong || gap > Self.maximumClockLead) && first.seq > before.seq
    return isJump ? before.time : newest
  }

  /// Returns the key of the first fix of a condition with one time, and an order.
  private func key(_ condition: String, _ time: Int64) throws -> (time: Int64, seq: Int64)? {
    let row = try statement("SELECT time, seq FROM fix WHERE device = ? AND \(condition) LIMIT 1")
    row.bind(time, 2)
    defer { row.reset() }
    return try row.step() ? (time: row.int(0), seq: row.int(1)) : nil
  }

  fileprivate func oldestTime() throws -> Int64? {
    let row = try statement("SELECT min(time) FROM fix WHERE device = ?")
    return try row.step() ? row.optionalInt(0) : nil
  }

  fileprivate func fixCount() throws -> Int {
    let row = try statement("SELECT count(*) FROM fix WHERE device = ?")
    return try row.step() ? Int(clamping: row.int(0)) : 0
  }
}
