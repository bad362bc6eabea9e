import GRDB
import Whereabouts
import WhereaboutsCore

/// Erases what the settings don't keep, in small steps between which others commit.
///
/// `counts` belongs to whoever runs a step, which is one at a time.
final class Retainer {
  /// So many new fixes make it worth while to look again.
  static let rest = 512
  /// Rows in one step: a few milliseconds.
  private static let step = 1_000

  private let retention: Retention
  private let wall: () -> UTCTime
  /// By device: how many fixes there were, and after which.
  private var counts: [DeviceID: (rows: Int, seq: Int64)] = [:]

  /// - Parameter wall: the wall clock.
  /// - Returns: `nil` where everything is kept.
  init?(_ retention: Retention, wall: @escaping () -> UTCTime) {
    guard retention != Retention() else { return nil }
    self.retention = retention
    self.wall = wall
  }

  /// One step.
  ///
  /// - Returns: whether there is more to do at once.
  func step(in database: Database) throws -> Bool {
    var isMore = false
    let names = try String.fetchAll(database, sql: "SELECT name FROM device")
    for name in names {
      let device = DeviceID(rawValue: name)
      guard let reader = try DeviceReader(database, device) else { continue }
      isMore = try eraseOld(reader) || isMore
      isMore = try eraseMany(reader, device) || isMore
    }
    return try eraseLarge(names.map(DeviceID.init(rawValue:)), database) || isMore
  }

  /// By the clock of the fixes: a wall clock that jumps ahead must not cost a history. Nor may a fix of a wrong date: times
  /// far ahead of the wall clock don't count.
  private func eraseOld(_ reader: DeviceReader) throws -> Bool {
    guard let age = retention.age, let newest = try reader.newestTime(at: wall()) else { return false }
    let (bound, overflow) = newest.subtractingReportingOverflow(age.clampedNanoseconds)
    guard !overflow, let oldest = try reader.oldestTime(), oldest < bound else { return false }
    let gone = try reader.eraseFixes(from: .min, to: bound, atMost: Self.step, snapshotOnly: true)
    return gone.map { $0.count >= Self.step } ?? false
  }

  private func eraseMany(_ reader: DeviceReader, _ device: DeviceID) throws -> Bool {
    guard let limit = retention.count else { return false }
    var rows = 0
    if let known = counts[device] {
      rows = known.rows + Int(clamping: reader.lastSeq - known.seq)
      // Counting takes long where there are many, and is not worth it for a few.
      if rows <= limit || (known.seq != reader.lastSeq && rows - limit <= limit / 100) { return false }
    }
    // Others may have erased some meanwhile: nothing goes that was not counted just now.
    if counts[device]?.seq != reader.lastSeq { rows = try reader.countOfFixes() }
    let surplus = min(rows - limit, Self.step)
    let gone = surplus > 0 ? try eraseOldest(reader, atMost: surplus) : 0
    counts[device] = (rows - gone, reader.lastSeq)
    return gone == Self.step
  }

  private func eraseLarge(_ devices: [DeviceID], _ database: Database) throws -> Bool {
    guard let bytes = retention.bytes, try FileSize(of: database).used > bytes else { return false }
    let readers = try devices.compactMap { try DeviceReader(database, $0) }
    let oldest = try readers.compactMap { reader in
      try reader.oldestTime().map { (time: $0, reader: reader) }
    }
    guard let first = oldest.min(by: { $0.time < $1.time }) else { return false }
    return try eraseOldest(first.reader, atMost: Self.step) > 0
  }

  /// Fixes of a wrong date, far ahead of the wall clock, go first: they would else outlive all others.
  private func eraseOldest(_ reader: DeviceReader, atMost count: Int) throws -> Int {
    let (bound, overflow) = wall().nanosecondsSince1970.addingReportingOverflow(DeviceReader.farAhead)
    let ahead =
      overflow
      ? 0 : try reader.eraseFixes(from: bound, to: .max, atMost: count, snapshotOnly: true)?.count ?? 0
    guard ahead < count else { return ahead }
    let old = try reader.eraseFixes(from: .min, to: .max, atMost: count - ahead, snapshotOnly: true)
    return ahead + (old?.count ?? 0)
  }
}

extension DeviceReader {
  fileprivate func oldestTime() throws -> Int64? {
    let row = try statement("SELECT min(time) FROM fix WHERE device = ?")
    return try row.step() ? row.optionalInt(0) : nil
  }

  fileprivate func countOfFixes() throws -> Int {
    let row = try statement("SELECT count(*) FROM fix WHERE device = ?")
    return try row.step() ? Int(clamping: row.int(0)) : 0
  }
}
