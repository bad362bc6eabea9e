import GRDB
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats

extension UploadTables {
  /// The number of dead letters that a status lists.
  private static let listedDeadLetters = 20

  static func status(_ row: EndpointRow, _ database: Database) throws -> UploadStatus {
    var status = UploadStatus(endpoint: row.endpoint, stopReason: row.stopReason)
    try readRequests(of: row, into: &status, database)
    try readTotals(of: row, into: &status, database)
    try readCursors(of: row, into: &status, database)
    return status
  }

  private static func readRequests(
    of row: EndpointRow, into status: inout UploadStatus, _ database: Database
  ) throws {
    status.waiting = try count("waiting", row.id, database)
    status.dead = try count("dead", row.id, database)
    let letters = try Row.fetchAll(
      database,
      sql: """
        SELECT key, items, attempts, reason FROM upload_batch WHERE endpoint = ? AND state = 'dead'
        ORDER BY device, number DESC LIMIT ?
        """, arguments: [row.id, listedDeadLetters])
    status.deadLetters = letters.map {
      UploadStatus.DeadLetter(key: $0[0], items: $0[1], attempts: $0[2], reason: $0[3] ?? "")
    }
    status.oldest = time(
      try Int64.fetchOne(
        database, sql: "SELECT min(first) FROM upload_batch WHERE endpoint = ? AND state = 'waiting'",
        arguments: [row.id]))
    let next = try Row.fetchOne(
      database,
      sql: """
        SELECT attempts, next_try FROM upload_batch WHERE endpoint = ? AND state = 'waiting' AND attempts > 0
        ORDER BY next_try LIMIT 1
        """, arguments: [row.id])
    if let next {
      status.attempts = next[0]
      status.nextTry = time(next[1])
    }
  }

  private static func readTotals(
    of row: EndpointRow, into status: inout UploadStatus, _ database: Database
  ) throws {
    let totals = try Row.fetchOne(
      database,
      sql:
        "SELECT sent, sent_items, last_sent, last_failed, last_reason, unconfirmed FROM endpoint WHERE id = ?",
      arguments: [row.id])
    if let totals {
      (status.sent, status.sentItems) = (totals[0], totals[1])
      (status.lastSent, status.lastFailed) = (time(totals[2]), time(totals[3]))
      status.lastReason = totals[4]
      status.unconfirmed = totals[5]
    }
  }

  private static func readCursors(
    of row: EndpointRow, into status: inout UploadStatus, _ database: Database
  ) throws {
    for device in try row.devices(database) {
      let cursor = try UploadCursor.read(database, endpoint: row.id, device: device.id)
      if row.endpoint.sendsFixes {
        status.unreadFixes += Int(
          max(0, try UploadHistoryReader.lastSeq(database, device: device.id) - cursor.seq))
      }
      for (name, count) in cursor.unsupported {
        if let unsupported = UploadTemplate.UnsupportedContent(rawValue: name) {
          status.unsupported[unsupported, default: 0] += count
        }
      }
    }
  }

  private static func time(_ nanoseconds: Int64?) -> UTCTime? {
    nanoseconds.map(UTCTime.init(nanosecondsSince1970:))
  }

  private static func count(_ state: String, _ endpoint: Int64, _ database: Database) throws
    -> UploadStatus.Count
  {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT count(*), coalesce(sum(items), 0), coalesce(sum(crossings), 0) FROM upload_batch
        WHERE endpoint = ? AND state = ?
        """, arguments: [endpoint, state])
    guard let row else { return UploadStatus.Count() }
    return UploadStatus.Count(requests: row[0], items: row[1], crossings: row[2])
  }
}
