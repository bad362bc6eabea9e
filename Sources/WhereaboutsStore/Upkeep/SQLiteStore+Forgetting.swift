import GRDB
public import Whereabouts
import WhereaboutsCore

extension SQLiteStore {
  /// Erases for real: what is erased is overwritten in the file, the file is shortened, and the log beside it emptied.
  ///
  /// Works in small steps between which others commit. A manager that runs on this store meanwhile has the last minutes
  /// in its memory, and writes them again with its next state: end it first where they are meant. Works on a full disk.
  ///
  /// - Parameters:
  ///   - what: what is to be forgotten.
  ///   - progress: is told now and then; `false` ends it, and what is erased by then is erased for real.
  /// - Returns: how many rows were erased.
  /// - Throws: `locked` where another program reads the file for so long that the log can't be emptied.
  /// - After a kill or an error: what is left to be erased is written in the file. The next opening that may write finishes
  ///   it, as does ``finishErasing(progress:)``.
  @discardableResult
  public func forget(
    _ what: Forgetting, progress: @escaping (UpkeepProgress) -> Bool = { _ in true }
  ) throws(StoreTrouble) -> Int {
    try write(erasing: true) { database in
      for task in try ErasureTask.all(for: what, in: database) { try task.insert(into: database) }
      try ErasureTask(.log).insert(into: database)
    }
    return try finishErasing(progress: progress)
  }

  /// Whether something that was forgotten is not erased yet: a process was killed meanwhile, or another program reads the
  /// file.
  public var isErasurePending: Bool {
    get throws(StoreTrouble) { try read { try !ErasureTask.pending(in: $0).isEmpty } }
  }

  /// Finishes what earlier calls of ``forget(_:progress:)`` have begun.
  ///
  /// - Parameter progress: as that one's.
  /// - Returns: how many rows were erased.
  /// - Throws: as that one.
  @discardableResult
  public func finishErasing(progress: @escaping (UpkeepProgress) -> Bool = { _ in true }) throws(StoreTrouble)
    -> Int
  {
    try finishErasing(patience: settings.openingPatience, progress: progress)
  }

  func finishErasing(
    patience: Duration, progress: @escaping (UpkeepProgress) -> Bool
  ) throws(StoreTrouble) -> Int {
    let pending = try pendingErasure()
    guard !pending.isEmpty else { return 0 }
    var eraser = Eraser(store: self, progress: progress)
    for task in pending {
      try eraser.run(task)
      if eraser.isEnded { break }
      // The rows are erased, and their bytes not yet: of that the `log` task tells.
      if task.kind != .log { try write(erasing: true) { try ErasureTask.remove([task], from: $0) } }
    }
    // Those left were ended by `progress`; each step has seen that there is one of the log.
    let left = try pending.filter { $0.kind != .log } + pendingErasure().filter { $0.kind == .log }
    try eraser.shrink(patience: patience)
    try write(erasing: true) { try ErasureTask.remove(left, from: $0) }
    writing.erasingEnded()
    // Of no need: the last frames hold nothing but that table.
    try? emptyLog(patience: .zero)
    return eraser.erased
  }

  private func pendingErasure() throws(StoreTrouble) -> [ErasureTask] {
    do { return try writing.look { try ErasureTask.pending(in: $0) } } catch { throw trouble(error, "read") }
  }
}

/// Erases in steps, each a transaction of its own.
struct Eraser {
  /// Rows in one step: some milliseconds.
  static let step = 2_000
  /// Pages given back in one step.
  private static let pages = 1_000

  let store: SQLiteStore
  let progress: (UpkeepProgress) -> Bool
  private(set) var erased = 0
  /// Whether `progress` has ended it.
  private(set) var isEnded = false

  init(store: SQLiteStore, progress: @escaping (UpkeepProgress) -> Bool) {
    self.store = store
    self.progress = progress
  }

  // MARK: What

