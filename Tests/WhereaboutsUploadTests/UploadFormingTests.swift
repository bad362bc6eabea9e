import Foundation
import GRDB
import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting
import WhereaboutsUpload

@testable import WhereaboutsUploadQueue

/// Requests are formed in bounded steps, in the order of arrival, for any history.
@Suite struct UploadFormingTests {
  private struct Setup {
    let fixture: UploadFixture
    let store: SQLiteStore
    let row: EndpointRow
    let device: UploadDevice

    init(_ change: (inout Endpoint) -> Void = { _ in }) async throws {
      fixture = try UploadFixture()
      store = try SQLiteStore.open(
        at: "\(fixture.folder)/whereabouts.sqlite", wall: { SampleHistory.time(1_000_000) }, hook: nil)
      var endpoint = Endpoint(name: "there", url: "http://127.0.0.1:1/", template: .whereabouts)
      endpoint.terms = nil
      change(&endpoint)
      try await store.commit(SampleHistory.commit([]))
      try store.add(endpoint, from: .beginning)
      let (row, devices) = try #require(try store.uploadTargets().first)
      self.row = row
      device = try #require(devices.first)
    }

    func forming(window: Int = UploadHistoryReader.window) -> UploadBatchBuilder {
      var forming = UploadBatchBuilder(
        endpoint: row, device: device, wall: SampleHistory.time(1_000_000), makeKey: SQLiteStore.newKey)
      forming.window = window
      return forming
    }

    /// Makes requests until there is nothing more to read.
    ///
    /// - Returns: how many steps it took.
    @discardableResult
    func form(window: Int, meanwhile: () async throws -> Void = {}) async throws -> Int {
      let forming = forming(window: window)
      var steps = 0
      while true {
        steps += 1
        let plan = try store.read { try forming.plan($0) }
        if !plan.isEmpty { #expect(try store.write { try forming.write(plan, $0) }) }
        if !plan.hasMore { return steps }
        try await meanwhile()
      }
    }

    func formed() throws -> [Int64] {
      try store.read { database in
        try Data.fetchAll(database, sql: "SELECT body FROM upload_batch ORDER BY number").flatMap { body in
          TestServer.Request(body: Array(body)).ids.compactMap { Int64($0.dropFirst(4)) }
        }
      }
    }
  }

  /// Clocks that are set back, late fixes, implausible ones of the future, and holes.
  private func commits(_ random: inout SeededGenerator) -> [[LoggedFix]] {
    var seconds = 100_000
    return (0..<Int.random(in: 5...20, using: &random)).map { _ in
      (0..<Int.random(in: 0...30, using: &random)).map { _ in
        seconds += Int.random(in: 0...20, using: &random)
        if Int.random(in: 0..<40, using: &random) == 0 {
          seconds -= Int.random(in: 1...50_000, using: &random)
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          var late = SampleHistory.fix(seconds - Int.random(in: 0...90_000, using: &random))
          late.use = .late
          return late
        case 1:
          var odd = SampleHistory.fix(seconds + Int.random(in: 0...1_000_000, using: &random))
          odd.use = .implausible
          return odd
        default: return SampleHistory.fix(seconds)
        }
      }
    }
  }

  @Test(arguments: PropertyCases.seeds(12, of: 1...40))
  func usedFixesAreFormedOnceInArrivalOrder(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let setup = try await Setup { $0.batchSize = 5 }
    var rest = commits(&random)[...]
    var used: [Int64] = []
    var last: Int64 = 0
    func commit() async throws {
      guard let fixes = rest.popFirst() else { return }
      let snapshot = Bool.random(using: &random)
      try await setup.store.commit(SampleHistory.commit(fixes, snapshot: snapshot))
      for fix in fixes {
        last += 1
        if fix.use == .used { used.append(last) }
      }
    }
    let window = Int.random(in: 1...20, using: &random)
    while !rest.isEmpty {
      for _ in 0..<Int.random(in: 1...5, using: &random) { try await commit() }
      // Some of what was not read yet goes.
      if Int.random(in: 0..<3, using: &random) == 0 {
        let formed = Set(try setup.formed())
        let gone = used.filter { !formed.contains($0) && Int.random(in: 0..<3, using: &random) == 0 }
        let floor = last
        try setup.store.write { database in
          try database.execute(sql: "UPDATE device SET seq_floor = ?", arguments: [floor])
          for seq in gone { try database.execute(sql: "DELETE FROM fix WHERE seq = ?", arguments: [seq]) }
        }
        used.removeAll { gone.contains($0) }
      }
      try await setup.form(window: window) {
        if Int.random(in: 0..<4, using: &random) == 0 { try await commit() }
      }
    }
    try await setup.form(window: window)
    #expect(try setup.formed() == used, "seed \(seed), window \(window)")
  }

