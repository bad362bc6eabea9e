import Foundation
import GRDB
public import Whereabouts
import WhereaboutsCore

/// What is wrong with a store.
public struct StoreFault: Hashable, Sendable {
  /// Where the fault is, and so what helps.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Pages of the file: SQLite can't read all of it, or finds it inconsistent.
    case file
    /// A row belongs to a device or server that is not there.
    case reference
    /// A row can't be understood.
    case row
    /// The state of an engine, or a fence, can't be gone on with.
    case state
    /// Numbers that must be unique or grow are not.
    case number
  }

  /// Where the fault is.
  public var kind: Kind
  /// The fault, for a person. Never a coordinate.
  public var message: String

  /// A fault.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

/// What came of checking a store.
public struct StoreCheckReport: Hashable, Sendable {
  /// What is wrong, at most ``mostFaults``; nothing where the store is whole.
  public var faults: [StoreFault] = []
  /// Rows of history that were read.
  public var fixes = 0
  /// Events and the like that were read.
  public var notes = 0
  /// Whether something that was forgotten is still to be erased.
  public var isErasurePending = false

  /// Faults that are reported one by one; of more there is no end in a damaged file.
  public static let mostFaults = 50

  /// Nothing was checked.
  public init() {}
}

/// How far a check is.
public struct StoreCheckProgress: Hashable, Sendable {
  /// What is being checked.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    case pages, references, history, records
  }

  /// What is being checked.
  public var phase: Phase
  /// The share of ``phase`` that is done, in [0, 1].
  public var share: Double
}

extension SQLiteStore {
  /// Reads all of the file and reports what is wrong: the pages, as SQLite checks them; rows that belong to nothing; and
  /// whether every row can be understood and every engine gone on with. Changes nothing.
  ///
  /// - Parameter progress: is told now and then; `false` ends it, with what was found by then.
  /// - Throws: ``Whereabouts/StoreTrouble`` where nothing can be read at all. Damage is no error but a fault.
  /// - Complexity: O(bytes of the file), about a second for a million fixes.
  public func check(progress: (StoreCheckProgress) -> Bool = { _ in true }) throws(StoreTrouble)
    -> StoreCheckReport
  {
    var check = StoreCheck(store: self)
    try check.run(progress)
    return check.report
  }
}

/// A check that is under way.
struct StoreCheck {
  private static let tables = [
    "fix", "note", "snapshot", "fence", "fence_edit", "consumer", "trip", "trip_gap", "spell",
    "upload_cursor",
    "upload_batch",
  ]

  let store: SQLiteStore
  private(set) var report = StoreCheckReport()

  init(store: SQLiteStore) { self.store = store }

  mutating func run(_ progress: (StoreCheckProgress) -> Bool) throws(StoreTrouble) {
    func tell(_ phase: StoreCheckProgress.Phase, _ share: Double) -> Bool {
      progress(StoreCheckProgress(phase: phase, share: share))
    }
    guard tell(.pages, 0) else { return }
    try checkPages()
    guard tell(.references, 0) else { return }
    try checkReferences()
    report.isErasurePending = try reading { try !ErasureTask.pending(in: $0).isEmpty } ?? false
    let devices = try reading { try String.fetchAll($0, sql: "SELECT name FROM device ORDER BY id") } ?? []
    for (place, name) in devices.enumerated() {
      let isWanted = try checkHistory(of: DeviceID(rawValue: name), name) { share in
        tell(.history, (Double(place) + share) / Double(devices.count))
      }
      guard isWanted, tell(.records, Double(place) / Double(devices.count)) else { return }
      try checkRecords(of: DeviceID(rawValue: name), name)
    }
    try checkEndpoints()
  }

  private mutating func note(_ kind: StoreFault.Kind, _ message: String) {
    if report.faults.count < StoreCheckReport.mostFaults { report.faults.append(StoreFault(kind, message)) }
  }

  /// Reads something; damage is noted and no error.
  private mutating func reading<Value>(_ body: (Database) throws -> Value) throws(StoreTrouble) -> Value? {
    do throws(StoreTrouble) { return try store.read(body) } catch {
      guard error.code == .corrupt else { throw error }
      note(.file, error.message)
      return nil
    }
  }

  // MARK: Parts

  private mutating func checkPages() throws(StoreTrouble) {
    let lines = try reading {
      try String.fetchAll($0, sql: "PRAGMA integrity_check(\(StoreCheckReport.mostFaults))")
    }
    for line in lines ?? [] where line != "ok" { note(.file, line) }
  }

