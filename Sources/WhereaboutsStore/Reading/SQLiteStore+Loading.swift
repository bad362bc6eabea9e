import GRDB
public import Whereabouts
import WhereaboutsModel

extension SQLiteStore {
  /// Loads the data that an engine needs to resume a device; an empty record for an unknown device.
  ///
  /// - Throws: `newerVersion` and `corrupt` if a part can't be read; nothing is changed then.
  public func load(_ device: DeviceID) async throws(StoreError) -> DeviceRecord {
    let wall = writerConnection.wall()
    return try read { database in try DeviceReader(database, device)?.record(at: wall) ?? DeviceRecord() }
  }

  /// Returns a device's fence records after a number, the oldest first, at most `limit` records.
  public func fenceRecords(
    of device: DeviceID, after number: UInt64, limit: Int
  ) async throws(StoreError) -> [NumberedFenceRecord] {
    try read { database in try DeviceReader(database, device)?.fenceRecords(after: number, limit: limit) ?? []
    }
  }

  // MARK: Delivery

  /// Returns the number of the last record that a consumer has acknowledged; 0 for an unknown consumer.
  public func cursor(of consumer: String, device: DeviceID) async throws(StoreError) -> UInt64 {
    try read { database in
      let row = try Statement(
        database,
        """
        SELECT number FROM consumer
        WHERE name = ? AND device = (SELECT id FROM device WHERE name = ?)
        """)
      row.bind(consumer, 1)
      row.bind(device.rawValue, 2)
      return try row.step() ? UInt64(clamping: row.int(0)) : 0
    }
  }

  /// Records that a consumer has processed all records up to a number. The cursor never moves back.
  public func acknowledge(
    through number: UInt64, by consumer: String, device: DeviceID
  ) async throws(StoreError) {
    try write { database in
      try Self.rowID(of: device, in: database)
      try database.execute(
        sql: """
          INSERT INTO consumer (device, name, number) SELECT id, ?, ? FROM device WHERE name = ?
          ON CONFLICT DO UPDATE SET number = max(number, excluded.number)
          """,
        arguments: [consumer, Int64(clamping: number), device.rawValue])
    }
  }
}
