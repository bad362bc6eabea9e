import GRDB
import Whereabouts
import WhereaboutsModel

/// An eraser that works in steps, each in its own transaction.
struct Eraser {
  /// The number of rows in one step, which takes some milliseconds.
  static let rowsPerStep = 2_000
  /// The number of pages returned in one step.
  static let pagesPerStep = 1_000

  let store: SQLiteStore
  let progress: (UpkeepProgress) -> Bool
  private(set) var erased = 0
  /// Whether `progress` has stopped the erasure.
  private(set) var isCancelled = false

  init(store: SQLiteStore, progress: @escaping (UpkeepProgress) -> Bool) {
    self.store = store
    self.progress = progress
  }

  // MARK: Scopes

  mutating func run(_ task: ErasureTask) throws(StoreError) {
    let device = task.device ?? 0
    switch task.kind {
    case .device: try eraseDevice(device)
    case .span: try eraseSpan(from: task.first ?? .min, to: task.last ?? .min, of: device)
    case .crossings:
      try saveNumberFloors(of: device)
      try erase("DELETE FROM fence_record WHERE device = ?", of: device)
      try eraseAlerts(of: device)
    case .trip:
      let trip = task.trip ?? ""
      try erase("DELETE FROM trip WHERE device = ? AND id = ?", of: device, trip)
      try erase("DELETE FROM trip_gap WHERE device = ? AND trip = ?", of: device, trip)
    case .state:
      try saveNumberFloors(of: device)
      try eraseState(of: device)
    case .uploads: try eraseUploads()
    case .server: try eraseServerData()
    case .log: break
    }
  }

  private mutating func eraseDevice(_ device: Int64) throws(StoreError) {
    try saveNumberFloors(of: device)
    try eraseState(of: device)
    try eraseFixes(of: device, from: .min, to: .max)
    guard !isCancelled else { return }
    for table in [
      "fence_record", "fence", "fence_edit", "consumer", "trip", "trip_gap", "receiver_usage", "time_reset",
    ] {
      try erase("DELETE FROM \(table) WHERE device = ?", of: device)
    }
    try eraseUploads(of: device)
    try eraseServerData(of: device)
    try erasePlaces(of: device)
    try eraseAlerts(of: device)
    for table in RepairSchema.tablesByDevice + StoreSchema.tablesByDeviceOfVersion8 {
      try erase("DELETE FROM \(table) WHERE device = ?", of: device)
    }
    try erase("DELETE FROM device WHERE id = ?", of: device)
  }

  private mutating func eraseSpan(from: Int64, to: Int64, of device: Int64) throws(StoreError) {
    try saveNumberFloors(of: device)
    let wall = store.writerConnection.wall()
    let mayHold = try store.read { database in
      try DeviceReader(database, rowID: device)?.stateMayHold(from: from, to: to, at: wall) ?? false
    }
    if mayHold { try eraseState(of: device) }
    try eraseFixes(of: device, from: from, to: to)
    guard !isCancelled else { return }
    try eraseOffsets(of: device, from: from, to: to)
    try erase(
      """
      DELETE FROM fence_record WHERE device = ?1
        AND (time >= ?2 AND time < ?3 OR fix_time >= ?2 AND fix_time < ?3 OR decided >= ?2 AND decided < ?3)
      """, of: device, from, to)
    try erase("DELETE FROM trip_gap WHERE device = ?1 AND end >= ?2 AND end < ?3", of: device, from, to)
    // The date may have gone back on the way, so that the end is before the beginning.
    try erase(
      """
      DELETE FROM trip WHERE device = ?1 AND min(began, coalesce(ended, settled_to, began)) >= ?2
        AND max(began, coalesce(ended, settled_to, began)) < ?3
      """, of: device, from, to)
    try erase(
      "DELETE FROM receiver_usage WHERE device = ?1 AND began >= ?2 AND began < ?3", of: device, from, to)
    // A lower bound remains a lower bound.
    try erase(
      "UPDATE time_reset SET time = ?2 WHERE device = ?1 AND time > ?2 AND time < ?3", of: device, from, to)
    try eraseUploads(from: from, to: to, of: device)
    try eraseRejectedRows(from: from, of: device)
    try erasePlaces(from: from, to: to, of: device)
    try eraseAlerts(from: from, to: to, of: device)
    try eraseStatedVisits(from: from, to: to, of: device)
    try erase("DELETE FROM look WHERE device = ?1 AND time >= ?2 AND time < ?3", of: device, from, to)
  }

