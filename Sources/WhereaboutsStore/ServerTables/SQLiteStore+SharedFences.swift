import GRDB
package import Whereabouts
import WhereaboutsModel

/// The fences of one device, made by a command over the store.
package struct OwnFences: Sendable {
  /// The device.
  package var device: DeviceID
  /// The fences that an engine of the device had.
  package var fences: [Fence]
  /// The edits since then, in order.
  package var edits: [DeviceRecord.FenceEdit]
}

/// The fences that all devices of a server share.
///
/// They stand in a table of their own, once for all devices. The engines' snapshots refer to them by serial.
extension SQLiteStore {
  /// Returns the shared fences in the order of their serials, the serial of each, and the greatest serial that any
  /// device may know.
  package func sharedFences() throws(StoreError) -> (
    fences: [Fence], serials: [UInt64], lastSerial: UInt64
  ) {
    try read { database in
      let (fences, serials) = try Self.sharedFences(in: database)
      let known = try Int64.fetchOne(
        database,
        sql: """
          SELECT max(coalesce((SELECT max(fence_serial) FROM device), 0),
            coalesce((SELECT value FROM meta WHERE key = 'shared_fence_serial'), 0))
          """)
      return (fences, serials, max(serials.last ?? 0, UInt64(clamping: known ?? 0)))
    }
  }

  static func sharedFences(in database: Database) throws -> (fences: [Fence], serials: [UInt64]) {
    let row = try Statement(database, "SELECT fence, serial FROM shared_fence")
    var rows: [(text: String, serial: UInt64)] = []
    while try row.step() { rows.append((row.text(0), UInt64(clamping: row.int(1)))) }
    // SQLite would copy the texts to sort them. The rows are nearly in this order.
    rows.sort { $0.serial < $1.serial }
    return (try StoreJSON.fences(rows.map { $0.text }), rows.map { $0.serial })
  }

  /// Changes the shared fences. The change survives a power cut.
  ///
  /// - Parameter change: the change; ``StoreCommit/FenceChange/lastSerial`` is stored too.
  package func changeSharedFences(_ change: StoreCommit.FenceChange) throws(StoreError) {
    try write { database in
      if change.removesAll { try database.execute(sql: "DELETE FROM shared_fence") }
      let removal = try Statement(database, "DELETE FROM shared_fence WHERE id = ?")
      for id in change.removed {
        removal.bind(id.name, 1)
        try removal.run()
      }
      let insertion = try Statement(
        database, "INSERT OR REPLACE INTO shared_fence (id, serial, fence) VALUES (?, ?, ?)")
      for entry in change.set {
        insertion.bind(entry.fence.id.name, 1)
        insertion.bind(Int64(clamping: entry.serial), 2)
        insertion.bind(try StoreJSON.encode(entry.fence), 3)
        try insertion.run()
      }
      guard let serial = change.lastSerial else { return }
      try database.execute(
        sql: "INSERT OR REPLACE INTO meta (key, value) VALUES ('shared_fence_serial', ?)",
        arguments: [Int64(clamping: serial)])
    }
  }

  /// Returns the fences that single devices have of their own, and the edits that other processes made to them.
  package func ownFences() throws(StoreError) -> [OwnFences] {
    try read { database in
      let devices = try String.fetchAll(
        database,
        sql: """
          SELECT name FROM device WHERE id IN (SELECT device FROM fence) OR id IN (SELECT device FROM fence_edit)
          ORDER BY name
          """)
      return try devices.map(DeviceID.init(rawValue:)).compactMap { device in
        guard let reader = try DeviceReader(database, device) else { return nil }
        let edits = try reader.edits(after: reader.lastAppliedEdit())
        return OwnFences(device: device, fences: try reader.fences().map(\.fence), edits: edits)
      }
    }
  }

  /// Removes fences and edits that a device had of its own, after they became shared ones. Later edits stay.
  package func remove(_ own: OwnFences) throws(StoreError) {
    try write { database in
      guard
        let id = try Int64.fetchOne(
          database, sql: "SELECT id FROM device WHERE name = ?", arguments: [own.device.rawValue])
      else { return }
      try database.execute(sql: "DELETE FROM fence WHERE device = ?", arguments: [id])
      let last = Int64(clamping: own.edits.last?.number ?? 0)
      try database.execute(
        sql: "DELETE FROM fence_edit WHERE device = ? AND number <= ?", arguments: [id, last])
      try database.execute(
        sql: "UPDATE device SET edits_applied = max(edits_applied, ?) WHERE id = ?", arguments: [last, id])
    }
  }
}
