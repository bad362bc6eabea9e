import GRDB
package import Whereabouts
package import WhereaboutsFormats
package import WhereaboutsModel

/// The result of adding fixes of the past.
package struct ImportResult: Hashable, Sendable {
  /// The number of fixes that were added.
  package var kept = 0
  /// The number of fixes that the store had already.
  package var duplicates = 0

  /// Creates a result of nothing.
  package init() {}
}

/// The fixes and visits that a dry run of an import counts as added. Later batches and files with the same ones count
/// them as duplicates, as the import does.
package final class ImportPrediction {
  /// The numbers of fixes by the hash of their time and place: a third of the memory of the key itself. Two of 100
  /// million fixes share a hash of 64 bits with a probability of 1 in 3,000; one then counts as a duplicate.
  private var fixes: [DeviceID: [Int: UInt32]] = [:]
  private var visits: [DeviceID: Set<VisitKey>] = [:]

  private struct VisitKey: Hashable {
    let arrival: UTCTime
    let departure: UTCTime
    let level: Int
    let latitude: Double
    let longitude: Double
  }

  /// Creates a prediction of nothing.
  package init() {}

  /// Predicts the result of adding fixes to a store that does not exist yet.
  ///
  /// - Parameter run: as for ``SQLiteStore``'s `addPast`.
  package func add(
    _ fixes: [Fix], to device: DeviceID, continuing run: SuccessiveFixes? = nil
  ) throws -> ImportResult {
    let result = try add(fixes, to: device, PastLookup(fixes, prediction: self, of: device, continuing: run))
    run?.process(fixes)
    return result
  }

  fileprivate func add(
    _ fixes: [Fix], to device: DeviceID, _ stored: PastLookup
  ) throws -> ImportResult {
    var result = ImportResult(), lookup = stored
    for (index, fix) in fixes.enumerated() {
      if try lookup.isStored(index, of: fixes) {
        result.duplicates += 1
      } else {
        result.kept += 1
        if let key = PastLookup.Key(fix) { self.fixes[device, default: [:]][key.hashValue, default: 0] += 1 }
      }
    }
    return result
  }

  fileprivate func count(of key: PastLookup.Key, on device: DeviceID) -> Int {
    Int(fixes[device]?[key.hashValue] ?? 0)
  }

  /// Predicts the result of adding visits.
  ///
  /// - Parameter isStored: whether the store has a visit.
  package func add(
    _ visits: [RecordedVisit], to device: DeviceID, isStored: (RecordedVisit) throws -> Bool
  ) rethrows -> ImportResult {
    var result = ImportResult()
    for visit in visits {
      let key = VisitKey(
        arrival: visit.arrival, departure: visit.departure, level: visit.level,
        latitude: visit.coordinate.latitude, longitude: visit.coordinate.longitude)
      let isNew = try !isStored(visit) && self.visits[device, default: []].insert(key).inserted
      if isNew { result.kept += 1 } else { result.duplicates += 1 }
    }
    return result
  }
}

/// The successive fixes of one time at the end of a device's batches, for a next batch that begins with this time.
///
/// A recording may have more fixes of one time than a batch holds, as of a receiver whose clock stands still.
package final class SuccessiveFixes {
  private var time: Int64?
  /// The numbers of fixes by the hash of their time and place, as in ``ImportPrediction``.
  private var counts: [Int: UInt32] = [:]

  /// Creates the fixes before the first batch: none.
  package init() {}

  fileprivate func count(of key: PastLookup.Key) -> Int {
    key.time == time ? Int(counts[key.hashValue] ?? 0) : 0
  }

  /// Counts the fixes at the end of the next batch.
  fileprivate func process(_ fixes: [Fix]) {
    guard let last = fixes.last?.time?.nanosecondsSince1970 else { return }
    let other = fixes.lastIndex { $0.time?.nanosecondsSince1970 != last }
    if other != nil || time != last { counts = [:] }
    time = last
    for fix in fixes[(other.map { $0 + 1 } ?? 0)...] {
      if let key = PastLookup.Key(fix) { counts[key.hashValue, default: 0] += 1 }
    }
  }
}

