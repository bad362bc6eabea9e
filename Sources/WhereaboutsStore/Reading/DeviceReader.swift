import WhereaboutsEngine
import WhereaboutsModel
package import GRDB
package import Whereabouts

/// A reader of one device's data within one transaction.
package struct DeviceReader {
  let database: Database
  let id: Int64
  private let state: DeviceState

  /// - Returns: `nil` for an unknown device.
  package init?(_ database: Database, _ device: DeviceID) throws {
    guard let state = try DeviceState.read(device, in: database) else { return nil }
    self.database = database
    self.state = state
    id = state.id
  }

  /// - Returns: `nil` for an unknown row id.
  init?(_ database: Database, rowID: Int64) throws {
    let row = try Statement(database, "SELECT name FROM device WHERE id = ?")
    row.bind(rowID, 1)
    guard try row.step() else { return nil }
    let name = DeviceID(rawValue: row.text(0))
    row.reset()
    try self.init(database, name)
  }

  /// The last number of a fix.
  var lastSeq: Int64 { state.lastSeq }
  /// The time of the last used fix, even if the fix was erased.
  package var lastUsedTime: Int64? { state.lastUsed?.time }
  /// The number of the last fix in the snapshot. An engine replays later fixes.
  var snapshotSeq: Int64 { state.snapshotSeq }
  /// A lower bound of the times of the fixes after the snapshot.
  var sinceTime: Int64? { state.sinceTime }

  // MARK: Engine record

  /// - Parameter wall: the wall clock.
  func record(at wall: UTCTime) throws -> DeviceRecord {
    var record = DeviceRecord()
    record.snapshot = try snapshot()
    record.fences = try fences()
    record.fixesSinceSnapshot = try fixesSinceSnapshot()
    record.lastFix = try lastProcessed(at: wall)?.fix
    let row = try keptStatement(
      "SELECT processed_until, fence_serial, edits_applied, record_floor, event_floor FROM device WHERE id = ?"
    )
    guard try row.step() else { return record }
    record.processedUntil = row.optionalInt(0).map(UTCTime.init(nanosecondsSince1970:))
    record.lastSerial = UInt64(clamping: row.int(1))
    record.edits = try edits(after: UInt64(clamping: row.int(2)))
    record.fenceRecords = try fenceRecords(newest: Fences.rememberedRecords)
    record.lastRecordNumber = max(record.fenceRecords.last?.number ?? 0, UInt64(clamping: row.int(3)))
    record.lastEventNumber = max(try lastEventNumber(), UInt64(clamping: row.int(4)))
    row.reset()
    record.lastReceiverUsage = try lastReceiverUsage()
    record.openTrips = try trips("AND ended IS NULL")
    record.endedTrips = try endedTrips()
    return record
  }

  private func snapshot() throws -> EngineSnapshot? {
    let row = try keptStatement("SELECT version, state FROM snapshot WHERE device = ?")
    guard try row.step() else { return nil }
    defer { row.reset() }
    return try SnapshotText(text: row.text(1), version: row.int(0)).snapshot()
  }

  /// Returns the fixes after the snapshot, in the order of processing.
  private func fixesSinceSnapshot() throws -> [LoggedFix] {
    guard let sinceTime = state.sinceTime else { return [] }
    let rows = try keptStatement(
      """
      SELECT \(FixRow.selected) FROM fix
      WHERE device = ? AND time >= ? AND seq > ? AND timing <> \(FixRow.Timing.imported.rawValue)
      """)
    rows.bind(sinceTime, 2)
    rows.bind(state.snapshotSeq, 3)
    var fixes: [StoredFix] = []
    while try rows.step() { fixes.append(try FixRow.fix(of: rows)) }
    return fixes.sorted { $0.seq < $1.seq }.map(\.fix)
  }

  // MARK: Parts

  /// Returns the last used fix. If it is unknown or erased, the newest remaining one counts, and a date far ahead of the
  /// wall clock only if there is no other.
  func lastUsed(at wall: UTCTime) throws -> StoredFix? {
    if let last = state.lastUsed {
      let row = try keptStatement(
        "SELECT \(FixRow.selected) FROM fix WHERE device = ? AND time = ? AND seq = ?")
      row.bind(last.time, 2)
      row.bind(last.seq, 3)
      if try row.step() {
        defer { row.reset() }
        return try FixRow.fix(of: row)
      }
    }
    let row = try keptStatement(
      """
      SELECT \(FixRow.selected) FROM fix WHERE device = ? AND time <= ? AND use = 'used'
      ORDER BY time DESC, seq DESC LIMIT 1
      """)
    defer { row.reset() }
    for bound in [wall.advanced(by: .nanoseconds(Self.maximumClockLead)).nanosecondsSince1970, .max] {
      row.bind(bound, 2)
      if try row.step() { return try FixRow.fix(of: row) }
    }
    return nil
  }

  /// Returns the last used fix; `nil` also if it is an imported one, which no engine processes.
  func lastProcessed(at wall: UTCTime) throws -> StoredFix? {
    guard let last = try lastUsed(at: wall) else { return nil }
    let row = try keptStatement("SELECT timing FROM fix WHERE device = ? AND time = ? AND seq = ?")
    row.bind(last.rowTime.nanosecondsSince1970, 2)
    row.bind(Int64(clamping: last.seq), 3)
    defer { row.reset() }
    guard try row.step(), row.int(0) == FixRow.Timing.imported.rawValue else { return last }
    return nil
  }

  /// Returns the newest imported fix after a time, without dates ahead of the wall clock: local times that were read as
  /// UTC would hide the fixes of a running engine for hours. `nil` for none.
  func newestImported(after time: UTCTime, at wall: UTCTime) throws -> StoredFix? {
    let row = try statement(
      """
      SELECT \(FixRow.selected) FROM fix WHERE device = ? AND time > ? AND time <= ? AND use = 'used'
        AND timing = \(FixRow.Timing.imported.rawValue)
      ORDER BY time DESC, seq DESC LIMIT 1
      """)
    row.bind(time.nanosecondsSince1970, 2)
    row.bind(wall.nanosecondsSince1970, 3)
    defer { row.reset() }
    return try row.step() ? try FixRow.fix(of: row) : nil
  }

  /// Returns the fences as of the snapshot, in the order of their areas' serial numbers.
  func fences() throws -> [StoreCommit.FenceChange.Entry] {
    let rows = try keptStatement("SELECT fence, serial FROM fence WHERE device = ? ORDER BY serial")
    var fences: [StoreCommit.FenceChange.Entry] = [], decoder = FenceTextDecoder()
    while try rows.step() {
      let fence = try decoder.fence(rows.text(0))
      fences.append(StoreCommit.FenceChange.Entry(fence, serial: UInt64(clamping: rows.int(1))))
    }
    return fences
  }

  func edits(after number: UInt64) throws -> [DeviceRecord.FenceEdit] {
    let rows = try keptStatement(
      "SELECT number, id, fence FROM fence_edit WHERE device = ? AND number > ? ORDER BY number")
    rows.bind(Int64(clamping: number), 2)
    var edits: [DeviceRecord.FenceEdit] = [], decoder = FenceTextDecoder()
    while try rows.step() {
      let change: DeviceRecord.FenceEdit.Change =
        if let json = rows.optionalText(2) {
          .set(try decoder.fence(json))
        } else {
          .removed(FenceID(rows.text(1)))
        }
      edits.append(DeviceRecord.FenceEdit(number: UInt64(clamping: rows.int(0)), change: change))
    }
    return edits
  }

  func fenceRecords(after number: UInt64, limit: Int) throws -> [NumberedFenceRecord] {
    let rows = try statement(
      "SELECT \(FenceRecordRow.selected) FROM fence_record WHERE device = ? AND number > ? ORDER BY number LIMIT ?"
    )
    rows.bind(Int64(clamping: number), 2)
    rows.bind(Int64(max(0, limit)), 3)
    var records: [NumberedFenceRecord] = []
    while try rows.step() { records.append(try FenceRecordRow.record(of: rows)) }
    return records
  }

  /// Returns the newest records, the oldest first.
  func fenceRecords(newest limit: Int) throws -> [NumberedFenceRecord] {
    let rows = try keptStatement(
      "SELECT \(FenceRecordRow.selected) FROM fence_record WHERE device = ? ORDER BY number DESC LIMIT ?")
    rows.bind(Int64(limit), 2)
    var records: [NumberedFenceRecord] = []
    while try rows.step() { records.append(try FenceRecordRow.record(of: rows)) }
    return records.reversed()
  }

  /// Returns an event as the last record before a number has it; `nil` if there is none.
  func fenceEvent(_ id: FenceEvent.ID, before number: UInt64) throws -> FenceEvent? {
    let row = try statement(
      """
      SELECT \(FenceRecordRow.selected) FROM fence_record
      WHERE device = ? AND number < ? AND event = ? AND type IN ('event', 'revised') ORDER BY number DESC LIMIT 1
      """)
    row.bind(Int64(clamping: number), 2)
    row.bind(Int64(clamping: id.number), 3)
    guard try row.step() else { return nil }
    defer { row.reset() }
    switch try FenceRecordRow.record(of: row).record {
    case .event(let event), .revised(_, let event?): return event
    case .revised(_, nil), .removed, .decided: return nil
    }
  }

  /// Returns the last event id. Ids increase in the order of reporting.
  private func lastEventNumber() throws -> UInt64 {
    let row = try keptStatement(
      "SELECT event FROM fence_record WHERE device = ? AND type = 'event' ORDER BY number DESC LIMIT 1")
    guard try row.step() else { return 0 }
    defer { row.reset() }
    return UInt64(clamping: row.int(0))
  }

  /// Returns trips in the order of their beginnings. An open trip without a settled point has begun last.
  ///
  /// - Parameter condition: the filter, as SQL.
  func trips(_ condition: String = "") throws -> [Trip] {
    let rows = try keptStatement(
      """
      SELECT \(TripRow.selected) FROM trip WHERE device = ? \(condition)
      ORDER BY began IS NULL AND ended IS NULL, began, id
      """)
    var trips: [Trip] = []
    while try rows.step() { trips.append(TripRow.trip(of: rows)) }
    return trips
  }

  private func endedTrips() throws -> [TripID] {
    let rows = try keptStatement("SELECT id FROM trip WHERE device = ? AND ended IS NOT NULL ORDER BY id")
    var names: [TripID] = []
    while try rows.step() { names.append(TripID(rawValue: rows.text(0))) }
    return names
  }

  /// Returns all trips, the open ones with ``Trip/ahead`` by the state of the engine. A state or a fix that can't be read
  /// leaves it unknown.
  func tripsWithAhead() throws -> [Trip] {
    var trips = try trips()
    guard trips.contains(where: { $0.ended == nil }), let snapshot = try? snapshot(),
      let fixes = try? fixesSinceSnapshot()
    else { return trips }
    trips.setAhead(from: snapshot.trips.map { $0.tripIfEnded(after: fixes) })
    return trips
  }

  /// Returns a statement whose first parameter is the device.
  func statement(_ sql: String) throws -> Statement {
    let statement = try Statement(database, sql)
    statement.bind(id, 1)
    return statement
  }

  /// Returns a statement that stays compiled, for the parts of an engine's record. Its first parameter is the device.
  func keptStatement(_ sql: String) throws -> Statement {
    let statement = try Statement(kept: sql, by: database)
    statement.bind(id, 1)
    return statement
  }
}
