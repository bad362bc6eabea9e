import GRDB
package import Whereabouts
package import WhereaboutsModel

/// The position of a fix in the order of a device's history, from which the next page is read.
package struct HistoryPosition: Hashable, Sendable {
  /// The row's time in nanoseconds since 1970.
  package var time: Int64
  /// The number of the fix.
  package var seq: Int64

  /// Creates a position.
  package init(time: Int64, seq: Int64) {
    self.time = time
    self.seq = seq
  }
}

extension StoredFix {
  /// The position of the fix in the history of its device.
  package var position: HistoryPosition {
    HistoryPosition(time: rowTime.nanosecondsSince1970, seq: Int64(clamping: seq))
  }
}

extension SQLiteStore {
  /// Returns one page of a device's history, in order of time.
  ///
  /// - Parameters:
  ///   - device: the device.
  ///   - span: the span of times; `nil` for all times.
  ///   - position: the position after which the page begins; `nil` begins with the span.
  ///   - limit: the greatest number of fixes.
  package func historyPage(
    of device: DeviceID, in span: Range<UTCTime>?, after position: HistoryPosition?, limit: Int
  ) throws(StoreError) -> [StoredFix] {
    try read { database in
      guard let reader = try DeviceReader(database, device) else { return [] }
      let rows = try reader.statement(
        """
        SELECT \(FixRow.selected) FROM fix
        WHERE device = ? AND (time, seq) > (?, ?) AND time < ? ORDER BY time, seq LIMIT ?
        """)
      // No fix has the least number.
      let start = HistoryPosition(time: span?.lowerBound.nanosecondsSince1970 ?? .min, seq: .min)
      let after = position.map { $0.time < start.time ? start : $0 } ?? start
      rows.bind(after.time, 2)
      rows.bind(after.seq, 3)
      rows.bind(span?.upperBound.nanosecondsSince1970 ?? .max, 4)
      rows.bind(Int64(limit), 5)
      var page: [StoredFix] = []
      while try rows.step() { page.append(try FixRow.fix(of: rows)) }
      return page
    }
  }

  /// Returns the number of fixes of an instant up to a position.
  package func fixCount(of device: DeviceID, upTo position: HistoryPosition) throws(StoreError) -> Int64 {
    try read { database in
      guard let reader = try DeviceReader(database, device) else { return 0 }
      let count = try reader.statement(
        "SELECT count(*) FROM fix WHERE device = ? AND time = ? AND seq <= ?")
      count.bind(position.time, 2)
      count.bind(position.seq, 3)
      return try count.step() ? count.int(0) : 0
    }
  }

  /// Returns the position behind the first fixes of an instant.
  ///
  /// - Parameter count: the number of fixes; all of the instant if there are fewer.
  package func historyPosition(
    of device: DeviceID, at time: Int64, behind count: Int64
  ) throws(StoreError) -> HistoryPosition {
    try read { database in
      // No fix has the least number.
      let start = HistoryPosition(time: time, seq: .min)
      guard let reader = try DeviceReader(database, device) else { return start }
      let last = try reader.statement(
        "SELECT max(seq) FROM (SELECT seq FROM fix WHERE device = ? AND time = ? ORDER BY seq LIMIT ?)")
      last.bind(time, 2)
      last.bind(count, 3)
      guard try last.step(), let seq = last.optionalInt(0) else { return start }
      return HistoryPosition(time: time, seq: seq)
    }
  }

  /// Returns the fixes that the store does not have: of another time, or at another place at their time.
  ///
  /// A client that missed the answer sends its fixes again. They must not be stored twice.
  ///
  /// - Complexity: O(log n) for each fix.
  package func withoutStored(_ fixes: [Fix], of device: DeviceID) throws(StoreError) -> [Fix] {
    try read { database in
      guard let reader = try DeviceReader(database, device) else { return fixes }
      let rows = try reader.statement("SELECT lat, lon FROM fix WHERE device = ? AND time = ?")
      return try fixes.filter { fix in
        guard let time = fix.time else { return true }
        rows.bind(time.nanosecondsSince1970, 2)
        defer { rows.reset() }
        while try rows.step() {
          if rows.double(0) == fix.coordinate.latitude, rows.double(1) == fix.coordinate.longitude {
            return false
          }
        }
        return true
      }
    }
  }

  /// Returns the time of the newest fix that an engine of a device has processed, used or not; `nil` if there is none.
  /// Imported fixes do not count.
  package func newestProcessedTime(of device: DeviceID) throws(StoreError) -> UTCTime? {
    try read { database -> UTCTime? in
      guard let reader = try DeviceReader(database, device) else { return nil }
      let row = try reader.statement(
        """
        SELECT time FROM fix WHERE device = ? AND timing <> \(FixRow.Timing.imported.rawValue)
        ORDER BY time DESC LIMIT 1
        """)
      defer { row.reset() }
      return try row.step() ? UTCTime(nanosecondsSince1970: row.int(0)) : nil
    }
  }
}

extension SQLiteStore {
  /// Returns whether the store has data of a device.
  package func contains(_ device: DeviceID) throws(StoreError) -> Bool {
    try read { database in
      try Int64.fetchOne(database, sql: "SELECT id FROM device WHERE name = ?", arguments: [device.rawValue])
        != nil
    }
  }

  /// Returns a device's fence records after a number, the oldest first.
  package func fenceRecords(
    afterNumber number: UInt64, of device: DeviceID, limit: Int
  ) throws(StoreError) -> [NumberedFenceRecord] {
    try read { database in
      try DeviceReader(database, device)?.fenceRecords(after: number, limit: limit) ?? []
    }
  }

  /// Returns a device's event as the last record before a number has it; `nil` if there is none.
  package func fenceEvent(
    _ id: FenceEvent.ID, beforeNumber number: UInt64, of device: DeviceID
  ) throws(StoreError) -> FenceEvent? {
    try read { database in try DeviceReader(database, device)?.fenceEvent(id, before: number) }
  }

  /// Returns the event that a record revokes; `nil` for another record, or if the event is erased.
  package func event(
    revokedBy record: NumberedFenceRecord, of device: DeviceID
  ) throws(StoreError) -> FenceEvent? {
    guard case .revised(let id, nil) = record.record else { return nil }
    return try fenceEvent(id, beforeNumber: record.number, of: device)
  }

  /// Returns a device's newest fence records, the oldest of them first.
  package func fenceRecords(newest limit: Int, of device: DeviceID) throws(StoreError)
    -> [NumberedFenceRecord]
  {
    try read { database in try DeviceReader(database, device)?.fenceRecords(newest: limit) ?? [] }
  }
}
