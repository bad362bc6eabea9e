import GRDB
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel

@testable import WhereaboutsStore

@Suite struct StatedVisitTests {
  private func visit(_ times: Range<Int64>, level: Int = 0, at latitude: Double = 48) throws -> RecordedVisit
  {
    RecordedVisit(
      coordinate: try place(latitude), arrival: t(times.lowerBound), departure: t(times.upperBound),
      level: level)
  }

  @Test func visitsAreStoredOnceForTheirDevice() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    #expect(try store.statedVisits(of: .this).isEmpty)
    let full = try StoreScenario.statedVisit()
    // Each differs in one part of the key.
    let visits = [
      full, try visit(1..<8), try visit(1..<8, level: 2), try visit(1..<9), try visit(2..<9),
      try visit(2..<9, at: 49),
    ]
    let prediction = ImportPrediction()
    #expect(try store.addStatedVisits(visits, to: .this, dryRun: prediction).kept == 6)
    // A later batch of the dry run, as of another file.
    #expect(try store.addStatedVisits([full, try visit(3..<9)], to: .this, dryRun: prediction).kept == 1)
    #expect(try store.statedVisits(of: .this).isEmpty)
    var result = try store.addStatedVisits(visits.reversed(), to: .this)
    #expect(result.kept == 6 && result.duplicates == 0)
    // The stored visit stays as it is.
    var renamed = full
    renamed.name = "Another"
    for isDryRun in [true, false] {
      result = try store.addStatedVisits(
        [renamed] + visits, to: .this, dryRun: isDryRun ? ImportPrediction() : nil)
      #expect(result.kept == 0 && result.duplicates == 7)
    }
    let stored = try store.statedVisits(of: .this)
    #expect(Set(stored) == Set(visits) && stored.map(\.arrival) == [t(1), t(1), t(1), t(1), t(2), t(2)])
    #expect(try store.statedVisits(of: DeviceID(rawValue: "other")).isEmpty)
    #expect(try store.summary(of: .this).statedVisits == 6)
    #expect(try store.devicesWithPast() == [.this])
    #expect(try store.check().faults.isEmpty)
  }

  @Test(
    arguments: [
      ("stated_visit", "a stated visit has no valid coordinate"), ("place", "place psd9tmo has no valid"),
    ])
  func checkReportsARowThatCannotBeDecoded(table: String, message: String) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    _ = try store.addStatedVisits([try visit(1..<8)], to: .this)
    try store.save([Place(id: "psd9tmo", name: "Home", coordinate: try place(48))], of: .this)
    #expect(try store.check().faults.isEmpty)
    try store.write { try $0.execute(sql: "UPDATE \(table) SET lat = 91") }
    let faults = try store.check().faults
    #expect(faults.map(\.kind) == [.row])
    #expect(faults.first?.message.contains(message) == true, "\(faults)")
  }

  @Test(
    arguments: [
      (0..<10, []), (0..<11, [10]), (19..<21, [10, 20]), (20..<21, [10, 20]), (21..<30, [20]), (31..<40, []),
    ] as [(Range<Int64>, [Int64])])
  func forgettingASpanErasesTheVisitsWithAnInstantInIt(span: Range<Int64>, erased: [Int64]) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    let visits = [try visit(10..<20), try visit(20..<30), try visit(50..<60)]
    _ = try store.addStatedVisits(visits, to: .this)
    let span = t(span.lowerBound)..<t(span.upperBound)
    #expect(try store.statedVisits(of: .this, in: span).map(\.arrival) == erased.map { t($0) })
    try store.forget(.span(span, of: .this))
    let left = visits.filter { visit in !erased.contains { t($0) == visit.arrival } }
    #expect(try store.statedVisits(of: .this) == left)
  }

  @Test(arguments: [ErasureScope.device(.this), .everything]) func forgettingADeviceErasesItsVisits(
    what: ErasureScope
  ) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    _ = try store.addStatedVisits([try StoreScenario.statedVisit()], to: .this)
    try store.forget(what)
    #expect(try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM stated_visit") } == 0)
  }

  @Test(arguments: [Retention(age: .seconds(1_000)), Retention(count: 1_000), Retention(bytes: 400_000)])
  func retentionErasesTheVisitsBeforeTheFixes(retention: Retention) async throws {
    let folder = try TemporaryFolder()
    var settings = StoreSettings()
    settings.retention = retention
    let store = try SQLiteStore.open(at: folder.file, settings: settings)
    let visits = [try visit(-500 ..< -400), try visit(-400..<19_990), try visit(19_900..<19_950)]
    _ = try store.addStatedVisits(visits, to: .this)
    for first in stride(from: Int64(0), to: 20_000, by: 500) {
      var with = commit(try (first..<first + 500).map { LoggedFix(try fix($0)) })
      with.snapshot = EngineSnapshot()
      try await store.commit(with)
    }
    store.writerConnection.enforceRetention()
    #expect(try store.statedVisits(of: .this) == Array(visits[1...]))
  }

  /// Without a fix, the age counts from the newest visit.
  @Test func retentionByAgeErasesVisitsWithoutFixes() throws {
    let folder = try TemporaryFolder()
    var settings = StoreSettings()
    settings.retention = Retention(age: .seconds(1_000))
    let store = try SQLiteStore.open(at: folder.file, settings: settings)
    let visits = [try visit(-500 ..< -400), try visit(500..<600), try visit(900..<1_000)]
    _ = try store.addStatedVisits(visits, to: .this)
    store.writerConnection.enforceRetention()
    #expect(try store.statedVisits(of: .this) == Array(visits[1...]))
  }
}
