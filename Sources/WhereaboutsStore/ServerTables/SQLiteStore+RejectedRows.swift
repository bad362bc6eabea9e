import Foundation
import GRDB
package import Whereabouts
package import WhereaboutsModel

/// An unreadable row of a request, stored for inspection.
package struct RejectedRow: Hashable, Sendable {
  /// The number of rows kept of all devices; older ones are dropped.
  package static let limit = 10_000
  /// The number of rows kept of one device, so that one faulty device does not displace the rows of others.
  package static let limitOfDevice = 1_000

  /// The device of the request; `nil` if unknown.
  package var device: DeviceID?
  /// The time of arrival.
  package var arrival: UTCTime
  /// The form of the request.
  package var dialect: String
  /// The place of the row in its request.
  package var place: String
  /// The reason in plain words.
  package var reason: String
  /// The row's bytes, perhaps only their beginning.
  package var bytes: [UInt8]

  /// Creates a row.
  package init(
    device: DeviceID?, arrival: UTCTime, dialect: String, place: String, reason: String, bytes: [UInt8]
  ) {
    self.device = device
    self.arrival = arrival
    self.dialect = dialect
    self.place = place
    self.reason = reason
    self.bytes = bytes
  }

  /// The row's bytes as base64; `nil` if they are text, which needs no such form.
  package var base64: String? {
    String(bytes: bytes, encoding: .utf8) == nil ? Data(bytes).base64EncodedString() : nil
  }
}

extension SQLiteStore {
  /// Appends rows, which survive a power cut. A row that is sent again is kept once, as the newest one.
  package func append(_ rows: [RejectedRow]) throws(StoreError) {
    guard !rows.isEmpty else { return }
    try write { database in
      let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM rejected_row") ?? 0
      for row in rows {
        if let device = row.device { try Self.rowID(of: device, in: database) }
        try database.execute(
          sql: """
            INSERT INTO rejected_row (device, arrived, dialect, place, reason, bytes)
            VALUES ((SELECT id FROM device WHERE name = ?), ?, ?, ?, ?, ?)
            """,
          arguments: [
            row.device?.rawValue, row.arrival.nanosecondsSince1970, row.dialect, row.place, row.reason,
            Data(row.bytes),
          ])
      }
      for device in Set(rows.map(\.device)) {
        try Self.dropRows(sentAgainAfter: last, of: device?.rawValue, in: database)
        try Self.dropOldRows(of: device?.rawValue, in: database)
      }
    }
  }

  /// Drops the rows up to a number that were sent again behind it. An app repeats a refused request for ever, and its
  /// repetitions would displace the other rows. The reason does not count, which may state a duration until the arrival.
  private static func dropRows(sentAgainAfter last: Int64, of device: String?, in database: Database) throws {
    try database.execute(
      sql: """
        DELETE FROM rejected_row WHERE id <= ?2 AND device IS (SELECT id FROM device WHERE name = ?1)
          AND (dialect, place, bytes) IN (SELECT dialect, place, bytes FROM rejected_row
            WHERE id > ?2 AND device IS (SELECT id FROM device WHERE name = ?1))
        """, arguments: [device, last])
  }

  /// Drops the rows beyond the limits.
  private static func dropOldRows(of device: String?, in database: Database) throws {
    try database.execute(
      sql: """
        DELETE FROM rejected_row WHERE device IS (SELECT id FROM device WHERE name = ?1) AND id <=
          (SELECT id FROM rejected_row WHERE device IS (SELECT id FROM device WHERE name = ?1)
            ORDER BY id DESC LIMIT 1 OFFSET ?2)
        """, arguments: [device, RejectedRow.limitOfDevice])
    try database.execute(
      sql: """
        DELETE FROM rejected_row WHERE id <= (SELECT id FROM rejected_row ORDER BY id DESC LIMIT 1 OFFSET ?)
        """, arguments: [RejectedRow.limit])
  }

  /// Returns the newest rows, the newest first.
  ///
  /// - Parameter device: the device; `nil` for all.
  package func rejectedRows(of device: DeviceID?, limit: Int) throws(StoreError) -> [RejectedRow] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT device.name, arrived, dialect, place, reason, bytes FROM rejected_row
          LEFT JOIN device ON device.id = rejected_row.device
          WHERE ?1 IS NULL OR device.name = ?1 ORDER BY rejected_row.rowid DESC LIMIT ?2
          """, arguments: [device?.rawValue, limit])
      return rows.map { row in
        RejectedRow(
          device: (row[0] as String?).map(DeviceID.init(rawValue:)),
          arrival: UTCTime(nanosecondsSince1970: row[1]), dialect: row[2], place: row[3], reason: row[4],
          bytes: Array(row[5] as Data))
      }
    }
  }
}
