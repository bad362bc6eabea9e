import Foundation
import GRDB
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsStore

@Suite struct ForgettingTests {
  /// Whether a store or any file beside it contains some bytes.
  func holds(_ file: String, _ bytes: [UInt8]) -> Bool {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { name in
      FileManager.default.contents(atPath: folder + "/" + name).map { $0.range(of: Data(bytes)) != nil }
        ?? false
    }
  }

  /// Opens a store with short timeouts.
  private func storeWithShortTimeouts(_ folder: TemporaryFolder) throws -> SQLiteStore {
    var settings = StoreSettings()
    settings.openTimeout = .milliseconds(200)
    settings.commitTimeout = .milliseconds(100)
    return try SQLiteStore.open(at: folder.file, settings: settings)
  }

  /// A snapshot of an engine with a place, which it contains as text.
  private func snapshot(at latitude: Double, _ second: Int64) throws -> EngineSnapshot {
    var watch = FenceWatch(FenceSettings(lateness: .seconds(60)))
    var records: [FenceRecord] = []
    watch.process(try fix(second, latitude), in: FenceRegistry(), into: &records)
    return EngineSnapshot(watch: watch)
  }

  /// A REAL in an SQLite file: eight bytes, big-endian.
  private func storedBytes(_ number: Double) -> [UInt8] {
    withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) }
  }

  /// The latitude of a second; each second of a day has a different one.
  private func latitude(_ second: Int64) -> Double { 40.000_123_4 + Double(second) * 1e-4 }

  func filledStore(_ folder: TemporaryFolder, seconds: Int64 = 6_000) async throws -> SQLiteStore {
    let store = try SQLiteStore.open(at: folder.file)
    for first in stride(from: Int64(0), to: seconds, by: 500) {
      var with = commit(try (first..<min(first + 500, seconds)).map { LoggedFix(try fix($0, latitude($0))) })
      with.fenceRecords = [
        NumberedFenceRecord(
          number: UInt64(first / 500 + 1), record: .event(try event(UInt64(first / 500 + 1), at: first)))
      ]
      with.snapshot = EngineSnapshot()
      try await store.commit(with)
    }
    return store
  }

  @Test func forgottenFixesAreInNoFile() async throws {
    let folder = try TemporaryFolder()
    let store = try await filledStore(folder)
    let gone = (Int64(2_000)..<4_000).filter { $0 % 37 == 0 || $0 == 3_999 }.map { storedBytes(latitude($0)) }
    #expect(gone.allSatisfy { holds(folder.file, $0) })
    let erased = try store.forget(.span(t(2_000)..<t(4_000), of: .this))
    #expect(erased >= 2_000)
    #expect(gone.allSatisfy { !holds(folder.file, $0) })
    #expect(holds(folder.file, storedBytes(latitude(1_999))))
    #expect(holds(folder.file, storedBytes(latitude(4_000))))
    #expect(FileManager.default.contents(atPath: folder.file + "-wal")?.isEmpty ?? true)
    var left: [UTCTime] = []
    try store.history(of: .this) { left.append($0.rowTime) }
    #expect(left == (0..<2_000).map { t($0) } + (4_000..<6_000).map { t($0) })
    // Crossings of the span are erased too, but not their numbers.
    let record = try await store.load(.this)
    #expect(record.fenceRecords.map(\.number) == [1, 2, 3, 4, 9, 10, 11, 12])
  }

  /// The file has the name of the device. A claim goes on, and its end removes the file.
  @Test(arguments: [ErasureScope.device("anna"), .everything])
  func lockFileIsRemovedWithItsDevice(_ scope: ErasureScope) async throws {
    let folder = try TemporaryFolder()
    let file = folder.file + "-lock-anna", data = commit([LoggedFix(try fix(0))], device: "anna")
    let store = try SQLiteStore.open(at: folder.file), other = try SQLiteStore.open(at: folder.file)
    try await store.commit(data)
    _ = try store.claim("anna", as: "a program that has ended")
    #expect(FileManager.default.fileExists(atPath: file))
    try store.forget(scope)
    #expect(!FileManager.default.fileExists(atPath: file))

    try await store.commit(data)
    var claim: DeviceClaim? = try store.claim("anna", as: "a program")
    try store.forget(scope)
    #expect(throws: StoreError.self) { try other.claim("anna", as: "another process") }
    withExtendedLifetime(claim) {}
    claim = nil
    #expect(!FileManager.default.fileExists(atPath: file))
    let next = try other.claim("anna", as: "another process")
    #expect(throws: StoreError.self) { try store.claim("anna", as: "a program") }
    withExtendedLifetime(next) {}
  }

  /// A claimant may open the file before another one removes it.
  @Test func lockOnARemovedFileDoesNotCount() async throws {
    let folder = try TemporaryFolder(), store = folder.file, file = store + "-lock-anna"
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var count = 0
          for _ in 0..<2_000 {
            guard let held = try LockFile.lock(file, of: store).lock else { continue }
            if try LockFile.lock(file, of: store).lock != nil { count += 1 }
            held.removesFile = true
          }
          return count
        }
      }
      var total = 0
      for try await count in group { total += count }
      return total
    }
    #expect(count == 0 && !FileManager.default.fileExists(atPath: file))
    withExtendedLifetime(folder) {}
  }

  @Test func lockFileThatAnotherHoldsStays() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file), other = try SQLiteStore.open(at: folder.file)
    try await store.commit(commit([LoggedFix(try fix(0))], device: "anna"))
    let claim = try other.claim("anna", as: "another process")
    try store.forget(.device("anna"))
    #expect(FileManager.default.fileExists(atPath: folder.file + "-lock-anna"))
    #expect(throws: StoreError.self) { try store.claim("anna", as: "a program") }
    withExtendedLifetime(claim) {}
  }

  /// The date of a trip may go back on the way, from a date of the future.
  @Test func tripIsForgottenWithARangeThatHoldsBothItsEnds() async throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    var with = commit([])
    with.trips = [
      Trip(id: "back", began: t(9_000), settledTo: t(100), ended: t(100)),
      Trip(id: "forward", began: t(100), settledTo: t(9_000), ended: t(9_000)),
      Trip(id: "begun", began: t(200)),
    ]
    try await store.commit(with)
    func names() throws -> Set<TripID> { Set(try store.trips(of: .this).map(\.id)) }
    try store.forget(.span(t(5_000)..<t(10_000), of: .this))
    #expect(try names() == ["back", "forward", "begun"])
    try store.forget(.span(t(0)..<t(5_000), of: .this))
    #expect(try names() == ["back", "forward"])
    try store.forget(.span(t(100)..<t(9_001), of: .this))
    #expect(try names() == [])
  }

  @Test func singleFixIsErasedAcrossPageSplits() async throws {
    let folder = try TemporaryFolder()
    let store = try await filledStore(folder)
    // Backwards and interleaved, so that pages split and rows move.
    for second in stride(from: Int64(5_999), to: 0, by: -3) {
      try await store.commit(commit([LoggedFix(try fix(second, latitude(second) + 1e-5))]))
    }
    for second: Int64 in [1, 777, 1_500, 3_333, 5_998] {
      try store.forget(.span(t(second)..<t(second + 1), of: .this))
      #expect(!holds(folder.file, storedBytes(latitude(second))), "second \(second)")
    }
  }

  @Test func forgettingADeviceErasesEverything() async throws {
    let folder = try TemporaryFolder()
    let store = try await filledStore(folder)
    try await store.commit(commit([LoggedFix(try fix(0, 12.345_678_9))], device: "other"))
    let before = try store.bytesInUse
    var shares: [Double] = []
    try store.forget(.device(.this)) { progress in
      if progress.phase == .erasing { shares.append(progress.share) }
      return true
    }
    #expect(shares.count >= 3 && shares == shares.sorted())
    #expect(try store.devices() == ["other"])
    #expect(try await store.load(.this).lastRecordNumber == 0)
    let empty = try SQLiteStore.open(at: try TemporaryFolder().file).bytesInUse
    #expect(try store.bytesInUse - empty < (before - empty) / 4)
    #expect(try store.lastFix(of: "other") != nil)
    #expect(
      stride(from: Int64(0), to: 6_000, by: 97).allSatisfy { !holds(folder.file, storedBytes(latitude($0))) })
  }

  /// Progress and notifications contain a device's crossings, so they are erased with them.
  @Test(arguments: [true, false]) func alertsOfForgottenCrossingsAreInNoFile(isSpan: Bool) async throws {
    let folder = try TemporaryFolder()
    let store = try await filledStore(folder)
    try await store.commit(commit([LoggedFix(try fix(0, 12.345_678_9))], device: "other"))
    func notification(_ key: String, _ device: DeviceID, at second: Int64, isJoint: Bool)
      -> StoredNotification
    {
      StoredNotification(
        key: key, alert: "way", channel: "c", device: device, number: UInt64(second), event: FenceEvent.ID(1),
        kind: .crossing, time: t(second), steps: "steps of \(key)", isJoint: isJoint, created: t(second),
        notBefore: t(second))
    }
    let isStored = try store.commitAlerts(
      through: 12, of: try store.fenceRecords(afterPosition: 0, of: nil, limit: 100), by: [],
      progress: [
        StoredAlertProgress(alert: "way", device: .this, progress: "progress of one"),
        StoredAlertProgress(alert: "way", device: nil, progress: "progress of all"),
        StoredAlertProgress(alert: "way", device: "other", progress: "progress of other"),
      ],
      notifications: [
        notification("key of one", .this, at: 2_500, isJoint: false),
        notification("key of all", "other", at: 2_600, isJoint: true),
        notification("key of other", "other", at: 2_700, isJoint: false),
      ], revoked: [], at: t(3_000))
    #expect(isStored)
    let gone = ["progress of one", "progress of all", "key of one", "steps of key of one", "key of all"]
    #expect(gone.allSatisfy { holds(folder.file, Array($0.utf8)) })
    try store.forget(isSpan ? .span(t(2_000)..<t(4_000), of: .this) : .device(.this))
    for text in gone { #expect(!holds(folder.file, Array(text.utf8)), "\(text)") }
    #expect(
      holds(folder.file, Array("progress of other".utf8)) && holds(folder.file, Array("key of other".utf8)))
  }

  /// Crossings may be erased while alerts are evaluated.
  @Test(arguments: [ErasureScope.device(.this), .span(t(0)..<t(10), of: .this)])
  func resultsOfForgottenCrossingsAreNotStored(what: ErasureScope) async throws {
    let folder = try TemporaryFolder()
    let store = try await filledStore(folder, seconds: 1_000)
    let records = try store.fenceRecords(afterPosition: 0, of: nil, limit: 100)
    #expect(records.count == 2)
    try store.forget(what)
    let devices = try store.devices()
    let notification = StoredNotification(
      key: "key", alert: "way", channel: "c", device: .this, number: 1, event: FenceEvent.ID(1),
      kind: .crossing, time: t(0), steps: "[]", isJoint: false, created: t(0), notBefore: t(0))
    let isStored = try store.commitAlerts(
      through: 2, of: records, by: [],
      progress: [StoredAlertProgress(alert: "way", device: .this, progress: "{}")],
      notifications: [notification], revoked: [], at: t(1_000))
    #expect(!isStored)
    #expect(try store.devices() == devices)
    #expect(try store.alertProgress(of: [.this]).isEmpty)
    #expect(try store.notifications(of: nil, limit: 1).isEmpty)
  }

  @Test(arguments: [ErasureScope.device("b"), .everything])
  func rowIDOfForgottenDeviceIsNeverReused(what: ErasureScope) async throws {
    let folder = try TemporaryFolder()
    func rowID(of device: DeviceID, in store: SQLiteStore) throws -> Int64? {
      try store.read {
        try Int64.fetchOne($0, sql: "SELECT id FROM device WHERE name = ?", arguments: [device.rawValue])
      }
    }
    let store = try SQLiteStore.open(at: folder.file)
    for device: DeviceID in ["a", "b"] {
      try await store.commit(commit([LoggedFix(try fix(0))], device: device))
    }
    let forgotten = try #require(try rowID(of: "b", in: store))
    try store.forget(what)
    try store.edit([.removed("shop")], of: "c")
    try await store.commit(commit([LoggedFix(try fix(0))], device: "d"))
    #expect(try #require(try rowID(of: "c", in: store)) > forgotten)
    #expect(try #require(try rowID(of: "d", in: store)) > forgotten + 1)
    store.close()
    let reopened = try SQLiteStore.open(at: folder.file)
    try reopened.forget(.everything)
    try await reopened.commit(commit([LoggedFix(try fix(0))], device: "b"))
    #expect(try #require(try rowID(of: "b", in: reopened)) > forgotten + 2)
  }

  @Test func numbersContinueAfterForgetting() async throws {
    let folder = try TemporaryFolder()
    do {
      let store = try await filledStore(folder, seconds: 1_000)
      try store.forget(.crossings(of: .this))
      try store.forget(.span(t(0)..<t(10_000), of: .this))
    }
    let store = try SQLiteStore.open(at: folder.file)
    let record = try await store.load(.this)
    #expect(record.lastRecordNumber == 2)
    #expect(record.lastEventNumber == 2)
    #expect(record.snapshot == nil)
    #expect(record.lastFix == nil)
    try await store.commit(commit([LoggedFix(try fix(2_000))]))
    #expect(try store.lastFix(of: .this)?.seq == 1_001)
  }

  @Test func cancelledErasureRetainsItsProgress() async throws {
    let folder = try TemporaryFolder()
    let store = try await filledStore(folder)
    let erased = try store.forget(.device(.this)) { _ in false }
    #expect(erased > 0 && erased <= Eraser.rowsPerStep + 2)
    #expect(try store.devices() == [.this])
    #expect(!holds(folder.file, storedBytes(latitude(0))))
  }

  @Test func snapshotWithinTheSpanIsErased() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    var with = commit(try [0, 500_000].map { LoggedFix(try fix($0)) })
    with.snapshot = EngineSnapshot()
    try await store.commit(with)
    try store.forget(.span(t(0)..<t(10), of: .this))
    #expect(try await store.load(.this).snapshot != nil)
    try store.forget(.span(t(499_000)..<t(499_001), of: .this))
    #expect(try await store.load(.this).snapshot == nil)
  }

  @Test func oldSnapshotIsErasedWithItsSpan() async throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    var with = commit([LoggedFix(try fix(0, 48.123_456_7))])
    with.snapshot = try snapshot(at: 48.123_456_7, 0)
    try await store.commit(with)
    try await store.commit(commit([LoggedFix(try fix(500_000))]))
    #expect(holds(folder.file, Array("48.1234567".utf8)))
    try store.forget(.span(t(0)..<t(10), of: .this))
    #expect(!holds(folder.file, Array("48.1234567".utf8)))
    #expect(!holds(folder.file, storedBytes(48.123_456_7)))
  }

  @Test func futureFixDoesNotPreventSnapshotErasure() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file, wall: { t(200) }, hook: nil)
    var with = commit(try [0, 400_000_000, 100].map { LoggedFix(try fix($0, 48.123_456_7)) })
    // The engine may contain places without times.
    with.snapshot = try snapshot(at: 48.123_456_7, 90)
    try await store.commit(with)
    try store.forget(.span(t(50)..<t(80), of: .this))
    #expect(try await store.load(.this).snapshot == nil)
    #expect(!holds(folder.file, Array("48.1234567".utf8)))
  }

  @Test func blockedErasureIsFinishedOnTheNextOpen() async throws {
    let folder = try TemporaryFolder()
    try await filledStore(folder, seconds: 1_000).close()
    let store = try storeWithShortTimeouts(folder),
      reader = try SQLiteStore.open(at: folder.file, access: .readOnly)
    let gone = [Int64(200), 333, 599].map { storedBytes(latitude($0)) }
    var problem: StoreError?
    try reader.read { database in
      _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM fix")
      do throws(StoreError) { try store.forget(.span(t(200)..<t(600), of: .this)) } catch {
        problem = error
      }
    }
    #expect(problem?.code == .locked && problem?.message.contains("another program") == true)
    #expect(problem?.message.hasSuffix("the next command that writes completes the erasure") == true)
    #expect(gone.allSatisfy { holds(folder.file, $0) })
    #expect(try store.isErasurePending && reader.isErasurePending)
    // The first store is still open, as after a kill.
    let next = try SQLiteStore.open(at: folder.file)
    #expect(try !next.isErasurePending)
    #expect(gone.allSatisfy { !holds(folder.file, $0) })
    #expect(holds(folder.file, storedBytes(latitude(199))))
    withExtendedLifetime((store, reader)) {}
  }

  @Test func blockedErasureStaysPendingUntilFinished() async throws {
    let folder = try TemporaryFolder()
    try await filledStore(folder, seconds: 1_000).close()
    let store = try storeWithShortTimeouts(folder),
      reader = try SQLiteStore.open(at: folder.file, access: .readOnly)
    try reader.read { database in
      _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM fix")
      _ = try? store.forget(.device(.this))
    }
    #expect(holds(folder.file, storedBytes(latitude(500))))
    try store.finishErasing()
    #expect(try !store.isErasurePending)
    #expect(!holds(folder.file, storedBytes(latitude(500))))
  }

  @Test(arguments: [ErasureScope.everything, .device(.this), .span(t(0)..<t(1_000), of: .this)])
  func begunErasureIsFinishedOnTheNextOpen(what: ErasureScope) async throws {
    let folder = try TemporaryFolder(), store = try await filledStore(folder, seconds: 1_000)
    // The state after a process that was killed at once.
    try store.write { database in
      for task in try ErasureTask.all(for: what, in: database) { try task.insert(into: database) }
    }
    let next = try SQLiteStore.open(at: folder.file)
    #expect(try next.lastFix(of: .this) == nil)
    #expect(try !next.isErasurePending)
    #expect(
      stride(from: Int64(0), to: 1_000, by: 37).allSatisfy { !holds(folder.file, storedBytes(latitude($0))) })
    withExtendedLifetime(store) {}
  }

  @Test func closingShortensTheFileOfAnErasureThatCouldNot() async throws {
    let folder = try TemporaryFolder(), store = try await filledStore(folder, seconds: 1_000)
    // The state after an erasure whose shortening failed.
    try store.write { database in
      try database.execute(sql: "DELETE FROM fix")
      try ErasureTask(.log).insert(into: database)
    }
    #expect(try store.read { try FileSize(of: $0).free } > 0)
    store.close()
    let reader = try SQLiteStore.open(at: folder.file, access: .readOnly)
    #expect(try reader.read { try FileSize(of: $0).free } == 0)
    #expect(try !reader.isErasurePending)
  }

  @Test func erasureStaysPendingWhileTheFileHasManyFreePages() async throws {
    let folder = try TemporaryFolder(), store = try await filledStore(folder, seconds: 100)
    try store.write { database in
      try database.execute(sql: "CREATE TABLE large (bytes BLOB)")
      for _ in 0..<(2 * Eraser.pagesPerStep) {
        try database.execute(sql: "INSERT INTO large VALUES (zeroblob(6000))")
      }
    }
    try store.write { database in
      try database.execute(sql: "DROP TABLE large")
      try ErasureTask(.log).insert(into: database)
    }
    store.close()
    let reader = try SQLiteStore.open(at: folder.file, access: .readOnly)
    #expect(try reader.isErasurePending)
    reader.close()
    let next = try SQLiteStore.open(at: folder.file)
    #expect(try !next.isErasurePending)
    #expect(try next.read { try FileSize(of: $0).free } == 0)
  }

  @Test func lateErasureRetainsANewDeviceOfTheSameName() async throws {
    let folder = try TemporaryFolder(), store = try await filledStore(folder, seconds: 100)
    let device = try store.read { try DeviceReader($0, .this)?.id }
    try store.forget(.device(.this))
    try store.write { try ErasureTask(.device, device: device).insert(into: $0) }
    try await store.commit(commit([LoggedFix(try fix(7))]))
    try store.finishErasing()
    #expect(try store.lastFix(of: .this)?.rowTime == t(7))
  }

  /// Erasures of every kind, in a file with many inserted and deleted rows.
  @Test(arguments: UInt64(1)...4) func noFileContainsAnErasedPlace(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    var there: [Int64: Double] = [:], gone: [Double] = []
    for _ in 0..<12 {
      var fixes: [LoggedFix] = []
      for _ in 0..<Int.random(in: 1...400, using: &random) {
        let second = Int64.random(in: 0..<100_000, using: &random)
        guard there[second] == nil else { continue }
        there[second] = Double.random(in: -89...89, using: &random)
        fixes.append(LoggedFix(try fix(second, there[second] ?? 0)))
      }
      try await store.commit(commit(fixes))
      let from = Int64.random(in: 0..<100_000, using: &random)
      let to = from + Int64.random(in: 1...20_000, using: &random)
      try store.forget(.span(t(from)..<t(to), of: .this))
      for (second, latitude) in there where second >= from && second < to {
        gone.append(latitude)
        there[second] = nil
      }
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap {
      FileManager.default.contents(atPath: folder.path + "/" + $0)
    }
    for latitude in gone {
      #expect(
        files.allSatisfy { $0.range(of: Data(storedBytes(latitude))) == nil }, "seed \(seed): \(latitude)")
    }
    var left = 0
    try store.history(of: .this) { _ in left += 1 }
    #expect(left == there.count)
  }

  @Test func pendingUploadsAreForgottenWithTheSpan() async throws {
    let folder = try TemporaryFolder()
    let store = try await filledStore(folder, seconds: 100)
    let words = Array("a secret place".utf8)
    try store.write { database in
      try database.execute(
        sql: """
          INSERT INTO endpoint (name, origin, settings) VALUES ('server', '', '{}');
          INSERT INTO upload_cursor (endpoint, device, accepted) VALUES (1, 1, 'a secret place');
          INSERT INTO upload_batch
            (endpoint, device, number, span, key, request, body, items, crossings, parts, state, created, first, last)
          SELECT 1, 1, n, 1, n, '', CAST('a secret place' AS BLOB), 1, 0, '', 'waiting', 0,
            (1700000000 + n) * 1000000000, (1700000000 + n) * 1000000000
          FROM (SELECT 5 AS n UNION SELECT 50 UNION SELECT 95)
          """)
    }
    #expect(holds(folder.file, words))
    try store.forget(.span(t(40)..<t(60), of: .this))
    let left = try store.read { try Int.fetchAll($0, sql: "SELECT number FROM upload_batch ORDER BY number") }
    #expect(left == [5, 95])
    try store.forget(.span(t(0)..<t(100), of: .this))
    #expect(!holds(folder.file, words))
  }
}
