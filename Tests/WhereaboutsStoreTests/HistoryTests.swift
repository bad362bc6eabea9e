import Foundation
import GRDB
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsStore

@Suite struct HistoryTests {
  private func fill(_ store: SQLiteStore, _ seconds: Range<Int64>) async throws {
    for first in stride(from: seconds.lowerBound, to: seconds.upperBound, by: 500) {
      let last = min(first + 500, seconds.upperBound)
      try await store.commit(commit(try (first..<last).map { LoggedFix(try fix($0)) }))
    }
  }

  private func size(_ path: String) -> Int64 {
    ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int64) ?? 0
  }

  /// Only a report about power shows the usage.
  @Test func receiverUsageAloneIsDataOnlyIfItCounts() throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    try store.write {
      try $0.execute(
        sql: """
          INSERT INTO device (name) VALUES ('phone');
          INSERT INTO receiver_usage (
            device, number, duration, open, fixes, requests, subscriptions, trackers, fences, preset, reason)
          SELECT id, 1, 0, 0, '', 0, 0, 0, 0, '', '' FROM device WHERE name = 'phone'
          """)
    }
    #expect(try store.devicesWithPast().isEmpty)
    #expect(try store.devicesWithPast(usageCounts: true) == ["phone"])
  }

  /// The next use of a statement that stays compiled would have the parameters and the rows of the one before.
  @Test func keptStatementEndsWithItsObject() throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    try store.write { try $0.execute(sql: "INSERT INTO device (name) VALUES ('a'), ('b'), ('c')") }
    let sql = "SELECT name FROM device WHERE id > ? ORDER BY id"
    func names(after id: Int64?, limit: Int, _ database: Database) throws -> [String] {
      let rows = try Statement(kept: sql, by: database)
      if let id { rows.bind(id, 1) }
      var names: [String] = []
      while names.count < limit, try rows.step() { names.append(rows.text(0)) }
      return names
    }
    try store.read { (database) throws -> Void in
      #expect(try names(after: 0, limit: 1, database) == ["a"])
      #expect(try names(after: nil, limit: 3, database).isEmpty)
      #expect(try names(after: 1, limit: 3, database) == ["b", "c"])
    }
  }

  /// A reader that pauses, as with output to a pager.
  @Test func writeAheadLogStaysSmallWhileAReaderPauses() async throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    try await fill(store, 0..<2_500)
    let reader = try SQLiteStore.open(at: folder.file, access: .readOnly)
    var rows = 0, largest: Int64 = 0
    try reader.history(of: .this) { _ in
      rows += 1
      guard rows == 10 else { return }
      for group in Int64(0)..<300 {
        try store.write {
          try $0.execute(
            sql: """
              WITH RECURSIVE row (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM row WHERE number < 500)
              INSERT INTO fix (device, time, seq, timing, use, lat, lon, estimated, source, simulated)
              SELECT 1, ?1 + number, ?1 + number, 0, 'used', 1, 2, 0, 'nmea', 0 FROM row
              """, arguments: [t(10_000 + group).nanosecondsSince1970])
        }
        largest = max(largest, size(folder.file + "-wal"))
      }
    }
    // Rows stored during the read are not returned.
    #expect(rows == 2_500)
    #expect(largest < 3 * 4_152_032, "\(largest) bytes")
    #expect(largest > 0)
  }

  @Test(arguments: [false, true], [1, 999, 1_000, 1_001, 2_500, nil] as [Int?])
  func historyPagesAreContiguous(newestFirst: Bool, limit: Int?) async throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    // Some rows have equal times, so that a page may end between them.
    try await fill(store, 0..<2_000)
    try await fill(store, 950..<1_050)
    var found: [UInt64] = [], times: [UTCTime] = []
    try store.history(of: .this, limit: limit, newestFirst: newestFirst) {
      found.append($0.seq)
      times.append($0.rowTime)
    }
    #expect(found.count == min(limit ?? .max, 2_100) && Set(found).count == found.count)
    #expect(times == (newestFirst ? times.sorted(by: >) : times.sorted()))
    var middle: [UTCTime] = []
    try store.history(of: .this, in: t(10)..<t(1_990), newestFirst: newestFirst) { middle.append($0.rowTime) }
    #expect(middle.count == 2_080 && middle.min() == t(10) && middle.max() == t(1_989))
  }

  /// A page may end between fixes of one time.
  @Test func positionIsFoundByTheNumberOfItsFixInTheInstant() async throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    try await fill(store, 0..<10)
    try await fill(store, 5..<10)
    var counts: [Int64] = []
    for stored in try store.historyPage(of: .this, in: nil, after: nil, limit: 100) {
      let position = stored.position
      let count = try store.fixCount(of: .this, upTo: position)
      #expect(try store.historyPosition(of: .this, at: position.time, behind: count) == position)
      counts.append(count)
    }
    #expect(counts == [1, 1, 1, 1, 1, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2])
    let last = t(9).nanosecondsSince1970, after = t(10).nanosecondsSince1970
    let behindAll = try store.historyPosition(of: .this, at: last, behind: .max)
    #expect(try behindAll == store.historyPosition(of: .this, at: last, behind: 2))
    #expect(try store.historyPosition(of: .this, at: last, behind: 0).seq == .min)
    #expect(try store.historyPosition(of: .this, at: after, behind: 1).seq == .min)
    #expect(try store.historyPosition(of: "other", at: last, behind: 1).seq == .min)
  }

  /// A recording may have several points of one time and place.
  @Test func dryRunPredictsRepeatedPoints() throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    let batches = [
      [try fix(0), try fix(0), try fix(0, 49), try fix(1), try fix(2, 0, -0.0)],
      [try fix(0), try fix(0), try fix(0), try fix(1, 49), try fix(2, -0.0, 0)],
    ]
    let prediction = ImportPrediction()
    let predicted = try batches.map { try store.addPast($0, to: .this, dryRun: prediction) }
    #expect(predicted.map(\.kept) == [5, 2] && predicted.map(\.duplicates) == [0, 3])
    #expect(try store.addPast(batches[0], to: "other", dryRun: prediction).kept == 5)
    #expect(try batches.map { try store.addPast($0, to: .this) } == predicted)
  }

  /// A GPX file has −180° for a stored 180°, the same meridian.
  @Test(arguments: [180.0, -180]) func fixAtTheAntimeridianIsImportedOnce(longitude: Double) throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    let fixes = try [fix(0, 10, longitude), fix(1, 10, 179.5)]
    #expect(try store.addPast(fixes, to: .this).kept == 2)
    let exported = try [fix(0, 10, -longitude), fix(1, 10, 179.5)]
    let predicted = try store.addPast(exported, to: .this, dryRun: ImportPrediction())
    #expect(predicted.kept == 0 && predicted.duplicates == 2)
    #expect(try store.addPast(exported, to: .this) == predicted)
    // The half-turn is another place.
    #expect(try store.addPast([fix(1, 10, -179.5)], to: .this).kept == 1)
  }

  /// A batch may end among the fixes of one time.
  @Test(arguments: [false, true]) func repeatedPointsAreKeptInAnyBatches(isFirst: Bool) throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    if !isFirst { _ = try store.addPast([try fix(1), try fix(1)], to: .this) }
    let batches = [
      [try fix(0), try fix(1), try fix(1), try fix(1)], [try fix(1), try fix(1, 49)],
      [try fix(1), try fix(2), try fix(1)],
    ]
    let prediction = ImportPrediction(), predictedRun = SuccessiveFixes(), run = SuccessiveFixes()
    let predicted = try batches.map {
      try store.addPast($0, to: .this, continuing: predictedRun, dryRun: prediction)
    }
    // Without a time in between, the five fixes of one time and place are five.
    #expect(predicted.map(\.kept) == (isFirst ? [4, 2, 2] : [2, 2, 2]))
    #expect(try batches.map { try store.addPast($0, to: .this, continuing: run) } == predicted)
    let again = SuccessiveFixes()
    #expect(try batches.allSatisfy { try store.addPast($0, to: .this, continuing: again).kept == 0 })
  }

  /// A table may have dates without times, so that all of its points have one time, or a few times by turns.
  @Test func importReadsTheRowsOfATimeOnce() throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    let day = try (0..<20).map { try fix(0, 48 + Double($0 % 10) / 100) }
    #expect(try store.addPast(Array(day[..<15]), to: .this).kept == 15)
    let turns = try (0..<20).map { try fix(Int64($0 % 2), 50 + Double($0)) }
    let fixes = day + [try fix(1)] + day + [try fix(0, 49)] + turns
    let predicted = try store.addPast(fixes, to: .this, dryRun: ImportPrediction())
    var reads = 0
    try store.write {
      $0.trace { event in
        if case .statement(let statement) = event, statement.sql.hasPrefix("SELECT lat, lon FROM fix") {
          reads += 1
        }
      }
    }
    let result = try store.addPast(fixes, to: .this)
    try store.write { $0.trace(options: []) }
    #expect(result.kept == 27 && result.duplicates == 35 && result == predicted)
    // The first time and the second one.
    #expect(reads == 2)
  }

  /// An import after a run of the engine, as of a tracker that was on a later tour.
  @Test func newerImportedFixIsTheLastOne() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file, wall: { t(1_000) }, hook: nil)
    try await store.commit(commit([LoggedFix(try fix(10))]))
    _ = try store.addPast([try fix(5)], to: .this)
    #expect(try store.lastFix(of: .this)?.rowTime == t(10))
    // Local times that were read as UTC are ahead of the clock.
    _ = try store.addPast([try fix(20), try fix(15), try fix(4_600), try fix(619_315_200)], to: .this)
    #expect(try store.lastFix(of: .this)?.rowTime == t(20))
    // The engine goes on with its own.
    #expect(try await store.load(.this).lastFix?.time == t(10))
    try await store.commit(commit([LoggedFix(try fix(30))]))
    #expect(try store.lastFix(of: .this)?.rowTime == t(30))
  }

  /// No engine has processed an imported fix, so that the newest one counts as the last.
  @Test func lastImportedFixHasNoDateFarAhead() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file, wall: { t(1_000) }, hook: nil)
    _ = try store.addPast([try fix(619_315_200)], to: .this)
    #expect(try store.lastFix(of: .this)?.rowTime == t(619_315_200))
    _ = try store.addPast([try fix(1), try fix(2)], to: .this)
    #expect(try store.lastFix(of: .this)?.rowTime == t(2))
    // No engine resumes with it: fixes of before are not late.
    #expect(try await store.load(.this).lastFix == nil)
  }
}