  mutating func run(_ task: ErasureTask) throws(StoreTrouble) {
    let device = task.device ?? 0
    switch task.kind {
    case .device: try eraseDevice(device)
    case .span: try eraseSpan(from: task.first ?? .min, to: task.last ?? .min, of: device)
    case .crossings:
      try keepNumbers(of: device)
      try erase("DELETE FROM note WHERE device = ?", of: device)
    case .trip:
      let trip = task.trip ?? ""
      try erase("DELETE FROM trip WHERE device = ? AND id = ?", of: device, trip)
      try erase("DELETE FROM trip_gap WHERE device = ? AND trip = ?", of: device, trip)
    case .state:
      try keepNumbers(of: device)
      try eraseState(of: device)
    case .uploads: try erase("DELETE FROM upload_batch")
    case .log: break
    }
  }

  private mutating func eraseDevice(_ device: Int64) throws(StoreTrouble) {
    try keepNumbers(of: device)
    try eraseState(of: device)
    try eraseFixes(of: device, from: .min, to: .max)
    guard !isEnded else { return }
    for table in [
      "note", "fence", "fence_edit", "consumer", "trip", "trip_gap", "spell", "upload_batch", "upload_cursor",
      "time_reset",
    ] {
      try erase("DELETE FROM \(table) WHERE device = ?", of: device)
    }
    try renewUploadOrigins()
    try erase("DELETE FROM device WHERE id = ?", of: device)
  }

  private mutating func eraseSpan(from: Int64, to: Int64, of device: Int64) throws(StoreTrouble) {
    try keepNumbers(of: device)
    let wall = store.writing.wall()
    let mayHold = try store.read { database in
      try DeviceReader(database, rowID: device)?.stateMayHold(from: from, to: to, at: wall) ?? false
    }
    if mayHold { try eraseState(of: device) }
    try eraseFixes(of: device, from: from, to: to)
    guard !isEnded else { return }
    try erase(
      """
      DELETE FROM note WHERE device = ?1
        AND (time >= ?2 AND time < ?3 OR fix_time >= ?2 AND fix_time < ?3 OR decided >= ?2 AND decided < ?3)
      """, of: device, from, to)
    try erase("DELETE FROM trip_gap WHERE device = ?1 AND end >= ?2 AND end < ?3", of: device, from, to)
    try erase(
      "DELETE FROM trip WHERE device = ?1 AND began >= ?2 AND coalesce(ended, settled_to, began) < ?3",
      of: device, from, to)
    try erase("DELETE FROM spell WHERE device = ?1 AND began >= ?2 AND began < ?3", of: device, from, to)
    // A lower bound stays one.
    try erase(
      "UPDATE time_reset SET time = ?2 WHERE device = ?1 AND time > ?2 AND time < ?3", of: device, from, to)
    // The fix that the next to be sent is judged by: without it the next is sent.
    try erase("UPDATE upload_cursor SET kept = NULL WHERE device = ? AND kept IS NOT NULL", of: device)
    try erase(
      "UPDATE upload_cursor SET time = ?2 WHERE device = ?1 AND time > ?2 AND time < ?3", of: device, from, to
    )
    try erase(
      "UPDATE upload_cursor SET scan_time = ?2 WHERE device = ?1 AND scan_time > ?2 AND scan_time < ?3",
      of: device, from, to)
    // Of a batch that doesn't say of when it is, it can't be known that it holds nothing of the span.
    try erase(
      """
      DELETE FROM upload_batch WHERE device = ?1
        AND coalesce(last, ?2) >= ?2 AND coalesce(first, ?2) < ?3
      """, of: device, from, to)
  }

  private mutating func eraseState(of device: Int64) throws(StoreTrouble) {
    try erase("DELETE FROM snapshot WHERE device = ?", of: device)
  }

