import GRDB
public import Whereabouts
import WhereaboutsCore

extension SQLiteStore {
  /// All that an engine needs to go on with a device; an empty record where nothing is known of it.
  ///
  /// - Throws: `newerVersion` and `corrupt` where a part can't be read; nothing is changed then.
  public func load(_ device: DeviceID) async throws(StoreTrouble) -> DeviceRecord {
    try read { database in try DeviceReader(database, device)?.record() ?? DeviceRecord() }
  }

  /// What was told of a device's fences after a note, the oldest first, at most so many.
  public func notes(
    of device: DeviceID, after number: UInt64, limit: Int
  ) async throws(StoreTrouble) -> [NumberedNote] {
    try read { database in try DeviceReader(database, device)?.notes(after: number, limit: limit) ?? [] }
  }

  // MARK: Delivery

  /// The number of the last note that a consumer has dealt with; 0 for one that nobody has heard of.
  public func cursor(of consumer: String, device: DeviceID) async throws(StoreTrouble) -> UInt64 {
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

  /// A consumer has dealt with everything up to a note. Never goes back.
  public func acknowledge(
    through number: UInt64, by consumer: String, device: DeviceID
  ) async throws(StoreTrouble) {
    try write { database in
      try database.execute(
        sql: "INSERT INTO device (name) VALUES (?) ON CONFLICT DO NOTHING", arguments: [device.rawValue])
      try database.execute(
        sql: """
          INSERT INTO consumer (device, name, number) SELECT id, ?, ? FROM device WHERE name = ?
          ON CONFLICT DO UPDATE SET number = max(number, excluded.number)
          """,
        arguments: [consumer, Int64(clamping: number), device.rawValue])
    }
  }
}