  private mutating func eraseState(of device: Int64) throws(StoreError) {
    try erase("DELETE FROM snapshot WHERE device = ?", of: device)
  }

  /// Saves the last numbers, so that numbering continues and no number is used twice.
  private func saveNumberFloors(of device: Int64) throws(StoreError) {
    try store.write(erasing: true) { database in
      guard let reader = try DeviceReader(database, rowID: device) else { return }
      let keep = try reader.statement(
        """
        UPDATE device SET seq_floor = max(seq_floor, ?2),
          record_floor = max(record_floor, coalesce((SELECT max(number) FROM fence_record WHERE device = ?1), 0)),
          event_floor = max(event_floor, coalesce((
            SELECT event FROM fence_record WHERE device = ?1 AND type = 'event' ORDER BY number DESC LIMIT 1), 0))
        WHERE id = ?1
        """)
      keep.bind(reader.lastSeq, 2)
      try keep.run()
    }
  }

  // MARK: Steps

  private mutating func eraseFixes(of device: Int64, from: Int64, to: Int64) throws(StoreError) {
    let times = try store.read { database in
      try DeviceReader(database, rowID: device)?.fixTimes(from: from, to: to)
    }
    guard let times else { return }
    while !isCancelled {
      guard let (rows, reached) = try eraseStep(of: device, from, to) else { return }
      erased += rows
      report(.erasing, Self.share(reached, of: times))
    }
  }

  /// - Returns: the number of erased rows and the time reached; `nil` at the end.
  private func eraseStep(
    of device: Int64, _ from: Int64, _ to: Int64
  ) throws(StoreError) -> (Int, Int64)? {
    try store.write(erasing: true) { database in
      guard let reader = try DeviceReader(database, rowID: device) else { return nil }
      try ErasureTask.scheduleLogErasure(in: database)
      let rows = try reader.eraseFixes(from: from, to: to, atMost: Self.rowsPerStep)
      return rows.map { ($0.count, $0.reached) }
    }
  }

  private mutating func eraseOffsets(of device: Int64, from: Int64, to: Int64) throws(StoreError) {
    erased += try store.write(erasing: true) { database in
      try ErasureTask.scheduleLogErasure(in: database)
      return try DeviceReader(database, rowID: device)?.eraseOffsets(from: from, to: to) ?? 0
    }
  }

  /// Erases rows that need no steps.
  ///
  /// - Parameter sql: the statement, whose first parameter is the device, if given.
  mutating func erase(
    _ sql: String, of device: Int64? = nil, _ arguments: any DatabaseValueConvertible...
  ) throws(StoreError) {
    var all: [(any DatabaseValueConvertible)?] = arguments
    if let device { all.insert(device, at: 0) }
    let values = StatementArguments(all)
    try eraseRows { database in
      try database.execute(sql: sql, arguments: values)
      return database.changesCount
    }
  }

  /// Erases rows in one transaction.
  ///
  /// - Parameter rows: erases the rows, and returns their number. May run twice: the first run is rolled back.
  mutating func eraseRows(_ rows: (Database) throws -> Int) throws(StoreError) {
    guard !isCancelled else { return }
    erased += try store.write(erasing: true) { database in
      try ErasureTask.scheduleLogErasure(in: database)
      return try rows(database)
    }
  }

  // MARK: The file

  /// Returns free pages to the disk and empties the log.
  mutating func shrink(patience: Duration) throws(StoreError) {
    let start = try store.read { database in try FileSize(of: database).free }
    var free = start, step = Self.pagesPerStep
    while free > 0 {
      do throws(StoreError) { try store.vacuum(pages: step) } catch {
        // Pages are moved in the log first. On a full disk, fewer of them at once fit in it.
        guard error.code == .full, step > 1 else { throw error }
        step = max(1, step / 4)
        continue
      }
      let left = try store.read { database in try FileSize(of: database).free }
      guard left < free else { break }
      free = left
      report(.shrinking, 1 - Double(free) / Double(start))
      if isCancelled { break }
    }
    try store.emptyLog(patience: patience)
    report(.shrinking, 1)
  }

  private mutating func report(_ phase: UpkeepProgress.Phase, _ share: Double) {
    if !progress(UpkeepProgress(phase: phase, erased: erased, share: share)) { isCancelled = true }
  }

  /// Returns the share of the times up to a time, in [0, 1].
  static func share(_ time: Int64, of times: (first: Int64, last: Int64)) -> Double {
    let all = Double(times.last) - Double(times.first)
    return all > 0 ? min(1, max(0, (Double(time) - Double(times.first)) / all)) : 1
  }
}
