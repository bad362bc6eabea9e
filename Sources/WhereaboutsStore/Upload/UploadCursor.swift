import GRDB
import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats

/// How far an endpoint has gone through what is known of a device.
struct UploadCursor: Equatable {
  /// Reading that has not reached the end yet.
  struct Scan: Equatable {
    /// The row that it goes on after, in the order of `fix`.
    var time: Int64
    var seq: Int64
    /// The last fix that there was when it began: later ones are read by the next scan.
    var through: Int64
  }

  let endpoint: Int64
  let device: Int64
  /// Every fix up to this one was gone through.
  var seq: Int64 = 0
  /// No used fix after ``seq`` and before the next `time_reset` is older; `nil` where nothing is known of that.
  var time: Int64?
  /// Where reading goes on; `nil` where it begins anew at ``time``.
  var scan: Scan?
  /// The last note.
  var note: Int64 = 0
  /// What the next fixes are judged by.
  var mark: FixSelection.Mark?
  /// How often the template had no words for something.
  var unsaid: [String: Int] = [:]

  init(endpoint: Int64, device: Int64) {
    self.endpoint = endpoint
    self.device = device
  }

  /// - Returns: that before everything where there is none yet.
  static func read(_ database: Database, endpoint: Int64, device: Int64) throws -> UploadCursor {
    var cursor = UploadCursor(endpoint: endpoint, device: device)
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT seq, time, note, kept, unsaid, scan_time, scan_seq, scan_through FROM upload_cursor
        WHERE endpoint = ? AND device = ?
        """,
      arguments: [endpoint, device])
    guard let row else { return cursor }
    cursor.seq = row[0]
    cursor.time = row[1]
    cursor.note = row[2]
    if let text = row[3] as String? { cursor.mark = try StoreJSON.decode(FixSelection.Mark.self, from: text) }
    if let text = row[4] as String? { cursor.unsaid = try StoreJSON.decode([String: Int].self, from: text) }
    if let time = row[5] as Int64?, let seq = row[6] as Int64?, let through = row[7] as Int64? {
      cursor.scan = Scan(time: time, seq: seq, through: through)
    }
    return cursor
  }

  /// One that passes over everything there is.
  static func atEnd(_ database: Database, endpoint: Int64, device: UploadDevice) throws -> UploadCursor {
    var cursor = try read(database, endpoint: endpoint, device: device.id)
    try cursor.skipFixes(database, of: device)
    cursor.note = max(cursor.note, try UploadReading.lastNote(database, device: device.id))
    return cursor
  }

  /// Passes over every fix there is.
  mutating func skipFixes(_ database: Database, of device: UploadDevice) throws {
    seq = max(seq, try UploadReading.lastSeq(database, device: device.id))
    // A used fix that comes later is newer than the last one, or comes with a `time_reset`.
    time = try DeviceReader(database, device.name)?.lastUsedTime
    scan = nil
  }

  func write(_ database: Database) throws {
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO upload_cursor
          (endpoint, device, seq, time, note, kept, unsaid, scan_time, scan_seq, scan_through)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        endpoint, device, seq, time, note, try mark.map { try StoreJSON.encode($0) },
        unsaid.isEmpty ? nil : try StoreJSON.encode(unsaid), scan?.time, scan?.seq, scan?.through,
      ])
  }
}