  /// Numbers go on where they were, whatever is erased: nobody is told anything new under an old one.
  private func keepNumbers(of device: Int64) throws(StoreTrouble) {
    try store.write(erasing: true) { database in
      guard let reader = try DeviceReader(database, rowID: device) else { return }
      let keep = try reader.statement(
        """
        UPDATE device SET seq_floor = max(seq_floor, ?2),
          note_floor = max(note_floor, coalesce((SELECT max(number) FROM note WHERE device = ?1), 0)),
          event_floor = max(event_floor, coalesce((
            SELECT event FROM note WHERE device = ?1 AND what = 'event' ORDER BY number DESC LIMIT 1), 0))
        WHERE id = ?1
        """)
      keep.bind(reader.lastSeq, 2)
      try keep.run()
    }
  }

  // MARK: Steps

  private mutating func eraseFixes(of device: Int64, from: Int64, to: Int64) throws(StoreTrouble) {
    guard let (first, last) = try bounds(of: device, from, to) else { return }
    while !isEnded {
      guard let (rows, reached) = try eraseStep(of: device, from, to) else { return }
      erased += rows
      tell(.erasing, share(reached, from: first, to: last))
    }
  }

  /// - Returns: how many rows went and up to when, or `nil` at the end.
  private func eraseStep(
    of device: Int64, _ from: Int64, _ to: Int64
  ) throws(StoreTrouble) -> (Int, Int64)? {
    try store.write(erasing: true) { database in
      guard let reader = try DeviceReader(database, rowID: device) else { return nil }
      try ErasureTask.requireLog(in: database)
      let rows = try reader.eraseFixes(from: from, to: to, atMost: Self.step)
      return rows.map { ($0.count, $0.reached) }
    }
  }

  private func bounds(
    of device: Int64, _ from: Int64, _ to: Int64
  ) throws(StoreTrouble) -> (Int64, Int64)? {
    try store.read { database in
      guard let reader = try DeviceReader(database, rowID: device) else { return nil }
      func end(_ function: String) throws -> Int64? {
        let row = try reader.statement(
          "SELECT \(function)(time) FROM fix WHERE device = ? AND time >= ? AND time < ?")
        row.bind(from, 2)
        row.bind(to, 3)
        return try row.step() ? row.optionalInt(0) : nil
      }
      guard let first = try end("min"), let last = try end("max") else { return nil }
      return (first, last)
    }
  }

  /// Erases what needs no steps.
  ///
  /// - Parameter sql: its first parameter is the device, where one is given.
  private mutating func erase(
    _ sql: String, of device: Int64? = nil, _ arguments: any DatabaseValueConvertible...
  ) throws(StoreTrouble) {
    guard !isEnded else { return }
    erased += try store.write(erasing: true) { database in
      var all: [any DatabaseValueConvertible] = arguments
      if let device { all.insert(device, at: 0) }
      try ErasureTask.requireLog(in: database)
      try database.execute(sql: sql, arguments: StatementArguments(all))
      return database.changesCount
    }
  }

  // MARK: The file

  /// Gives what is free back to the disk and empties the log.
  mutating func shrink(patience: Duration) throws(StoreTrouble) {
    let start = try store.read { database in try FileSize(of: database).free }
    var free = start
    while free > 0 {
      try store.vacuum(pages: Self.pages)
      let left = try store.read { database in try FileSize(of: database).free }
      guard left < free else { break }
      free = left
      tell(.shrinking, 1 - Double(free) / Double(start))
      if isEnded { break }
    }
    try store.emptyLog(patience: patience)
    tell(.shrinking, 1)
  }

  private mutating func tell(_ phase: UpkeepProgress.Phase, _ share: Double) {
    if !progress(UpkeepProgress(phase: phase, erased: erased, share: share)) { isEnded = true }
  }

  private func share(_ time: Int64, from: Int64, to: Int64) -> Double {
    let all = Double(to) - Double(from)
    return all > 0 ? min(1, max(0, (Double(time) - Double(from)) / all)) : 1
  }
}
