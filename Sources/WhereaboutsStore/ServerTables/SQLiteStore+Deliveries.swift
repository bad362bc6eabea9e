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

  /// Records that a consumer has all records of a device up to one, unless the store no longer has that record: an
  /// erased device stays erased, and a new one of its name begins with its own first record. A record of the new one
  /// may have the same number.
  ///
  /// - Returns: whether the store has the record.
  package func acknowledge(
    _ record: NumberedFenceRecord, by consumer: String, of device: DeviceID
  ) throws(StoreError) -> Bool {
    try write { database in
      let stored = try DeviceReader(database, device)?
        .fenceRecords(after: max(1, record.number) - 1, limit: 1)
      guard stored == [record] else { return false }
      try database.execute(
        sql: """
          INSERT INTO consumer (device, name, number)
            SELECT device.id, ?, fence_record.number FROM device JOIN fence_record ON device = device.id
            WHERE device.name = ? AND fence_record.number = ?
          ON CONFLICT DO UPDATE SET number = max(number, excluded.number)
          """,
        arguments: [consumer, device.rawValue, Int64(clamping: record.number)])
      return true
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
