import GRDB
package import Whereabouts
package import WhereaboutsModel

/// An opening of a link, stored for the owner of the device.
package struct StoredLook: Hashable, Sendable {
  /// The number of looks kept of one link; older ones are dropped.
  package static let limit = 1_000
  /// The time for which looks are kept after the last look at the device.
  package static let age = Duration.seconds(90 * 86_400)

  /// The number of the link's token, which may have been revoked.
  package var token: Int64
  /// The label of the link.
  package var label: String
  /// The time of the first request.
  package var time: UTCTime
  /// The network and the browser of the reader.
  package var reader: String

  /// Creates a look.
  package init(token: Int64, label: String, time: UTCTime, reader: String) {
    self.token = token
    self.label = label
    self.time = time
    self.reader = reader
  }
}

extension SQLiteStore {
  /// Appends a look at a device, which survives a power cut. A device that was erased meanwhile stays erased.
  package func append(_ look: StoredLook, at device: DeviceID) throws(StoreError) {
    try write { database in
      guard
        let id = try Int64.fetchOne(
          database, sql: "SELECT id FROM device WHERE name = ?", arguments: [device.rawValue])
      else { return }
      try database.execute(
        sql: "INSERT INTO look (device, token, label, time, reader) VALUES (?, ?, ?, ?, ?)",
        arguments: [id, look.token, look.label, look.time.nanosecondsSince1970, look.reader])
      try database.execute(
        sql: """
          DELETE FROM look WHERE device = ?1 AND (time < ?2 OR token = ?3 AND id <=
            (SELECT id FROM look WHERE device = ?1 AND token = ?3 ORDER BY id DESC LIMIT 1 OFFSET ?4))
          """,
        arguments: [
          id, look.time.advanced(by: StoredLook.age * -1).nanosecondsSince1970, look.token, StoredLook.limit,
        ])
    }
  }

  /// Returns the looks at a device, the newest first.
  ///
  /// - Parameter token: the token of the only link; `nil` for all.
  package func looks(
    at device: DeviceID, with token: Int64? = nil, limit: Int = StoredLook.limit
  ) throws(StoreError) -> [StoredLook] {
    try read { database in
      // A file of an older version, opened for reading, has no such table.
      guard try database.tableExists("look") else { return [] }
      return try Row.fetchAll(
        database,
        sql: """
          SELECT token, label, time, reader FROM look JOIN device ON device.id = look.device
          WHERE name = ?1 AND (?2 IS NULL OR token = ?2) ORDER BY look.id DESC LIMIT ?3
          """, arguments: [device.rawValue, token, limit]
      ).map {
        StoredLook(token: $0[0], label: $0[1], time: UTCTime(nanosecondsSince1970: $0[2]), reader: $0[3])
      }
    }
  }
}
