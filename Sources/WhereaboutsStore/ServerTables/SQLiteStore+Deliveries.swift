import GRDB
package import Whereabouts

/// The delivery progress of an external consumer, such as a broker: its acknowledgement proves delivery.
extension SQLiteStore {
  /// Returns the position of the last fence record that was stored when a consumer was set up: nothing until there is
  /// for it.
  ///
  /// - Parameter key: the consumer with its settings. The first call with a key sets it up.
  package func deliveryStart(_ key: String) throws(StoreError) -> UInt64 {
    try startPosition(of: "delivery \(key)")
  }

  /// Returns the position that is stored under a key of `meta`. The first call stores the position of the last fence
  /// record; 0 if there is none.
  func startPosition(of key: String) throws(StoreError) -> UInt64 {
    try write { database in
      try database.execute(
        sql: """
          INSERT INTO meta (key, value) SELECT ?, coalesce(max(position), 0) FROM fence_record_order WHERE true
          ON CONFLICT DO NOTHING
          """, arguments: [key])
      return UInt64(
        clamping: try Int64.fetchOne(
          database, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key]) ?? 0)
    }
  }

  /// Returns the number of a device's last fence record up to a position; 0 if there is none.
  package func lastRecord(of device: DeviceID, upToPosition position: UInt64) throws(StoreError) -> UInt64 {
    try read { database in
      UInt64(
        clamping: try Int64.fetchOne(
          database,
          sql: """
            SELECT max(number) FROM fence_record_order JOIN device ON device.id = fence_record_order.device
            WHERE name = ? AND position <= ?
            """, arguments: [device.rawValue, Int64(clamping: position)]) ?? 0)
    }
  }
}
