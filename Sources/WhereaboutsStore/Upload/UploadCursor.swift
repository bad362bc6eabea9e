import GRDB
import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats

/// How far an endpoint has gone through what is known of a device.
struct UploadCursor {
  let endpoint: Int64
  let device: Int64
  /// The last fix that was gone through, and its time.
  var seq: Int64 = 0
  var time: Int64?
  /// The last note.
  var note: Int64 = 0
  /// What the next fixes are judged by.
  var mark: FixSelection.Mark?
  /// How often the template had no words for something.
  var unsaid: [String: Int] = [:]

  /// - Returns: that before everything where there is none yet.
  static func read(_ database: Database, endpoint: Int64, device: Int64) throws -> UploadCursor {
    var cursor = UploadCursor(endpoint: endpoint, device: device)
    let row = try Row.fetchOne(
      database,
      sql: "SELECT seq, time, note, kept, unsaid FROM upload_cursor WHERE endpoint = ? AND device = ?",
      arguments: [endpoint, device])
    guard let row else { return cursor }
    cursor.seq = row[0]
    cursor.time = row[1]
    cursor.note = row[2]
    if let text = row[3] as String? { cursor.mark = try StoreJSON.decode(FixSelection.Mark.self, from: text) }
    if let text = row[4] as String? { cursor.unsaid = try StoreJSON.decode([String: Int].self, from: text) }
    return cursor
  }

  func write(_ database: Database) throws {
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO upload_cursor (endpoint, device, seq, time, note, kept, unsaid)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        endpoint, device, seq, time, note, try mark.map { try StoreJSON.encode($0) },
        unsaid.isEmpty ? nil : try StoreJSON.encode(unsaid),
      ])
  }
}
