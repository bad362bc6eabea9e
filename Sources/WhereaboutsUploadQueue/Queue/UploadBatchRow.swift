import Foundation
import GRDB
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsStore

/// A request as a row in the order of its device's requests.
struct UploadBatchRow {
  /// The distance between the numbers of two requests, and so the number of parts that one can be split into.
  static let span: Int64 = 1 << 20

  let endpoint: Int64
  let device: Int64
  let number: Int64
  let span: Int64

  /// An encoded request before it has its position.
  struct Draft {
    let key: String
    let parts: [UploadItemReference]
    fileprivate let head: String
    fileprivate let body: Data
    fileprivate let crossings: Int
    fileprivate let partsText: String
    fileprivate let span: (first: Int64?, last: Int64?)

    /// - Returns: `nil` if the template supports none of the items.
    init?(
      _ items: some Collection<QueuedItem>, for endpoint: EndpointRow, _ device: UploadDevice, key: String,
      at wall: UTCTime
    ) throws {
      var encoder = UploadEncoder(
        endpoint.endpoint.template, identity: endpoint.endpoint.identity(of: device.name),
        origin: endpoint.origin, usesForm: endpoint.endpoint.usesForm)
      encoder.sendsSimulated = endpoint.endpoint.sendsSimulated
      guard let message = encoder.message(items.map(\.item), key: key, at: wall) else { return nil }
      self.key = key
      parts = items.map(\.part)
      head = try StoreJSON.encode(Head(method: message.method, query: message.query, fields: message.fields))
      body = Data(message.body)
      crossings = items.count(where: \.isCrossing)
      partsText = try StoreJSON.encode(parts)
      let times = items.compactMap { $0.item.time?.nanosecondsSince1970 }
      span = (times.min(), times.max())
    }
  }

  /// The content of the `request` column: the request without its body.
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

  func insert(_ draft: Draft, at wall: UTCTime, _ database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO upload_batch
          (endpoint, device, number, span, key, request, body, items, crossings, parts, state, created, first, last)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?, ?, ?)
        """,
      arguments: [
        endpoint, device, number, span, draft.key, draft.head, draft.body, draft.parts.count,
        draft.crossings, draft.partsText, wall.nanosecondsSince1970, draft.span.first, draft.span.last,
      ])
  }

  /// The columns that ``batch(of:device:)`` reads.
  static let selected = "id, key, request, body, items, crossings, attempts, next_try, reason, refusals"

  static func batch(of row: Row, device: DeviceID) throws -> UploadBatch {
    let head = try StoreJSON.decode(Head.self, from: row[2])
    let body: Data = row[3]
    return UploadBatch(
      id: row[0], device: device, key: row[1],
      message: UploadMessage(method: head.method, query: head.query, fields: head.fields, body: Array(body)),
      items: row[4], crossings: row[5], attempts: row[6], refusals: row[9],
      nextTry: (row[7] as Int64?).map(UTCTime.init(nanosecondsSince1970:)), reason: row[8])
  }

  // MARK: Splitting

  /// Replaces a request that is too large for the server by two with new keys. The server has accepted nothing of the
  /// old request. Items erased from the history meanwhile are in neither.
  ///
  /// - Returns: `false` if the request can't be split and stays.
  static func split(
    _ id: Int64, of endpoint: EndpointRow, device: UploadDevice, at wall: UTCTime,
    _ database: Database, makeKey: () -> String
  ) throws -> Bool {
    guard try device.exists(database) else { return true }
    let row = try Row.fetchOne(
      database, sql: "SELECT number, span, parts FROM upload_batch WHERE id = ?", arguments: [id])
    // The request may have been purged meanwhile.
    guard let row else { return true }
    let (number, span): (Int64, Int64) = (row[0], row[1])
    let parts = try StoreJSON.decode([UploadItemReference].self, from: row[2])
    guard span > 1, parts.count > 1 else { return false }
    try database.execute(sql: "DELETE FROM upload_batch WHERE id = ?", arguments: [id])
    let middle = parts.count / 2
    for (place, half) in [parts[..<middle], parts[middle...]].enumerated() {
      let items = try half.compactMap { try item($0, device: device.id, database) }
      guard !items.isEmpty, let draft = try Draft(items, for: endpoint, device, key: makeKey(), at: wall)
      else { continue }
      let row = UploadBatchRow(
        endpoint: endpoint.id, device: device.id, number: number + Int64(place) * (span / 2), span: span / 2)
      try row.insert(draft, at: wall, database)
    }
    return true
  }

  private static func item(_ part: UploadItemReference, device: Int64, _ database: Database) throws
    -> QueuedItem?
  {
    switch part {
    case .fix(let time, let seq):
      try UploadHistoryReader.fix(database, device: device, time: time, seq: seq).map { QueuedItem($0) }
    case .record(let number):
      try UploadHistoryReader.fenceRecords(database, device: device, after: number - 1, limit: 1)
        .first { Int64(clamping: $0.number) == number }.flatMap { QueuedItem($0) }
    }
  }
}
