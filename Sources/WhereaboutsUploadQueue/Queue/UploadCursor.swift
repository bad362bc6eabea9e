import GRDB
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsStore

/// The position of an endpoint in the data of a device.
struct UploadCursor: Equatable {
  /// A scan that has not reached its end.
  struct Scan: Equatable {
    /// The row after which the scan resumes, in the order of `fix`.
    var time: Int64
    var seq: Int64
    /// The last fix at the start of the scan; the next scan reads later fixes.
    var through: Int64
  }

  let endpoint: Int64
  let device: Int64
  /// The number up to which every fix was processed.
  var seq: Int64 = 0
  /// A lower bound of the times of used fixes after ``seq`` and before the next `time_reset`; `nil` if unknown.
  var time: Int64?
  /// The unfinished scan; `nil` to start a new one at ``time``.
  var scan: Scan?
  /// The number of the last processed fence record.
  var lastRecordNumber: Int64 = 0
  /// The state by which the next fixes are selected.
  var resumePoint: FixSelector.ResumePoint?
  /// The numbers of items with unsupported content, by kind.
  var unsupported: [String: Int] = [:]

  init(endpoint: Int64, device: Int64) {
    self.endpoint = endpoint
    self.device = device
  }

  /// - Returns: the stored cursor, or the start cursor if none is stored.
  static func read(_ database: Database, endpoint: Int64, device: Int64) throws -> UploadCursor {
    var cursor = UploadCursor(endpoint: endpoint, device: device)
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT seq, time, record, accepted, unsupported, scan_time, scan_seq, scan_through FROM upload_cursor
        WHERE endpoint = ? AND device = ?
        """,
      arguments: [endpoint, device])
    guard let row else { return cursor }
    cursor.seq = row[0]
    cursor.time = row[1]
    cursor.lastRecordNumber = row[2]
    if let text = row[3] as String? {
      cursor.resumePoint = try StoreJSON.decode(FixSelector.ResumePoint.self, from: text)
    }
    if let text = row[4] as String? {
      cursor.unsupported = try StoreJSON.decode([String: Int].self, from: text)
    }
    if let time = row[5] as Int64?, let seq = row[6] as Int64?, let through = row[7] as Int64? {
      cursor.scan = Scan(time: time, seq: seq, through: through)
    }
    return cursor
  }

  /// Returns a cursor past all existing data.
  static func atEnd(
    _ database: Database, endpoint: Int64, device: UploadDevice, at wall: UTCTime
  ) throws -> UploadCursor {
    var cursor = try read(database, endpoint: endpoint, device: device.id)
    try cursor.skipFixes(database, of: device, at: wall)
    cursor.lastRecordNumber = max(
      cursor.lastRecordNumber, try UploadHistoryReader.lastRecordNumber(database, device: device.id))
    return cursor
  }

  /// Moves past all existing fixes.
  mutating func skipFixes(_ database: Database, of device: UploadDevice, at wall: UTCTime) throws {
    seq = max(seq, try UploadHistoryReader.lastSeq(database, device: device.id))
    // A later used fix of a receiver is newer than the last one, or has a `time_reset`. Without a receiver, the imports
    // count as read, so that older ones are left out.
    time =
      try DeviceReader(database, device.name)?.lastUsedTime
      ?? UploadHistoryReader.newestUsedTime(database, device: device.id, at: wall)
    scan = nil
  }

  /// Replaces the wrong date of an import, which earlier versions kept as ``time``: every later import would count as older.
  /// The fixes up to ``seq`` are not read again.
  mutating func removeWrongDate(_ database: Database, of device: UploadDevice, at wall: UTCTime) throws {
    let latest = UploadHistoryReader.latestTime(at: wall)
    guard scan == nil, let time, time > latest else { return }
    // A wrong date of a receiver is followed by a reset. Where every date is ahead, the wall clock is wrong.
    let isOfReceiver = try DeviceReader(database, device.name)?.lastUsedTime.map { $0 > latest } ?? false
    guard !isOfReceiver,
      try UploadHistoryReader.newestUsedTime(database, device: device.id, at: wall) != nil
    else { return }
    self.time = try UploadHistoryReader.newestUsedTime(database, device: device.id, upTo: seq, at: wall)
  }

  func write(_ database: Database) throws {
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO upload_cursor
          (endpoint, device, seq, time, record, accepted, unsupported, scan_time, scan_seq, scan_through)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        endpoint, device, seq, time, lastRecordNumber, try resumePoint.map { try StoreJSON.encode($0) },
        unsupported.isEmpty ? nil : try StoreJSON.encode(unsupported), scan?.time, scan?.seq, scan?.through,
      ])
  }
}
