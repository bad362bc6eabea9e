package import GRDB
package import Whereabouts

/// Access to rows that other targets manage.
extension SQLiteStore {
  /// Returns the row id of a device, and adds a missing device.
  package static func rowID(of device: DeviceID, in database: Database) throws -> Int64 {
    try database.execute(
      sql: "INSERT INTO device (name) VALUES (?) ON CONFLICT DO NOTHING", arguments: [device.rawValue])
    let id = try Int64.fetchOne(
      database, sql: "SELECT id FROM device WHERE name = ?", arguments: [device.rawValue])
    guard let id else { throw UnreadableRowError(message: "a device that was just added is missing") }
    return id
  }

  /// Deletes rows and their bytes, as ``forget(_:progress:)`` does. A concurrent reader delays only the erasure of the
  /// bytes, which a later commit or opening finishes.
  ///
  /// - Returns: the number of deleted rows.
  package func eraseRows(_ sql: String, arguments: StatementArguments) throws(StoreError) -> Int {
    let count = try write(erasing: true) { database in
      try database.execute(sql: sql, arguments: arguments)
      let count = database.changesCount
      if count > 0 { try ErasureTask.scheduleLogErasure(in: database) }
      return count
    }
    if count > 0 { _ = try? finishErasing(patience: .zero) { _ in true } }
    return count
  }
}
