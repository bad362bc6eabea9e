import GRDB
package import Whereabouts
package import WhereaboutsModel

/// A change of imported fixes by a repair.
package enum RepairChange: Hashable, Sendable {
  /// The fixes are implausible.
  case leaveOut
  /// The fixes belong to another device. Those that it has already are implausible.
  case move(to: DeviceID)
  /// The times change by nanoseconds.
  case shift(Int64)
  /// The horizontal accuracies are absent.
  case removeAccuracy
}

/// A repair that was applied.
package struct AppliedRepair: Hashable, Sendable {
  /// The number of the repair in the store.
  package var number: Int
  /// The kind of the finding.
  package var kind: String
  /// The choice.
  package var choice: String
  /// The number of changed fixes.
  package var count: Int
  /// The time of the repair.
  package var applied: UTCTime
}

/// The reason why a repair can't be undone.
package enum RepairUndoProblem: Error, Hashable, Sendable {
  /// The device has no repair of the number.
  case unknown
  /// A later repair, of the same or another device, has changed the same fixes.
  case superseded(by: Int, of: DeviceID)
}

extension SQLiteStore {
  /// Changes imported fixes, in one transaction that survives a power cut, and stores the data for an undo.
  ///
  /// - Parameters:
  ///   - fixes: the times and numbers of the fixes. Fixes that are erased, unused or not imported stay as they are.
  ///   - time: the time of the repair.
  /// - Returns: the repair; `nil` if nothing changed.
  package func repair(
    _ device: DeviceID, kind: String, choice: String, fixes: [(time: Int64, seq: Int64)],
    change: RepairChange, at time: UTCTime
  ) throws(StoreError) -> AppliedRepair? {
    try write { database in
      guard let state = try DeviceState.read(device, in: database) else { return nil }
      try database.execute(
        sql: "INSERT INTO repair (device, kind, choice, applied) VALUES (?, ?, ?, ?)",
        arguments: [state.id, kind, choice, time.nanosecondsSince1970])
      let number = database.lastInsertedRowID
      var writer = try RepairWriter(database, repair: number, device: state.id, change)
      var count = 0
      for fix in fixes where try writer.change(time: fix.time, seq: fix.seq) { count += 1 }
      try writer.finish()
      guard count > 0 else {
        try database.execute(sql: "DELETE FROM repair WHERE id = ?", arguments: [number])
        return nil
      }
      return AppliedRepair(number: Int(number), kind: kind, choice: choice, count: count, applied: time)
    }
  }

  /// Returns the repairs of a device that can be undone, the oldest first.
  package func repairs(of device: DeviceID) throws(StoreError) -> [AppliedRepair] {
    try read { database in
      guard try database.tableExists("repair") else { return [] }
      return try Row.fetchAll(
        database,
        sql: """
          SELECT repair.id, kind, choice, applied,
            (SELECT count(*) FROM repaired_fix WHERE repaired_fix.repair = repair.id)
          FROM repair JOIN device ON device.id = repair.device WHERE device.name = ? ORDER BY repair.id
          """, arguments: [device.rawValue]
      ).map { row in
        AppliedRepair(
          number: row[0], kind: row[1], choice: row[2], count: row[4],
          applied: UTCTime(nanosecondsSince1970: row[3]))
      }
    }
  }

  /// Restores the fixes that a repair has changed, in one transaction. Erased fixes stay erased.
  ///
  /// - Returns: the number of restored fixes, or the reason why nothing was restored.
  package func undoRepair(
    _ number: Int, of device: DeviceID
  ) throws(StoreError) -> Result<Int, RepairUndoProblem> {
    try write { database in
      let known = try Int64.fetchOne(
        database,
        sql:
          "SELECT repair.id FROM repair JOIN device ON device.id = repair.device WHERE name = ? AND repair.id = ?",
        arguments: [device.rawValue, number])
      guard known != nil else { return .failure(.unknown) }
      let later = try Row.fetchOne(
        database,
        sql: """
          SELECT repair.id, device.name FROM repair JOIN device ON device.id = repair.device
          WHERE repair.id = (SELECT max(later.repair) FROM repaired_fix AS this JOIN repaired_fix AS later
            ON later.repair > this.repair AND later.new_device = this.new_device
              AND later.new_time = this.new_time AND later.new_seq = this.new_seq
          WHERE this.repair = ?)
          """, arguments: [number])
      if let later { return .failure(.superseded(by: later[0], of: DeviceID(rawValue: later[1]))) }
      try database.execute(
        sql: """
          UPDATE fix SET device = r.device, time = r.time, seq = r.seq, use = r.use, hacc = r.hacc
          FROM repaired_fix AS r
          WHERE r.repair = ? AND fix.device = r.new_device AND fix.time = r.new_time AND fix.seq = r.new_seq
          """, arguments: [number])
      let count = database.changesCount
      // The keys that earlier repairs know the fixes by.
      try database.execute(
        sql: """
          UPDATE repaired_fix SET new_device = r.device, new_time = r.time, new_seq = r.seq
          FROM repaired_fix AS r
          WHERE r.repair = ?1 AND repaired_fix.repair < ?1 AND repaired_fix.new_device = r.new_device
            AND repaired_fix.new_time = r.new_time AND repaired_fix.new_seq = r.new_seq
          """, arguments: [number])
      try database.execute(sql: "DELETE FROM repaired_fix WHERE repair = ?", arguments: [number])
      return .success(count)
    }
  }
}

