package import GRDB
package import Whereabouts

/// Access to rows that other targets manage.
extension SQLiteStore {
  /// Returns the row id of a device, and adds a missing device. Every device of a store is added here.
  ///
  /// - Throws: ``Whereabouts/StoreError``: `failed` for a missing device whose name is not valid.
  @discardableResult
  package static func rowID(of device: DeviceID, in database: Database) throws -> Int64 {
    // Kept compiled, as each new device needs them.
    let known = try Int64.fetchOne(
      try database.cachedStatement(sql: "SELECT id FROM device WHERE name = ?"), arguments: [device.rawValue])
    if let known { return known }
    // An app may leave the name of its only device empty.
    guard device.isValid || device.rawValue.isEmpty else {
      throw StoreError(.failed, message: "add the device: \(device.reasonOfInvalidity); use another name")
    }
    try database.cachedStatement(sql: "INSERT INTO device (name) VALUES (?)").execute(
      arguments: [device.rawValue])
    return database.lastInsertedRowID
  }

  /// Returns whether the store has a device or can add it. Earlier versions added devices of any name.
  package func accepts(_ device: DeviceID) throws(StoreError) -> Bool {
    if device.isValid { return true }
    return try contains(device)
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
