import GRDB
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsStore

/// Access to the upload tables, except the building of requests.
enum UploadTables {
  // MARK: Endpoints

  static func insert(
    _ endpoint: Endpoint, origin: String, fromNow: Bool, at wall: UTCTime, _ database: Database
  ) throws {
    try database.execute(
      sql: "INSERT INTO endpoint (name, origin, settings) VALUES (?, ?, ?)",
      arguments: [endpoint.name, origin, try StoreJSON.encode(endpoint)])
    guard fromNow, let row = try EndpointRow.named(endpoint.name, database) else { return }
    for device in try UploadDevice.all(database) {
      try UploadCursor.atEnd(database, endpoint: row.id, device: device, at: wall).write(database)
    }
  }

  /// Updates an endpoint and resumes stopped uploads.
  static func update(_ id: Int64, to endpoint: Endpoint, _ database: Database) throws {
    // The mark grows, because a repair may change only the content of a file that the settings name.
    try database.execute(
      sql: """
        UPDATE endpoint SET settings = ?, stopped = NULL, misdirected = 0,
          flush_mark = coalesce(flush_mark, 0) + 1
        WHERE id = ?
        """,
      arguments: [try StoreJSON.encode(endpoint), id])
  }

  static func waitingCount(_ endpoint: Int64, _ database: Database) throws -> Int {
    try Int.fetchOne(
      database, sql: "SELECT count(*) FROM upload_batch WHERE endpoint = ? AND state = 'waiting'",
      arguments: [endpoint]) ?? 0
  }

  // MARK: Requests

  /// Returns the next request, in order.
  static func next(_ database: Database, endpoint: Int64, device: UploadDevice) throws -> UploadBatch? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT \(UploadBatchRow.selected) FROM upload_batch
        WHERE endpoint = ? AND device = ? AND state = 'waiting' ORDER BY number LIMIT 1
        """, arguments: [endpoint, device.id]
    ).map { try UploadBatchRow.batch(of: $0, device: device.name) }
  }

  static func recordSent(_ batch: UploadBatch, of endpoint: Int64, at wall: UTCTime, _ database: Database)
    throws
  {
    try database.execute(sql: "DELETE FROM upload_batch WHERE id = ?", arguments: [batch.id])
    // The request may have been purged meanwhile; the sent count still applies.
    try database.execute(
      sql: """
        UPDATE endpoint SET sent = sent + 1, sent_items = sent_items + ?, last_sent = ?, misdirected = 0
        WHERE id = ?
        """,
      arguments: [batch.items, wall.nanosecondsSince1970, endpoint])
  }

  /// Records a failed attempt.
  static func recordFailure(
    _ batch: UploadBatch, of endpoint: Int64, as failure: UploadFailure, nextTry: UTCTime, reason: String,
    at wall: UTCTime, _ database: Database
  ) throws {
    try database.execute(
      sql: """
        UPDATE upload_batch SET attempts = attempts + 1, refusals = refusals + ?, next_try = ?, reason = ?
        WHERE id = ?
        """,
      arguments: [failure == .refused, nextTry.nanosecondsSince1970, reason, batch.id])
    try database.execute(
      sql: """
        UPDATE endpoint SET misdirected = CASE WHEN ? THEN misdirected + 1 WHEN ? THEN 0 ELSE misdirected END,
          unconfirmed = unconfirmed + ? WHERE id = ?
        """,
      arguments: [failure == .misdirected, failure == .refused, failure == .unconfirmed, endpoint])
    try recordLastFailure(endpoint, reason, at: wall, database)
  }

  /// Sets a request aside.
  ///
  /// - Returns: false, without an effect, if the endpoint has been changed, resumed or flushed since its row was read.
  static func moveToDeadLetters(
    _ batch: UploadBatch, of row: EndpointRow, reason: String, at wall: UTCTime, _ database: Database
  ) throws -> Bool {
    guard try isUnchanged(row, database) else { return false }
    try database.execute(
      sql: """
        UPDATE upload_batch SET state = 'dead', attempts = attempts + 1, next_try = NULL, reason = ?
        WHERE id = ?
        """, arguments: [reason, batch.id])
    try recordLastFailure(row.id, reason, at: wall, database)
    return true
  }

  /// Stops an endpoint.
  ///
  /// - Returns: false, without an effect, if the endpoint has been changed, resumed or flushed since its row was read.
  static func stop(_ row: EndpointRow, reason: String, at wall: UTCTime, _ database: Database) throws -> Bool
  {
    guard try isUnchanged(row, database) else { return false }
    try database.execute(
      sql: "UPDATE endpoint SET stopped = ? WHERE id = ?", arguments: [reason, row.id])
    try recordLastFailure(row.id, reason, at: wall, database)
    return true
  }

  /// Returns whether an endpoint has the settings of a row that was read before, and was not changed, resumed or flushed
  /// since.
  private static func isUnchanged(_ row: EndpointRow, _ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: "SELECT EXISTS (SELECT 1 FROM endpoint WHERE id = ? AND settings = ? AND flush_mark IS ?)",
      arguments: [row.id, row.settings, row.flushRequestedAt?.nanosecondsSince1970]) ?? false
  }

  private static func recordLastFailure(
    _ endpoint: Int64, _ reason: String, at wall: UTCTime, _ database: Database
  ) throws {
    try database.execute(
      sql: "UPDATE endpoint SET last_failed = ?, last_reason = ? WHERE id = ?",
      arguments: [wall.nanosecondsSince1970, reason, endpoint])
  }

  /// - Returns: the number of requests to retry.
  static func retry(_ endpoint: Int64, _ database: Database) throws -> Int {
    try database.execute(
      sql: """
        UPDATE upload_batch SET state = 'waiting', attempts = 0, refusals = 0, next_try = NULL, reason = NULL
        WHERE endpoint = ? AND state = 'dead'
        """, arguments: [endpoint])
    let count = database.changesCount
    try database.execute(
      sql: "UPDATE upload_batch SET next_try = NULL WHERE endpoint = ?", arguments: [endpoint])
    // A person asked for the retry, so the uploader sends at once.
    try database.execute(
      sql:
        "UPDATE endpoint SET stopped = NULL, misdirected = 0, flush_mark = coalesce(flush_mark, 0) + 1 WHERE id = ?",
      arguments: [endpoint])
    return count
  }

  /// - Parameter all: whether waiting requests are purged too.
  /// - Returns: the number of purged requests.
  static func purge(_ endpoint: Int64, all: Bool, _ database: Database) throws -> Int {
    try database.execute(
      sql: "DELETE FROM upload_batch WHERE endpoint = ?\(all ? "" : " AND state = 'dead'")",
      arguments: [endpoint])
    return database.changesCount
  }

  /// Moves the cursor past all data that is in no request yet.
  static func skipToNow(_ row: EndpointRow, at wall: UTCTime, _ database: Database) throws {
    for device in try row.devices(database) {
      try UploadCursor.atEnd(database, endpoint: row.id, device: device, at: wall).write(database)
    }
  }
}