  @Test func unwantedFixesAreReadInSeveralSteps() async throws {
    let setup = try await Setup { $0.terms = .standard }
    // At rest: nearly none is worth sending.
    let fixes = (0..<1000).map { second in
      var seen = SampleHistory.fix(0)
      (seen.fix.time, seen.seen) = (SampleHistory.time(second), SampleHistory.time(second))
      return seen
    }
    try await setup.store.commit(SampleHistory.commit(fixes))
    let steps = try await setup.form(window: 50)
    #expect(steps >= 10)
    #expect(try setup.formed().count < 20)
  }

  /// A flush ends with the step that leaves nothing to read.
  @Test func fixesStoredDuringAScanAreFormedAfterIt() async throws {
    let setup = try await Setup()
    try await setup.store.commit(SampleHistory.commit((1...12).map { SampleHistory.fix($0) }))
    var isStored = false
    try await setup.form(window: 5) {
      guard !isStored else { return }
      isStored = true
      try await setup.store.commit(SampleHistory.commit((13...14).map { SampleHistory.fix($0) }))
    }
    #expect(try setup.formed() == Array(1...14))
  }

  /// A recording may have times ahead of the clock, such as local times that were read as UTC.
  @Test func importOfLaterTimesHidesNoFixOfAReceiver() async throws {
    let setup = try await Setup()
    try await setup.store.commit(SampleHistory.commit([SampleHistory.fix(100)]))
    try await setup.form(window: 50)
    // The later ones are older than the last fix that was read, and are left out.
    for seconds in [40_000, 50, 30_000] {
      _ = try setup.store.addPast([SampleHistory.fix(seconds).fix], to: .this)
      try await setup.form(window: 50)
    }
    for seconds in [101, 102] {
      try await setup.store.commit(SampleHistory.commit([SampleHistory.fix(seconds)]))
      try await setup.form(window: 50)
    }
    #expect(try setup.formed() == [1, 2, 5, 6])
  }

  @Test func movedFixesOfLaterTimesHideNoFixOfAReceiver() async throws {
    let setup = try await Setup(), other = DeviceID(rawValue: "other")
    try await setup.store.commit(SampleHistory.commit([SampleHistory.fix(100)]))
    try await setup.form(window: 50)
    _ = try setup.store.addPast([SampleHistory.fix(40_000).fix], to: other)
    let moved = [(time: SampleHistory.time(40_000).nanosecondsSince1970, seq: Int64(1))]
    _ = try setup.store.repair(
      other, kind: "devices", choice: "move", fixes: moved, change: .move(to: .this),
      at: SampleHistory.time(0))
    try await setup.form(window: 50)
    try await setup.store.commit(SampleHistory.commit([SampleHistory.fix(101)]))
    try await setup.form(window: 50)
    #expect(try setup.formed() == [1, 2, 3])
  }

  @Test func importOlderThanTheLastOneIsNotFormed() async throws {
    let setup = try await Setup()
    for seconds in [200, 100, 300] {
      _ = try setup.store.addPast([SampleHistory.fix(seconds).fix], to: .this)
      try await setup.form(window: 50)
    }
    #expect(try setup.formed() == [1, 3])
  }

  @Test func importOlderThanSkippedImportsIsNotFormed() async throws {
    let setup = try await Setup()
    _ = try setup.store.addPast([SampleHistory.fix(200).fix], to: .this)
    try setup.store.purgeUploads(to: "there", all: true)
    for seconds in [100, 300] {
      _ = try setup.store.addPast([SampleHistory.fix(seconds).fix], to: .this)
      try await setup.form(window: 50)
    }
    // The first fix of a receiver is sent even if it is older than the imports.
    try await setup.store.commit(SampleHistory.commit([SampleHistory.fix(50)]))
    try await setup.form(window: 50)
    #expect(try setup.formed() == [3, 4])
  }

  @Test func endpointAddedAfterImportsSendsNoOlderImport() async throws {
    let setup = try await Setup()
    _ = try setup.store.addPast([SampleHistory.fix(200).fix], to: .this)
    var endpoint = Endpoint(name: "later", url: "http://127.0.0.1:1/", template: .whereabouts)
    endpoint.terms = nil
    try setup.store.add(endpoint)
    _ = try setup.store.addPast([SampleHistory.fix(100).fix], to: .this)
    let row = try #require(try setup.store.uploadTargets().first { $0.0.endpoint.name == "later" }).0
    let forming = UploadBatchBuilder(
      endpoint: row, device: setup.device, wall: SampleHistory.time(1_000_000), makeKey: SQLiteStore.newKey)
    #expect(try setup.store.read { try forming.plan($0) }.requests.isEmpty)
  }

