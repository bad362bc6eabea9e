import GRDB
package import Whereabouts
import WhereaboutsModel

/// A fence record of any device, with its position in the order of the store.
package struct OrderedFenceRecord: Sendable {
  /// The position: from 1, increasing with each stored record of any device.
  package var position: UInt64
  /// The device.
  package var device: DeviceID
  /// The record.
  package var record: NumberedFenceRecord
}

extension SQLiteStore {
  /// Returns the fence records of all devices after a position, in the order in which they were stored.
  ///
  /// - Parameters:
  ///   - position: the last position that the caller knows.
  ///   - device: the only device; `nil` for all.
  ///   - limit: the greatest number of records.
  package func fenceRecords(
    afterPosition position: UInt64, of device: DeviceID?, limit: Int
  ) throws(StoreError) -> [OrderedFenceRecord] {
    try orderedRecords("position", after: position, upTo: .max, device, limit)
  }

  /// Returns the newest fence records of all devices between two positions, the newest first.
  ///
  /// - Parameters:
  ///   - position: the greatest position.
  ///   - start: the position after which records are read.
  ///   - device: the only device; `nil` for all.
  ///   - limit: the greatest number of records.
  package func fenceRecords(
    newestUpToPosition position: UInt64, after start: UInt64, of device: DeviceID?, limit: Int
  ) throws(StoreError) -> [OrderedFenceRecord] {
    try orderedRecords("position DESC", after: start, upTo: position, device, limit)
  }

  private func orderedRecords(
    _ order: String, after start: UInt64, upTo end: UInt64, _ device: DeviceID?, _ limit: Int
  ) throws(StoreError) -> [OrderedFenceRecord] {
    try read { database in
      // The device's number is compared before the record is read: most records are of other devices.
      let rows = try Statement(
        database,
        """
        SELECT \(FenceRecordRow.selected), position, device.name FROM fence_record_order
        JOIN fence_record USING (device, number) JOIN device ON device.id = fence_record.device
        WHERE position > ?1 AND position <= ?2
          AND (?3 IS NULL OR fence_record_order.device = (SELECT id FROM device WHERE name = ?3))
        ORDER BY \(order) LIMIT ?4
        """)
      rows.bind(Int64(clamping: start), 1)
      rows.bind(Int64(clamping: end), 2)
      rows.bind(device?.rawValue, 3)
      rows.bind(Int64(limit), 4)
      var records: [OrderedFenceRecord] = []
      while try rows.step() {
        let columns = FenceRecordRow.columnCount
        records.append(
          OrderedFenceRecord(
            position: UInt64(clamping: rows.int(columns)),
            device: DeviceID(rawValue: rows.text(columns + 1)),
            record: try FenceRecordRow.record(of: rows)))
      }
      return records
    }
  }

  /// Returns those of some positions whose records are not erased. No position is used twice.
  package func positionsWithRecords(among positions: Set<UInt64>) throws(StoreError) -> Set<UInt64> {
    try read { database in
      let marks = positions.map { _ in "?" }.joined(separator: ", ")
      let found = try Int64.fetchAll(
        database, sql: "SELECT position FROM fence_record_order WHERE position IN (\(marks))",
        arguments: StatementArguments(positions.map { Int64(clamping: $0) }))
      return Set(found.map { UInt64(clamping: $0) })
    }
  }

  /// Returns the position of the last fence record of any device; 0 if there is none.
  package func lastRecordPosition() throws(StoreError) -> UInt64 {
    try read { database in
      UInt64(
        clamping: try Int64.fetchOne(database, sql: "SELECT max(position) FROM fence_record_order") ?? 0)
    }
  }
}