/// A repair within its transaction.
private struct RepairWriter {
  private struct Key: Hashable {
    let time: Int64
    let latitude: Double
    let longitude: Double
  }

  private let database: Database
  private let device: Int64
  private let target: Int64
  /// The state of the target before the repair; `nil` if no fix moves.
  private var targetState: DeviceState?
  private var lastSeq: Int64?
  /// The newest time of the fixes that have moved.
  private var newest = Int64.min
  private let shift: Int64
  private let keep: Statement
  private let follow: Statement
  private let update: Statement
  private let leaveOut: Statement
  /// The place of a fix that moves, and the number of equal fixes of the target; `nil` for other changes.
  private let equals: Statement?
  /// The fixes of the target that equal moved ones, less those that stand for a fix already.
  private var unmatched: [Key: Int] = [:]

  init(_ database: Database, repair: Int64, device: Int64, _ change: RepairChange) throws {
    self.database = database
    self.device = device
    var target = device, shift: Int64 = 0
    var columns = ""
    switch change {
    case .leaveOut: columns = "use = '\(LoggedFix.Use.implausible.rawValue)'"
    case .removeAccuracy: columns = "hacc = NULL"
    case .shift(let time):
      shift = time
      columns = "time = ?5"
    case .move(let name):
      target = try SQLiteStore.rowID(of: name, in: database)
      targetState = try DeviceState.read(name, in: database)
      lastSeq = targetState?.lastSeq
      columns = "device = ?4, seq = ?6"
    }
    self.target = target
    self.shift = shift
    let fix = "device = ?1 AND time = ?2 AND seq = ?3"
    keep = try Statement(
      database,
      """
      INSERT INTO repaired_fix SELECT \(repair), device, time, seq, ?4, ?5, ?6, use, hacc FROM fix
      WHERE \(fix) AND use = 'used' AND timing = \(FixRow.Timing.imported.rawValue)
      """)
    follow = try Statement(
      database,
      """
      UPDATE repaired_fix SET new_device = ?4, new_time = ?5, new_seq = ?6
      WHERE new_device = ?1 AND new_time = ?2 AND new_seq = ?3 AND repair < \(repair)
      """)
    update = try Statement(database, "UPDATE fix SET \(columns) WHERE \(fix)")
    let implausible = "'\(LoggedFix.Use.implausible.rawValue)'"
    leaveOut = try Statement(database, "UPDATE fix SET use = \(implausible) WHERE \(fix)")
    equals =
      lastSeq != nil
      ? try Statement(
        database,
        """
        SELECT lat, lon, (SELECT count(*) FROM fix AS other
          WHERE other.device = ?4 AND other.time = fix.time AND other.lat = fix.lat AND other.lon = fix.lon
            AND other.use <> \(implausible))
        FROM fix WHERE \(fix) AND use = 'used' AND timing = \(FixRow.Timing.imported.rawValue)
        """) : nil
  }

  /// Returns whether the target has a fix of the same time and place for which no other fix was left out.
  private mutating func isInTarget(time: Int64, seq: Int64) throws -> Bool {
    guard let equals else { return false }
    equals.bind(device, 1)
    equals.bind(time, 2)
    equals.bind(seq, 3)
    equals.bind(target, 4)
    defer { equals.reset() }
    guard try equals.step() else { return false }
    let key = Key(time: time, latitude: equals.double(0), longitude: equals.double(1))
    // The first fix of a time and place is counted before any of them moves.
    let count = unmatched[key] ?? Int(equals.int(2))
    unmatched[key] = max(0, count - 1)
    return count > 0
  }

  /// Changes a fix.
  ///
  /// - Returns: whether there was a fix to change.
  mutating func change(time: Int64, seq: Int64) throws -> Bool {
    let (newTime, overflow) = time.addingReportingOverflow(shift)
    guard !overflow else { return false }
    let isLeftOut = try isInTarget(time: time, seq: seq)
    let newDevice = isLeftOut ? device : target
    let newSeq = isLeftOut ? seq : lastSeq.map { $0 + 1 } ?? seq
    let change = isLeftOut ? leaveOut : update
    for statement in [keep, follow, change] {
      statement.bind(device, 1)
      statement.bind(time, 2)
      statement.bind(seq, 3)
      statement.bind(newDevice, 4)
      statement.bind(newTime, 5)
      statement.bind(newSeq, 6)
    }
    try keep.run()
    guard database.changesCount > 0 else { return false }
    if (newDevice, newTime, newSeq) != (device, time, seq) { try follow.run() }
    try change.run()
    if lastSeq != nil, !isLeftOut { (lastSeq, newest) = (newSeq, max(newest, newTime)) }
    return true
  }

  func finish() throws {
    guard let targetState, let lastSeq, lastSeq > targetState.lastSeq else { return }
    let numbers = targetState.lastSeq + 1...lastSeq
    // Among the imports of the target, so that they are compared with its others.
    try ImportRuns.append(numbers, to: target, continuing: false, in: database)
    try targetState.addImported(numbers, newest: newest, in: database)
  }
}
