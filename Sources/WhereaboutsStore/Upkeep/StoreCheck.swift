import Foundation
import GRDB
public import Whereabouts
import WhereaboutsModel

/// A fault of a store.
public struct StoreFault: Hashable, Sendable {
  /// The location of a fault, which decides the remedy.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Pages of the file are unreadable or inconsistent.
    case file
    /// A row refers to a missing device or server.
    case reference
    /// A row can't be decoded.
    case row
    /// An engine can't resume from its state or from a fence.
    case state
    /// Numbers are not unique or not increasing.
    case number
  }

  /// The location of the fault.
  public var kind: Kind
  /// The fault for a person, without coordinates.
  public var message: String
  /// The device whose row or state is damaged; `nil` for the file and for rows of no single device.
  public var device: DeviceID?
  /// The words after `whereabouts` that erase the row, without options; empty for `forget`.
  package var command: [String] = []
  /// Whether the program replaces the row by itself, so that nothing has to be erased.
  package var isReplaced = false

  /// Creates a fault. The advice of an error to check the store is left out of its message.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    let advice = message.firstRange(of: StoreError.checkAdviceStart)
    self.message = advice.map { String(message[..<$0.lowerBound]) } ?? message
  }
}

/// The report of a store check.
public struct StoreCheckReport: Hashable, Sendable {
  /// The faults, at most ``maximumFaults``; empty for an intact store.
  public var faults: [StoreFault] = []
  /// The number of history rows read.
  public var fixes = 0
  /// The number of fence records read.
  public var fenceRecords = 0
  /// Whether an erasure is unfinished.
  public var isErasurePending = false

  /// The greatest number of reported faults; a damaged file may have very many.
  public static let maximumFaults = 50

  /// Creates an empty report.
  public init() {}
}

/// The progress of a store check.
public struct StoreCheckProgress: Hashable, Sendable {
  /// The phase of a check.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    case pages, references, history, records
  }

  /// The current phase.
  public var phase: Phase
  /// The finished share of ``phase``, in [0, 1].
  public var share: Double
}

extension SQLiteStore {
  /// Reads the whole file and reports faults, without changes. The check covers SQLite's pages, references between
  /// rows, the decoding of every row, and the state of every engine. `WhereaboutsUploadQueue` decodes the rows of
  /// uploads.
  ///
  /// - Parameter progress: called from time to time; `false` stops the check, with the faults found so far.
  /// - Throws: ``Whereabouts/StoreError`` if nothing can be read. Damage is a fault, not an error.
  /// - Complexity: O(bytes of the file), about a second for a million fixes.
  public func check(progress: (StoreCheckProgress) -> Bool = { _ in true }) throws(StoreError)
    -> StoreCheckReport
  {
    var check = StoreCheck(store: self)
    try check.run(progress)
    return check.report
  }
}

/// A check in progress.
struct StoreCheck {
  private static let tables =
    [
      "fix", "fence_record", "snapshot", "fence", "fence_edit", "consumer", "trip", "trip_gap",
      "receiver_usage",
    ] + UploadSchema.tablesByDevice + ServerSchema.tablesByDevice + PlaceSchema.tablesByDevice
    + RepairSchema.tablesByDevice + AlertSchema.tablesByDevice + StoreSchema.tablesByDeviceOfVersion8

  let store: SQLiteStore
  private(set) var report = StoreCheckReport()

  init(store: SQLiteStore) { self.store = store }

  mutating func run(_ progress: (StoreCheckProgress) -> Bool) throws(StoreError) {
    func notify(_ phase: StoreCheckProgress.Phase, _ share: Double) -> Bool {
      progress(StoreCheckProgress(phase: phase, share: share))
    }
    guard notify(.pages, 0) else { return }
    try checkPages()
    guard notify(.references, 0) else { return }
    try checkReferences()
    report.isErasurePending = try readReportingFaults { try !ErasureTask.pending(in: $0).isEmpty } ?? false
    try checkSharedFences()
    let devices =
      try readReportingFaults { try String.fetchAll($0, sql: "SELECT name FROM device ORDER BY id") } ?? []
    for (place, name) in devices.enumerated() {
      let isWanted = try checkHistory(of: DeviceID(rawValue: name)) { share in
        notify(.history, (Double(place) + share) / Double(devices.count))
      }
      guard isWanted, notify(.records, Double(place) / Double(devices.count)) else { return }
      try checkRecords(of: DeviceID(rawValue: name))
    }
  }