extension SQLiteStore {
  /// Adds fixes of the past to a device's history, in one transaction that survives a power cut.
  ///
  /// Only the history changes: no engine processes the fixes, now or at its next start, so no fence event, trip or
  /// notification follows. A new device begins with these fixes. A manager may run on the device meanwhile.
  ///
  /// A fix equals the stored one if both have the same time and place. Of several such fixes among successive fixes of
  /// one time, the first equals the first stored one, and so on. So a recording with times of whole minutes retains each
  /// of its points, and adding it again adds nothing. Therefore pass all successive fixes of one time in one call, or
  /// what continues them in the next one. If a time comes again after others, as where a file has its points as a track
  /// and one by one, its fixes equal the earlier ones.
  ///
  /// - Parameters:
  ///   - fixes: the fixes, each with a time.
  ///   - device: the device.
  ///   - offsets: the offsets from UTC that the recording states. They are stored also where each fix is; of two at one
  ///     time, the later import counts.
  ///   - isContinued: whether the fixes belong to the import of the previous call, as the batches of one file do.
  ///   - run: the fixes of the recording's earlier calls for the device, which count these ones, too; `nil` if every call
  ///     has all successive fixes of its times.
  ///   - prediction: the prediction of a dry run, which grows and leaves the store unchanged; `nil` adds the fixes.
  /// - Complexity: O(log n) for each fix, and one read of the stored fixes of each time.
  package func addPast(
    _ fixes: [Fix], to device: DeviceID, offsets: [StatedOffset] = [], isContinued: Bool = false,
    continuing run: SuccessiveFixes? = nil, dryRun prediction: ImportPrediction? = nil
  ) throws(StoreError) -> ImportResult {
    let result: ImportResult
    if let prediction {
      result = try read { database in
        let reader = try DeviceReader(database, device)
        let lookup = try PastLookup(
          database, reader?.id, fixes, prediction: (prediction, device), continuing: run)
        return try prediction.add(fixes, to: device, lookup)
      }
    } else {
      result = try write { database in
        var task = try PastImport(database, device)
        try task.add(StatedOffset.changes(offsets))
        return try task.add(fixes, isContinued: isContinued, continuing: run)
      }
    }
    run?.process(fixes)
    return result
  }
}

/// One transaction of an import.
private struct PastImport {
  private let database: Database
  /// The state before the import.
  private let state: DeviceState
  private let device: Int64
  private var lastSeq: Int64
  private let insert: Statement

  init(_ database: Database, _ name: DeviceID) throws {
    self.database = database
    if let state = try DeviceState.read(name, in: database) {
      self.state = state
    } else {
      state = DeviceState(id: try SQLiteStore.rowID(of: name, in: database))
    }
    device = state.id
    lastSeq = state.lastSeq
    insert = try Statement(database, FixRow.insert)
  }

  /// Stores offsets. One that equals the stored one before it is stored too: another recording may state another offset
  /// between the two.
  func add(_ offsets: [StatedOffset]) throws {
    for offset in offsets {
      try database.execute(
        sql: "INSERT OR REPLACE INTO stated_offset (device, time, minutes) VALUES (?, ?, ?)",
        arguments: [device, offset.time.nanosecondsSince1970, offset.minutes])
    }
  }

  mutating func add(
    _ fixes: [Fix], isContinued: Bool, continuing run: SuccessiveFixes?
  ) throws -> ImportResult {
    var result = ImportResult()
    let before = lastSeq
    var newest = Int64.min
    var lookup = try PastLookup(database, device, fixes, continuing: run)
    for (index, fix) in fixes.enumerated() {
      guard let time = fix.time, try !lookup.isStored(index, of: fixes) else {
        result.duplicates += 1
        continue
      }
      lastSeq += 1
      result.kept += 1
      newest = max(newest, time.nanosecondsSince1970)
      FixRow.bind(LoggedFix(fix), device: device, seq: lastSeq, at: time, .imported, to: insert)
      try insert.run()
    }
    guard result.kept > 0 else { return result }
    try ImportRuns.append(
      before + 1...lastSeq, to: device, continuing: isContinued, in: database)
    try state.addImported(before + 1...lastSeq, newest: newest, in: database)
    return result
  }
}

/// A lookup of fixes by time, place and their order among successive ones of one time and place.
private struct PastLookup {
  struct Key: Hashable {
    let time: Int64
    let latitude: Double
    let longitude: Double

    init(time: Int64, latitude: Double, longitude: Double) {
      self.time = time
      self.latitude = latitude
      // The meridian of 180° has two numbers, and GPX and FIT files have −180 alone.
      self.longitude = longitude == 180 ? -180 : longitude
    }
  }

  private let device: Int64
  private let rows: Statement?
  /// The fixes that a repair has moved to another time or device: adding them again adds nothing.
  private let moved: Statement?
  /// The successive fixes before the first fix.
  private let run: SuccessiveFixes?
  /// Whether the present fixes are the first ones, which may continue ``run``.
  private var isFirstTime = false
  /// The time of the successive fixes of one time, and the number of occurrences of each place among them.
  private var time: Int64?
  private var seen: [Key: Int] = [:]
  /// The greatest number of occurrences of each time and place among earlier successive fixes.
  private var earlier: [Key: Int] = [:]
  /// The number of occurrences of each time and place in the store, and in the prediction, before this lookup began;
  /// empty if there are none to compare with.
  private var stored: [Key: Int] = [:]
  /// The times whose rows are counted in ``stored``.
  private var countedTimes: Set<Int64> = []