  /// A recording of a receiver with a wrong clock may have times years ahead.
  @Test(arguments: [false, true])
  func importWithAWrongDateHidesNoLaterImport(selects: Bool) async throws {
    let setup = try await Setup { if selects { $0.terms = .standard } }
    for seconds in [100, 100_000_000, 300, 200, 400] {
      // A fix of this accuracy waits for a better one if the endpoint selects fixes.
      _ = try setup.store.addPast([SampleHistory.fix(seconds, accuracy: 50).fix], to: .this)
      try await setup.form(window: 50)
    }
    #expect(try setup.formed() == [1, 2, 3, 5])
  }

  /// Earlier versions kept the wrong date as the position of the endpoint.
  @Test(arguments: [[], [100]])
  func keptWrongDateOfAnImportHidesNoLaterImport(before: [Int]) async throws {
    let setup = try await Setup(), wrong = 100_000_000
    for seconds in before + [wrong] {
      _ = try setup.store.addPast([SampleHistory.fix(seconds).fix], to: .this)
      try await setup.form(window: 50)
    }
    try setup.store.write {
      try $0.execute(
        sql: "UPDATE upload_cursor SET time = ?", arguments: [SampleHistory.time(wrong).nanosecondsSince1970])
    }
    for seconds in [300, 200, 400] {
      _ = try setup.store.addPast([SampleHistory.fix(seconds).fix], to: .this)
      try await setup.form(window: 50)
    }
    let first = Int64(before.count) + 1
    #expect(try setup.formed() == Array(1...first) + [first + 1, first + 3])
  }

  @Test func skippedImportWithAWrongDateHidesNoLaterImport() async throws {
    let setup = try await Setup()
    for seconds in [200, 100_000_000] {
      _ = try setup.store.addPast([SampleHistory.fix(seconds).fix], to: .this)
    }
    try setup.store.purgeUploads(to: "there", all: true)
    for seconds in [100, 300] {
      _ = try setup.store.addPast([SampleHistory.fix(seconds).fix], to: .this)
      try await setup.form(window: 50)
    }
    #expect(try setup.formed() == [4])
  }

  /// The fences of a server are in a table of their own.
  @Test func crossingOfASharedFenceHasItsName() async throws {
    let setup = try await Setup {
      $0 = Endpoint(name: "there", url: "http://127.0.0.1:1/", template: .owntracks)
    }
    let circle = try Area.Circle(center: SampleHistory.fix(1).fix.coordinate, radius: 100)
    var change = StoreCommit.FenceChange()
    change.set = [
      StoreCommit.FenceChange.Entry(Fence(id: "home", area: .circle(circle), name: "Our house"), serial: 1)
    ]
    try setup.store.changeSharedFences(change)
    let record = NumberedFenceRecord(number: 1, record: .event(SampleHistory.event(1, at: 1)))
    try await setup.store.commit(SampleHistory.commit([SampleHistory.fix(1)], records: [record]))
    try await setup.form(window: 50)
    let bodies = try setup.store.read { database in
      try Data.fetchAll(database, sql: "SELECT body FROM upload_batch WHERE crossings = 1")
    }
    #expect(bodies.count == 1)
    for body in bodies {
      let text = String(decoding: body, as: UTF8.self)
      #expect(text.contains(#""desc":"Our house""#), "\(text)")
    }
  }

  @Test func fixErasedBeforeWritingIsNotFormed() async throws {
    let setup = try await Setup()
    try await setup.store.commit(SampleHistory.commit((1...3).map { SampleHistory.fix($0) }, snapshot: true))
    let forming = setup.forming()
    let plan = try setup.store.read { try forming.plan($0) }
    try setup.store.forget(.span(SampleHistory.time(2)..<SampleHistory.time(3), of: .this))
    #expect(try setup.store.write { try forming.write(plan, $0) } == false)
    #expect(try setup.formed().isEmpty)
    try await setup.form(window: 100)
    #expect(try setup.formed() == [1, 3])
  }

  @Test func fixErasedAfterPurgeLosesNoLaterFix() async throws {
    let setup = try await Setup()
    try await setup.store.commit(
      SampleHistory.commit((1...30).map { SampleHistory.fix($0 * 10) }, snapshot: true))
    try setup.store.purgeUploads(to: "there", all: true)
    try setup.store.forget(.span(SampleHistory.time(200)..<SampleHistory.time(1000), of: .this))
    try await setup.store.commit(SampleHistory.commit((31...33).map { SampleHistory.fix($0 * 10) }))
    try await setup.form(window: 4)
    #expect(try setup.formed() == [31, 32, 33])
  }
}