  /// - Parameters:
  ///   - device: the device of the row or state, which the message then names.
  ///   - command: the words of the command that erases the row.
  private mutating func addFault(
    _ kind: StoreFault.Kind, _ message: String, of device: DeviceID? = nil, command: [String] = []
  ) {
    guard report.faults.count < StoreCheckReport.maximumFaults else { return }
    let place = device.map { "device \($0.rawValue): " } ?? ""
    var fault = StoreFault(kind, "\(place)\(message)")
    fault.device = device
    fault.command = command
    report.faults.append(fault)
  }

  /// Reads from the store; damage becomes a fault instead of an error.
  private mutating func readReportingFaults<Value>(_ body: (Database) throws -> Value) throws(StoreError)
    -> Value?
  {
    do throws(StoreError) { return try store.read(body) } catch {
      guard error.code == .corrupt else { throw error }
      addFault(.file, error.description)
      return nil
    }
  }

  // MARK: Parts

  private mutating func checkPages() throws(StoreError) {
    let lines = try readReportingFaults {
      try String.fetchAll($0, sql: "PRAGMA integrity_check(\(StoreCheckReport.maximumFaults))")
    }
    // One row may hold many faults, a line each, under a line with the name of the database.
    for line in (lines ?? []).flatMap({ $0.split(separator: "\n") })
    where line != "ok" && !line.hasPrefix("***") {
      addFault(.file, String(line))
    }
  }

  private mutating func checkReferences() throws(StoreError) {
    // A store of an older version, open for reading, lacks the newer tables. A row without a device is for every device:
    // a token, a privacy zone; or names none: a rejected row.
    let existing =
      try readReportingFaults {
        try String.fetchSet($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
      } ?? []
    for table in Self.tables where existing.contains(table) {
      let rows = try readReportingFaults {
        try Int.fetchOne(
          $0,
          sql: """
            SELECT coalesce(sum(rows), 0) FROM (SELECT device, count(*) AS rows FROM \(table) GROUP BY device)
            WHERE device IS NOT NULL AND device NOT IN (SELECT id FROM device)
            """)
      }
      if let rows = rows ?? nil, rows > 0 {
        addFault(.reference, "table \(table): \(counted(rows, "row", "rows")) of no device")
      }
    }
    let others = try readReportingFaults { try Row.fetchAll($0, sql: "PRAGMA foreign_key_check").count } ?? 0
    if others > 0 {
      addFault(.reference, "\(counted(others, "row", "rows")) of the upload queue of no endpoint")
    }
  }

  private mutating func checkSharedFences() throws(StoreError) {
    do throws(StoreError) { _ = try store.sharedFences() } catch {
      guard error.code == .corrupt else { throw error }
      addFault(.state, "fences of the server: \(error.description)")
    }
  }

  /// - Parameter isWanted: called with the progress; `false` stops the check.
  /// - Returns: whether to continue.
  private mutating func checkHistory(
    of device: DeviceID, _ isWanted: (Double) -> Bool
  ) throws(StoreError) -> Bool {
    var rows = FixRowCheck(device: device)
    while true {
      let page = try readReportingFaults { try rows.checkNextPage(in: $0) }
      guard let page else { return true }
      report.fixes += page.fixes
      for (kind, message) in page.faults { addFault(kind, message, of: device) }
      if page.isLast { return true }
      guard isWanted(rows.share) else { return false }
    }
  }

  private mutating func checkRecords(of device: DeviceID) throws(StoreError) {
    let store = self.store
    do throws(StoreError) {
      _ = try store.read { try DeviceReader($0, device)?.record(at: store.writerConnection.wall()) }
    } catch {
      guard error.code == .corrupt || error.code == .newerVersion else { throw error }
      addFault(.state, error.description, of: device)
    }
    try checkRows(of: device) { () throws(StoreError) in _ = try store.statedVisits(of: device) }
    var unreadable: [String] = []
    try checkRows(of: device) { () throws(StoreError) in
      _ = try store.places(of: device) { unreadable.append($0) }
    }
    for place in unreadable {
      addFault(
        .row, "place \(place) has no valid coordinate", of: device, command: ["places", "remove", place])
    }
    try checkRows(of: device) { () throws(StoreError) in _ = try store.statedOffsets(of: device) }
    var last: UInt64 = 0
    while true {
      let records: [NumberedFenceRecord]
      do throws(StoreError) {
        records = try store.read {
          try DeviceReader($0, device)?.fenceRecords(after: last, limit: 1_000) ?? []
        }
      } catch {
        guard error.code == .corrupt else { throw error }
        return addFault(.row, error.description, of: device)
      }
      guard let newest = records.last else { return }
      report.fenceRecords += records.count
      last = newest.number
    }
  }

  /// Decodes rows of a device; a row that can't be decoded becomes a fault.
  private mutating func checkRows(
    of device: DeviceID, _ decode: () throws(StoreError) -> Void
  ) throws(StoreError) {
    do throws(StoreError) { try decode() } catch {
      guard error.code == .corrupt else { throw error }
      addFault(.row, error.description, of: device)
    }
  }
}

/// A check of one device's history, one page in each transaction.
private struct FixRowCheck {
  private static let pageSize = 5_000

