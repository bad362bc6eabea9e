import GRDB
public import Whereabouts
package import WhereaboutsModel

/// A mark of the erasures of a store (``SQLiteStore/erasureMark()``).
package struct ErasureMark: Equatable, Sendable {
  /// The number of the last task that was begun.
  fileprivate var begun: Int64
  /// The number of unfinished tasks.
  fileprivate var pending: Int64
}

extension SQLiteStore {
  /// Erases data irrecoverably: overwrites the data in the file, shortens the file and empties the log.
  ///
  /// The method works in small steps between other commits, also on a full disk. A running manager holds the last
  /// minutes in memory and writes them again with its next snapshot. End such a manager before erasing recent data.
  ///
  /// - Parameters:
  ///   - what: the data to erase.
  ///   - progress: called from time to time; `false` stops the erasure. Rows erased by then are erased irrecoverably.
  /// - Returns: the number of erased rows.
  /// - Throws: `locked` if another program reads the file for too long to empty the log.
  /// - After a kill or an error: the file records the remaining erasures. The next opening for writing finishes them,
  ///   as does ``finishErasing(progress:)``.
  @discardableResult
  public func forget(
    _ what: ErasureScope, progress: @escaping (UpkeepProgress) -> Bool = { _ in true }
  ) throws(StoreError) -> Int {
    // The names of the files are less important than the data.
    let erasedDevices: [DeviceID] =
      switch what {
      case .everything: (try? devices()) ?? []
      case .device(let device): [device]
      case .span, .crossings, .trip, .state: []
      }
    try write(erasing: true) { database in
      for task in try ErasureTask.all(for: what, in: database) { try task.insert(into: database) }
      try ErasureTask(.log).insert(into: database)
    }
    // The rows are erased in any case, now or at the next opening.
    defer { for device in erasedDevices { removeLockFile(of: device) } }
    return try finishErasing(progress: progress)
  }

  /// Whether an erasure is unfinished, because a process was killed or another program reads the file.
  public var isErasurePending: Bool {
    get throws(StoreError) { try read { try !ErasureTask.pending(in: $0).isEmpty } }
  }

  /// Returns a mark that changes when an erasure begins or ends, of this process or another.
  package func erasureMark() throws(StoreError) -> ErasureMark {
    try read { database -> ErasureMark in
      let begun = try Int64.fetchOne(
        database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'erasure'")
      let pending = try Int64.fetchOne(database, sql: "SELECT count(*) FROM erasure WHERE scope <> 'log'")
      return ErasureMark(begun: begun ?? 0, pending: pending ?? 0)
    }
  }

  /// Finishes the erasures begun by ``forget(_:progress:)``.
  ///
  /// - Parameter progress: as in ``forget(_:progress:)``.
  /// - Returns: the number of erased rows.
  /// - Throws: as ``forget(_:progress:)``.
  @discardableResult
  public func finishErasing(progress: @escaping (UpkeepProgress) -> Bool = { _ in true }) throws(StoreError)
    -> Int
  {
    try finishErasing(patience: settings.openTimeout, progress: progress)
  }

  func finishErasing(
    patience: Duration, progress: @escaping (UpkeepProgress) -> Bool
  ) throws(StoreError) -> Int {
    let pending = try pendingErasure()
    guard !pending.isEmpty else { return 0 }
    var eraser = Eraser(store: self, progress: progress)
    for task in pending {
      try eraser.run(task)
      if eraser.isCancelled { break }
      // The rows are erased, but not their bytes yet; the `log` task records the rest.
      if task.kind != .log { try write(erasing: true) { try ErasureTask.remove([task], from: $0) } }
    }
    // `progress` stopped the remaining tasks. Each step made sure that a task of the log exists.
    let left = try pending.filter { $0.kind != .log } + pendingErasure().filter { $0.kind == .log }
    try eraser.shrink(patience: patience)
    try write(erasing: true) { try ErasureTask.remove(left, from: $0) }
    writerConnection.erasureFinished()
    // Not essential: the last frames hold only the table of tasks.
    try? emptyLog(patience: .zero)
    return eraser.erased
  }

  private func pendingErasure() throws(StoreError) -> [ErasureTask] {
    do { return try writerConnection.withConnection { try ErasureTask.pending(in: $0) } } catch {
      throw storeError(error, "read")
    }
  }
}

/// The numbers of rows to erase. Rows are counted without being decoded, so that rows that can't be read can be erased.
extension SQLiteStore {
  /// Returns the number of a device's fixes in a span, used or not.
  package func fixCount(of device: DeviceID, in span: Range<UTCTime>) throws(StoreError) -> Int {
    try count("fix WHERE device = ?1 AND time >= ?2 AND time < ?3", of: device, in: span)
  }

  /// Returns the number of the stated visits that have an instant in common with a span.
  package func statedVisitCount(of device: DeviceID, in span: Range<UTCTime>) throws(StoreError) -> Int {
    // A file of an older version has none.
    guard try read({ try $0.tableExists("stated_visit") }) else { return 0 }
    return try count("stated_visit WHERE device = ?1 AND \(VisitSchema.isInSpan)", of: device, in: span)
  }

  /// Returns the number of a device's fence events in a span as first reported; of all of them for `nil`.
  package func eventCount(of device: DeviceID, in span: Range<UTCTime>? = nil) throws(StoreError) -> Int {
    let events = "fence_record WHERE device = ?1 AND type = 'event'"
    return try count(span == nil ? events : "\(events) AND time >= ?2 AND time < ?3", of: device, in: span)
  }

  /// Returns the number of the fences of a device of its own, with pending edits applied.
  package func ownFenceCount(of device: DeviceID) throws(StoreError) -> Int {
    let edits = """
      (SELECT id, fence, max(number) FROM fence_edit
       WHERE device = ?1 AND number > (SELECT edits_applied FROM device WHERE id = ?1) GROUP BY id)
      """
    return try count("fence WHERE device = ?1 AND id NOT IN (SELECT id FROM \(edits))", of: device)
      + count("\(edits) WHERE fence IS NOT NULL", of: device)
  }

  /// Returns the number of the fences of a device, with pending edits applied and those that all devices of a server
  /// share.
  package func fenceCount(of device: DeviceID) throws(StoreError) -> Int {
    let own = """
      SELECT id FROM fence WHERE device = ?1 UNION SELECT id FROM fence_edit
      WHERE device = ?1 AND number > (SELECT edits_applied FROM device WHERE id = ?1)
      """
    return try ownFenceCount(of: device) + count("shared_fence WHERE id NOT IN (\(own))", of: device)
  }

  private func count(
    _ rows: String, of device: DeviceID, in span: Range<UTCTime>? = nil
  ) throws(StoreError) -> Int {
    try read { database in
      guard let reader = try DeviceReader(database, device) else { return 0 }
      let row = try reader.statement("SELECT count(*) FROM \(rows)")
      if let span {
        row.bind(span.lowerBound.nanosecondsSince1970, 2)
        row.bind(span.upperBound.nanosecondsSince1970, 3)
      }
      return try row.step() ? Int(clamping: row.int(0)) : 0
    }
  }
}