  /// Creates a lookup without a store.
  init(
    _ fixes: [Fix], prediction: ImportPrediction, of name: DeviceID, continuing run: SuccessiveFixes?
  ) {
    self.run = run
    device = 0
    rows = nil
    moved = nil
    prepareCounts(of: fixes, (prediction, name))
  }

  /// - Parameter prediction: the fixes that the dry run counts as added in earlier batches, and their device; `nil` in
  ///   an import.
  init(
    _ database: Database, _ device: Int64?, _ fixes: [Fix],
    prediction: (ImportPrediction, device: DeviceID)? = nil, continuing run: SuccessiveFixes?
  ) throws {
    self.run = run
    self.device = device ?? 0
    let times = fixes.compactMap { $0.time?.nanosecondsSince1970 }
    guard let device, let first = times.min(), let last = times.max() else {
      rows = nil
      moved = nil
      prepareCounts(of: fixes, prediction)
      return
    }
    // A new past has nothing to compare with.
    let any = try Statement(
      database, "SELECT 1 FROM fix WHERE device = ? AND time >= ? AND time <= ? LIMIT 1")
    any.bind(device, 1)
    any.bind(first, 2)
    any.bind(last, 3)
    let hasAny = try any.step()
    any.reset()
    rows = hasAny ? try Statement(database, "SELECT lat, lon FROM fix WHERE device = ? AND time = ?") : nil
    // Of several repairs of a fix, the first has the imported time.
    let hasTable = try database.tableExists("repaired_fix")
    let hasMoved =
      try hasTable
      && Int64.fetchOne(
        database, sql: "SELECT 1 FROM repaired_fix WHERE device = ? AND time BETWEEN ? AND ? LIMIT 1",
        arguments: [device, first, last]) != nil
    moved =
      hasMoved
      ? try Statement(
        database,
        """
        SELECT lat, lon FROM repaired_fix AS r JOIN fix
          ON fix.device = r.new_device AND fix.time = r.new_time AND fix.seq = r.new_seq
        WHERE r.device = ? AND r.time = ? AND (r.device, r.time) <> (r.new_device, r.new_time)
          AND NOT EXISTS (SELECT 1 FROM repaired_fix AS earlier WHERE earlier.repair < r.repair
            AND (earlier.new_device, earlier.new_time, earlier.new_seq) = (r.new_device, r.new_time, r.new_seq))
        """) : nil
    prepareCounts(of: fixes, prediction)
  }

  /// Begins the counts of the fixes with those of the prediction. Only these times and places are counted.
  private mutating func prepareCounts(
    of fixes: [Fix], _ prediction: (ImportPrediction, device: DeviceID)?
  ) {
    guard rows != nil || moved != nil || prediction != nil else { return }
    for fix in fixes {
      guard let key = Key(fix), stored[key] == nil else { continue }
      stored[key] = prediction.map { $0.0.count(of: key, on: $0.device) } ?? 0
    }
  }

  /// Returns whether the store had a fix before this lookup began, or an earlier fix equals it.
  ///
  /// - Parameters:
  ///   - index: the index of the fix. Each index is passed once, in order.
  ///   - fixes: the fixes that this lookup was created for.
  mutating func isStored(_ index: Int, of fixes: [Fix]) throws -> Bool {
    guard let key = Key(fixes[index]) else { return false }
    if time != key.time {
      for (key, count) in seen { earlier[key] = max(earlier[key] ?? 0, count) }
      seen.removeAll(keepingCapacity: true)
      isFirstTime = time == nil
      time = key.time
      try countRows(at: key.time)
    }
    let ordinal = seen[key] ?? (isFirstTime ? run?.count(of: key) ?? 0 : 0)
    seen[key] = ordinal + 1
    return ordinal < max(earlier[key] ?? 0, stored[key] ?? 0)
  }

  /// Counts the rows of a time, at its first fix: none of them is one of this lookup.
  ///
  /// A recording may have all of its points at one time, or at a few times by turns. So the rows of a time are read once
  /// for all of its places.
  private mutating func countRows(at time: Int64) throws {
    guard rows != nil || moved != nil, countedTimes.insert(time).inserted else { return }
    try count(rows, at: time)
    try count(moved, at: time)
  }

  /// Adds the number of rows of a time to the counts of the places that have one.
  private mutating func count(_ rows: Statement?, at time: Int64) throws {
    guard let rows else { return }
    rows.bind(device, 1)
    rows.bind(time, 2)
    defer { rows.reset() }
    while try rows.step() {
      stored[Key(time: time, latitude: rows.double(0), longitude: rows.double(1))]? += 1
    }
  }
}

extension PastLookup.Key {
  /// Creates the key of a fix; `nil` without a time.
  fileprivate init?(_ fix: Fix) {
    guard let time = fix.time?.nanosecondsSince1970 else { return nil }
    self.init(time: time, latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude)
  }
}