  private let device: DeviceID
  private var place = (time: Int64.min, seq: Int64.min)
  private var seenNumbers = NumberSet()
  private var rows: Int?
  private var checkedRows = 0

  init(device: DeviceID) { self.device = device }

  var share: Double { rows.map { $0 > 0 ? min(1, Double(checkedRows) / Double($0)) : 1 } ?? 0 }

  mutating func checkNextPage(
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
      ORDER BY time, seq LIMIT \(Self.pageSize)
      """)
    fixes.bind(place.time, 2)
    fixes.bind(place.seq, 3)
    var count = 0, unread = (rows: 0, reason: "", first: Int64.max), twice = 0, missed = 0
    while try fixes.step() {
      count += 1
      place = (fixes.int(0), fixes.int(1))
      do { _ = try FixRow.fix(of: fixes) } catch let row as UnreadableRowError {
        unread = (unread.rows + 1, row.message, min(unread.first, place.time))
      }
      if !seenNumbers.insert(place.seq) { twice += 1 }
      // The next process would not replay such a fix.
      let isImported = fixes.int(2) == FixRow.Timing.imported.rawValue
      if !isImported, place.seq > reader.snapshotSeq, place.time < reader.sinceTime ?? .max { missed += 1 }
    }
    checkedRows += count
    var faults: [(StoreFault.Kind, String)] = []
    if unread.rows > 0 {
      let fixes = counted(unread.rows, "fix", "fixes")
      let first = UTCTime(nanosecondsSince1970: unread.first).iso8601
      faults.append((.row, "\(fixes) can't be understood: \(unread.reason); the first at \(first)"))
    }
    if twice > 0 {
      let fixes = counted(twice, "fix has", "fixes have")
      faults.append((.number, "\(fixes) a number that another one has"))
    }
    if missed > 0 {
      let fixes = counted(missed, "fix", "fixes")
      let found = missed == 1 ? "is not found" : "are not found"
      faults.append((.number, "\(fixes) after the state of the engine \(found) again"))
    }
    return (count, faults, count < Self.pageSize)
  }
}

/// Returns `1 row`, `2 rows`.
private func counted(_ number: Int, _ one: String, _ many: String) -> String {
  "\(number) \(number == 1 ? one : many)"
}
