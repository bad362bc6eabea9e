import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsStore

@Suite struct CommitTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func fixFieldsRoundTripBitForBit(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    var maker = RandomFixes(random: SeededGenerator(seed: seed))
    let fixes = try (0..<200).map { _ in try maker.fix() }
    let store = try SQLiteStore.open(at: folder.file, wall: { t(0) }, hook: nil)
    for group in 0..<20 { try await store.commit(commit(Array(fixes[group * 10..<group * 10 + 10]))) }
    let record = try await store.load(.this)
    #expect(record.fixesSinceSnapshot.count == fixes.count)
    for (fix, back) in zip(fixes, record.fixesSinceSnapshot) {
      #expect(back.isBitwiseEqual(to: fix), "seed \(seed): \(fix) was loaded as \(back)")
    }
  }

  @Test func loadReturnsFixesAfterTheSnapshotInArrivalOrder() async throws {
    let folder = try TemporaryFolder()
    var expected: [LoggedFix] = []
    do {
      let store = try SQLiteStore.open(at: folder.file)
      try await store.commit(commit([LoggedFix(try fix(0)), LoggedFix(try fix(100_000))]))
      var with = commit([LoggedFix(try fix(100_010))])
      with.snapshot = EngineSnapshot()
      try await store.commit(with)
      #expect(try await store.load(.this).fixesSinceSnapshot.isEmpty)
      // A day late, even later, and after a clock was set back by years.
      for second: Int64 in [100_020, 13_620, 100_005, -90_000_000, 100_030] {
        expected.append(LoggedFix(try fix(second), use: second == 100_005 ? .late : .used, seen: t(second)))
        try await store.commit(commit(expected.suffix(1)))
      }
      #expect(try await store.load(.this).fixesSinceSnapshot == expected)
    }
    let again = try SQLiteStore.open(at: folder.file)
    let record = try await again.load(.this)
    #expect(record.fixesSinceSnapshot == expected)
    #expect(record.lastFix == expected.last)
    #expect(record.snapshot == EngineSnapshot())
    // Numbers continue after the last one.
    try await again.commit(commit([LoggedFix(try fix(100_040))]))
    #expect(try again.lastFix(of: .this)?.seq == 9)
  }

  @Test func fenceRecordsRoundTrip() async throws {
    let folder = try TemporaryFolder()
    var odd = try event(3, at: 40)
    odd.pending = Duration(secondsComponent: 1, attosecondsComponent: 1)
    odd.timeUncertainty = .nan
    odd.decidedBy.climb = -0.0
    let records: [FenceRecord] = [
      .event(try event(1, at: 10)), .revised(FenceEvent.ID(1), try event(1, at: 11)),
      .revised(FenceEvent.ID(1), nil), .removed("home", because: .once),
      .removed("a'b\u{0}c", because: .expired),
      .decided(.timeless), .revised(FenceEvent.ID(7), try event(2, at: 20)),
    ]
    let numbered = records.enumerated().map { NumberedFenceRecord(number: UInt64($0 + 1), record: $1) }
    let store = try SQLiteStore.open(at: folder.file)
    var commit = commit([], durability: .power)
    commit.fenceRecords = numbered
    try await store.commit(commit)
    #expect(try await store.fenceRecords(of: .this, after: 0, limit: 100) == numbered)
    #expect(try await store.fenceRecords(of: .this, after: 2, limit: 2) == Array(numbered[2..<4]))
    let first = FenceEvent.ID(1)
    let found = try (0...4).map { try store.fenceEvent(first, beforeNumber: $0, of: .this) }
    #expect(found == [nil, nil, try event(1, at: 10), try event(1, at: 11), try event(1, at: 11)])
    #expect(try store.fenceEvent(FenceEvent.ID(9), beforeNumber: 100, of: .this) == nil)
    commit.fenceRecords = [NumberedFenceRecord(number: 8, record: .event(odd))]
    try await store.commit(commit)
    let record = try await store.load(.this)
    #expect(record.fenceRecords.count == 8)
    #expect(record.lastRecordNumber == 8)
    #expect(record.lastEventNumber == 3)
    guard case .event(let back)? = record.fenceRecords.last?.record else { throw InvalidPlaceError() }
    #expect(back.pending == odd.pending)
    #expect(back.timeUncertainty.isNaN)
    #expect(back.decidedBy.climb?.sign == .minus)
  }

  @Test func fencesTripsAndGapsRoundTrip() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    let circle = Area.circle(try Area.Circle(center: try place(), radius: 50))
    var made = commit([])
    made.fences.set = [
      StoreCommit.FenceChange.Entry(Fence(id: "b", area: circle, name: "B"), serial: 1),
      StoreCommit.FenceChange.Entry(Fence(id: "a", area: circle), serial: 2),
    ]
    made.fences.lastSerial = 2
    made.processedUntil = t(5)
    var trip = Trip(id: "walk", began: t(1), settledTo: t(9))
    trip.totals.distance = 1234.5
    trip.totals.ascent = 12
    var over = Trip(id: "over")
    over.ended = t(2)
    made.trips = [trip, over]
    let gap = Trip.Gap(
      trip: "walk", end: t(4), gap: TrackPoint.Gap(duration: 3, geodesic: 2, counted: 1, uncertainty: 0.5))
    made.gaps = [gap]
    made.snapshot = EngineSnapshot(watch: FenceWatch())
    try await store.commit(made)
    var record = try await store.load(.this)
    #expect(record.fences == made.fences.set)
    #expect(record.lastSerial == 2)
    #expect(record.processedUntil == t(5))
    #expect(record.openTrips == [trip])
    #expect(record.snapshot == made.snapshot)
    #expect(try store.trips(of: .this) == [over, trip])
    #expect(try store.gaps(of: "walk", device: .this) == [gap])

    let edits = try store.edit(
      [.set(Fence(id: "c", area: circle)), .removed("b"), .set(Fence(id: "a", area: circle, name: "A"))],
      of: .this)
    #expect(edits.map(\.number) == [1, 2, 3])
    #expect(try store.fences(of: .this).map(\.id) == ["a", "c"])
    #expect(try await store.load(.this).edits == edits)
    var taken = commit([])
    taken.fences.removed = ["b"]
    taken.lastAppliedEdit = 3
    try await store.commit(taken)
    record = try await store.load(.this)
    #expect(record.edits.isEmpty)
    #expect(record.fences.map(\.fence.id) == ["a"])
    #expect(try store.edit([.removed("x")], of: .this).map(\.number) == [4])
  }

  @Test func openTripWithoutSettledPointIsTheLast() async throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    var yesterday = Trip(id: "2024-05-13", began: t(1), settledTo: t(9))
    yesterday.ended = t(9)
    var made = commit([])
    made.trips = [yesterday, Trip(id: "2024-05-14")]
    try await store.commit(made)
    #expect(try store.trips(of: .this).map(\.id) == ["2024-05-13", "2024-05-14"])
  }

  @Test func cursorNeverMovesBack() async throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    #expect(try await store.cursor(of: "page", device: "phone") == 0)
    try await store.acknowledge(through: 7, by: "page", device: "phone")
    try await store.acknowledge(through: 3, by: "page", device: "phone")
    #expect(try await store.cursor(of: "page", device: "phone") == 7)
    #expect(try await store.cursor(of: "other", device: "phone") == 0)
  }

  @Test func concurrentCommitsAreAllStored() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<64 {
        group.addTask {
          for number in 0..<20 {
            try await store.commit(
              commit(
                [LoggedFix(try fix(Int64(number)))], device: DeviceID(rawValue: "\(task % 8)"),
                durability: .power))
          }
        }
      }
      try await group.waitForAll()
    }
    for device in try store.devices() {
      var seqs: [UInt64] = []
      try store.history(of: device) { seqs.append($0.seq) }
      #expect(seqs.sorted() == Array(1...160))
    }
    #expect(try store.devices().count == 8)
  }

  @Test func fenceRecordIsNeverReplaced() async throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    var first = commit([LoggedFix(try fix(0))])
    first.fenceRecords = [NumberedFenceRecord(number: 1, record: .event(try event(1, at: 10)))]
    try await store.commit(first)
    // Repeated, as after a lost reply.
    try await store.commit(first)
    var other = commit([LoggedFix(try fix(1))])
    other.fenceRecords = [NumberedFenceRecord(number: 1, record: .event(try event(1, at: 99)))]
    let problem = await #expect(throws: StoreError.self) { try await store.commit(other) }
    #expect(problem?.message.contains("two managers") == true)
    let record = try await store.load(.this)
    #expect(record.fenceRecords == first.fenceRecords)
    #expect(record.fixesSinceSnapshot.count == 2)
  }
}