  private mutating func checkReferences() throws(StoreTrouble) {
    for table in Self.tables {
      let rows = try reading {
        try Int.fetchOne(
          $0,
          sql: """
            SELECT coalesce(sum(rows), 0) FROM (SELECT device, count(*) AS rows FROM \(table) GROUP BY device)
            WHERE device NOT IN (SELECT id FROM device)
            """)
      }
      if let rows = rows ?? nil, rows > 0 { note(.reference, "table \(table): \(rows) rows of no device") }
    }
    let others = try reading { try Row.fetchAll($0, sql: "PRAGMA foreign_key_check").count } ?? 0
    if others > 0 { note(.reference, "\(others) rows of the upload queue of no endpoint") }
  }

  /// - Parameter isWanted: is told how far it is; `false` ends it.
  /// - Returns: whether to go on.
  private mutating func checkHistory(
    of device: DeviceID, _ name: String, _ isWanted: (Double) -> Bool
  ) throws(StoreTrouble) -> Bool {
    var rows = FixRowCheck(device: device)
    while true {
      let page = try reading { try rows.next(in: $0) }
      guard let page else { return true }
      report.fixes += page.fixes
      for (kind, message) in page.faults { note(kind, "device \(name): \(message)") }
      if page.isLast { return true }
      guard isWanted(rows.share) else { return false }
    }
  }

  private mutating func checkRecords(of device: DeviceID, _ name: String) throws(StoreTrouble) {
    do throws(StoreTrouble) {
      _ = try store.read { try DeviceReader($0, device)?.record() }
    } catch {
      guard error.code == .corrupt || error.code == .newerVersion else { throw error }
      note(.state, "device \(name): \(error.message)")
    }
    var last: UInt64 = 0
    while true {
      let notes: [NumberedNote]
      do throws(StoreTrouble) {
        notes = try store.read { try DeviceReader($0, device)?.notes(after: last, limit: 1_000) ?? [] }
      } catch {
        guard error.code == .corrupt else { throw error }
        return note(.row, "device \(name): \(error.message)")
      }
      guard let newest = notes.last else { return }
      report.notes += notes.count
      last = newest.number
    }
  }

  private mutating func checkEndpoints() throws(StoreTrouble) {
    do throws(StoreTrouble) { _ = try store.uploadStatus() } catch {
      guard error.code == .corrupt else { throw error }
      note(.row, "the upload queue: \(error.message)")
    }
  }
}

/// Checks the history of a device, a page in a transaction.
private struct FixRowCheck {
  private static let size = 5_000

  private let device: DeviceID
  private var place = (time: Int64.min, seq: Int64.min)
  private var seen: Set<Int64> = []
  private var rows: Int?
  private var done = 0

  init(device: DeviceID) { self.device = device }

  var share: Double { rows.map { $0 > 0 ? min(1, Double(done) / Double($0)) : 1 } ?? 0 }

  mutating func next(
    in database: Database
  ) throws -> (fixes: Int, faults: [(StoreFault.Kind, String)], isLast: Bool) {
    guard let reader = try DeviceReader(database, device) else { return (0, [], true) }
    if rows == nil {
      let count = try reader.statement("SELECT count(*) FROM fix WHERE device = ?")
      rows = try count.step() ? Int(clamping: count.int(0)) : 0
    }
    let fixes = try reader.statement(
      """
      SELECT \(FixRow.selected) FROM fix WHERE device = ? AND (time, seq) > (?, ?)
      ORDER BY time, seq LIMIT \(Self.size)
      """)
    fixes.bind(place.time, 2)
    fixes.bind(place.seq, 3)
    var count = 0, unread = (rows: 0, reason: ""), twice = 0, missed = 0
    while try fixes.step() {
      count += 1
      place = (fixes.int(0), fixes.int(1))
      do { _ = try FixRow.fix(of: fixes) } catch let row as UnreadableRow {
        unread = (unread.rows + 1, row.what)
      }
      if !seen.insert(place.seq).inserted { twice += 1 }
      // Such a fix would not be gone through again by the next process.
      if place.seq > reader.snapshotSeq, place.time < reader.sinceTime ?? .max { missed += 1 }
    }
    done += count
    var faults: [(StoreFault.Kind, String)] = []
    if unread.rows > 0 { faults.append((.row, "\(unread.rows) fixes can't be understood: \(unread.reason)")) }
    if twice > 0 { faults.append((.number, "\(twice) fixes have a number that another one has")) }
    if missed > 0 {
      faults.append((.number, "\(missed) fixes after the state of the engine are not found again"))
    }
    return (count, faults, count < Self.size)
  }
}
