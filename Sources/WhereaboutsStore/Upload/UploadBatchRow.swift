import Foundation
import GRDB
import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats

/// Where a request is in the order of its device's, and under which name; written with what is in it.
struct UploadBatchRow {
  /// Numbers from one request to the next: into so many one can be cut.
  static let span: Int64 = 1 << 20

  let endpoint: EndpointRow
  let device: UploadDevice
  let number: Int64
  let span: Int64
  let key: String

  /// What is in the `request` column: everything of a request but its body.
  private struct Head: Codable {
    var method: UploadMessage.Method
    var query: String?
    var fields: [UploadMessage.Field]
  }

  static func lastNumber(_ database: Database, endpoint: Int64, device: Int64) throws -> Int64 {
    try Int64.fetchOne(
      database, sql: "SELECT coalesce(max(number), 0) FROM upload_batch WHERE endpoint = ? AND device = ?",
      arguments: [endpoint, device]) ?? 0
  }

  /// - Returns: `false` where there is nothing in it that the template can say.
  func insert(_ items: some Collection<QueuedItem>, at wall: UTCTime, _ database: Database) throws -> Bool {
    let encoder = UploadEncoder(
      endpoint.endpoint.template, identity: endpoint.endpoint.identity(of: device.name),
      origin: endpoint.origin, usesForm: endpoint.endpoint.usesForm)
    guard let message = encoder.message(items.map(\.item), key: key) else { return false }
    let head = Head(method: message.method, query: message.query, fields: message.fields)
    let times = items.compactMap { $0.item.time?.nanosecondsSince1970 }
    try database.execute(
      sql: """
        INSERT INTO upload_batch
          (endpoint, device, number, span, key, request, body, items, crossings, parts, state, created, first, last)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?, ?, ?)
        """,
      arguments: [
        endpoint.id, device.id, number, span, key, try StoreJSON.encode(head), Data(message.body),
        items.count,
        items.count(where: \.isCrossing), try StoreJSON.encode(items.map(\.part)), wall.nanosecondsSince1970,
        times.min(), times.max(),
      ])
    return true
  }

  /// What ``batch(of:device:)`` reads.
  static let selected = "id, key, request, body, items, crossings, attempts, next_try, reason"

  static func batch(of row: Row, device: DeviceID) throws -> UploadBatch {
    let head = try StoreJSON.decode(Head.self, from: row[2])
    let body: Data = row[3]
    return UploadBatch(
      id: row[0], device: device, key: row[1],
      message: UploadMessage(method: head.method, query: head.query, fields: head.fields, body: Array(body)),
      items: row[4], crossings: row[5], attempts: row[6],
      nextTry: (row[7] as Int64?).map(UTCTime.init(nanosecondsSince1970:)), reason: row[8])
  }

  // MARK: Cutting

  /// Puts two requests in the place of one that is too large for the server, under new names: it has taken nothing of the
  /// one. What was erased from the history meanwhile is in neither.
  ///
  /// - Returns: `false` where it can't be cut.
  static func cut(
    _ id: Int64, of endpoint: EndpointRow, device: UploadDevice, at wall: UTCTime,
    _ database: Database, makeKey: () -> String
  ) throws -> Bool {
    let row = try Row.fetchOne(
      database, sql: "SELECT number, span, parts FROM upload_batch WHERE id = ?", arguments: [id])
    guard let row else { return false }
    let (number, span): (Int64, Int64) = (row[0], row[1])
    let parts = try StoreJSON.decode([UploadPart].self, from: row[2])
    guard span > 1, parts.count > 1 else { return false }
    try database.execute(sql: "DELETE FROM upload_batch WHERE id = ?", arguments: [id])
    let middle = parts.count / 2
    for (place, half) in [parts[..<middle], parts[middle...]].enumerated() {
      let items = try half.compactMap { try item($0, device: device.id, database) }
      guard !items.isEmpty else { continue }
      let row = UploadBatchRow(
        endpoint: endpoint, device: device, number: number + Int64(place) * (span / 2), span: span / 2,
        key: makeKey())
      _ = try row.insert(items, at: wall, database)
    }
    return true
  }

  private static func item(_ part: UploadPart, device: Int64, _ database: Database) throws -> QueuedItem? {
    switch part {
    case .fix(let time, let seq):
      try UploadReading.fix(database, device: device, time: time, seq: seq).map { QueuedItem($0) }
    case .note(let number):
      try UploadReading.notes(database, device: device, after: number - 1, limit: 1)
        .first { Int64(clamping: $0.number) == number }.flatMap { QueuedItem($0) }
    }
  }
}
