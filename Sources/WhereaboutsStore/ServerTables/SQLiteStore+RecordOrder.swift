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
    try orderedRecords("position > ?1", "position", position, device, limit)
  }

  /// Returns the newest fence records of all devices up to a position, the newest first.
  ///
  /// - Parameters:
  ///   - position: the greatest position.
  ///   - device: the only device; `nil` for all.
  ///   - limit: the greatest number of records.
  package func fenceRecords(
    newestUpToPosition position: UInt64, of device: DeviceID?, limit: Int
  ) throws(StoreError) -> [OrderedFenceRecord] {
    try orderedRecords("position <= ?1", "position DESC", position, device, limit)
  }

  private func orderedRecords(
    _ condition: String, _ order: String, _ position: UInt64, _ device: DeviceID?, _ limit: Int
  ) throws(StoreError) -> [OrderedFenceRecord] {
    try read { database in
      let rows = try Statement(
        database,
        """
        SELECT \(FenceRecordRow.selected), position, device.name FROM fence_record_order
        JOIN fence_record USING (device, number) JOIN device ON device.id = fence_record.device
        WHERE \(condition) AND (?2 IS NULL OR device.name = ?2) ORDER BY \(order) LIMIT ?3
        """)
      rows.bind(Int64(clamping: position), 1)
      rows.bind(device?.rawValue, 2)
      rows.bind(Int64(limit), 3)
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

  /// Returns the position of the last fence record of any device; 0 if there is none.
  package func lastRecordPosition() throws(StoreError) -> UInt64 {
    try read { database in
      UInt64(
        clamping: try Int64.fetchOne(database, sql: "SELECT max(position) FROM fence_record_order") ?? 0)
    }
  }
}
