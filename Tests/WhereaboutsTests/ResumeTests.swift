import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsTesting

/// Stores of managers, and managers that resume from them.
@Suite struct ResumeTests {
  private let clock = StepClock(wall: utc(0))

  func makeManager(_ source: ScriptedSource, _ store: MemoryStore) -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock, store: store)
  }

  /// Emits a fix each second, 10 m farther north each time. The fence is crossed at 20 s and at 40 s.
  private func drive(_ source: ScriptedSource, _ seconds: ClosedRange<Int>) async {
    for second in seconds {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(4, at: Double(second), north: -300 + Double(second) * 10))
    }
  }

  /// Reads the deliveries to a consumer, until the end mark of `sendEndMark`.
  private struct DeliveryReading {
    let task: Task<[FenceUpdate], Never>

    var all: [FenceUpdate] {
      get async {
        await withTaskCancellationHandler {
          await task.value
        } onCancel: {
          task.cancel()
        }
      }
    }
  }

  /// Subscribes a consumer before it returns, so that no end mark is missed.
  private func deliveries(by manager: LocationManager, to consumer: String = "test") async -> DeliveryReading
  {
    let deliveries = manager.fences.updates(for: consumer)
    await manager.waitUntilProcessed()
    return DeliveryReading(
      task: Task {
        var all: [FenceUpdate] = []
        for await update in deliveries {
          if case .authorization = update { break }
          all.append(update)
        }
        return all
      })
  }

  /// Sends an end mark, which arrives after all earlier deliveries.
  private func sendEndMark(_ source: ScriptedSource) async {
    await source.emit(Authorization(.whenInUse))
  }

  // MARK: Fences

  private static let uninterrupted = 60

  private func expected() async throws -> [FenceUpdate] {
    let source = ScriptedSource(), clock = StepClock(wall: utc(0))
    let manager = LocationManager(source: source, clock: clock.managerClock, store: MemoryStore())
    try await manager.fences.add(contentsOf: Self.fences)
    for second in 1...Self.uninterrupted {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(4, at: Double(second), north: -300 + Double(second) * 10))
    }
    let reading = await deliveries(by: manager)
    await sendEndMark(source)
    return await reading.all
  }

  private static let fences = [
    fence("home"), fence("work", north: 150, radius: 60),
    Fence(id: "gate", area: fence("gate", north: 20).area, terms: FenceTerms(once: true)),
    Fence(id: "stay", area: fence("stay", north: 0, radius: 90).area, terms: FenceTerms(dwell: .seconds(6))),
  ]

  @Test(arguments: PropertyCases.every(6, of: 0...59)) func killAtAnyStepLosesAndRepeatsNoDelivery(step: Int)
    async throws
  {
    let store = MemoryStore(), source = ScriptedSource()
    let manager = makeManager(source, store)
    try await manager.fences.add(contentsOf: Self.fences)
    if step > 0 { await drive(source, 1...step) }
    let left = await store.copy()

    let next = ScriptedSource()
    let other = makeManager(next, left)
    await drive(next, (step + 1)...Self.uninterrupted)
    let reading = await deliveries(by: other)
    await sendEndMark(next)
    let found = await reading.all
    #expect(found == (try await expected()))
    #expect(Set(found.compactMap(\.number)).count == found.count)
    #expect(await other.fences.all.map(\.id) == ["home", "stay", "work"])
    // A third manager on the same store also resumes there.
    #expect(await left.copy().fixes().count == Self.uninterrupted)
    withExtendedLifetime(manager) {}
  }

  @Test func eachConsumerReceivesItsUnacknowledgedDeliveries() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    let manager = makeManager(source, store)
    try await manager.fences.add(contentsOf: Self.fences)
    await drive(source, 1...60)
    let all = try await expected()
    try #require(all.count > 2)
    let third = try #require(all[2].number)
    try await manager.fences.acknowledge(through: third, by: "one")
    try await manager.fences.acknowledge(through: 1, by: "one")

    let next = ScriptedSource()
    let other = makeManager(next, await store.copy())
    let one = await deliveries(by: other, to: "one")
    let two = await deliveries(by: other, to: "two")
    await sendEndMark(next)
    let (first, second) = await (one.all, two.all)
    #expect(first == Array(all.dropFirst(3)) && second == all)
    withExtendedLifetime(manager) {}
  }

  /// After a kill, the next process gives the numbers of records that were not stored to other records.
  @Test func unstoredRecordIsAcknowledgedOnceItIsStored() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    let manager = makeManager(source, store)
    try await manager.fences.add(fence("home"))
    await drive(source, 1...15)
    await store.fail(.full, of: [.commit])
    await drive(source, 16...60)
    try await manager.fences.acknowledge(through: .max, by: "one")
    let killed = await store.copy()
    #expect(try await killed.cursor(of: "one", device: .this) == 0)
    let one = await deliveries(by: manager, to: "one")
    let two = await deliveries(by: manager, to: "two")
    await sendEndMark(source)
    let (first, second) = await (one.all, two.all)
    #expect(first.compactMap(\.number) == [] && second.compactMap(\.number) == [1, 2])

    await store.recover()
    // More than the longest pause between retries.
    await clock.advance(by: .seconds(40))
    await source.emit(fix(4, at: 100, north: 300))
    await manager.waitUntilProcessed()
    let last = try await store.fenceRecords(of: .this, after: 0, limit: 100).last?.number
    #expect(try await store.cursor(of: "one", device: .this) == last && last == 2)
    withExtendedLifetime(manager) {}
  }

  @Test func fenceEditsOfOtherProcessesAreApplied() async throws {
    let store = MemoryStore()
    var manager: LocationManager? = makeManager(ScriptedSource(), store)
    try await manager?.fences.add(fence("home"))
    manager = nil
    await store.edit(.set(fence("work")))
    await store.edit(.removed("home"))
    let other = makeManager(ScriptedSource(), store)
    #expect(await other.fences.all.map(\.id) == ["work"])
    let edit = await store.edit(.set(fence("club")))
    try await other.fences.apply([DeviceRecord.FenceEdit(number: edit, change: .set(fence("club")))])
    #expect(try await store.load(.this).edits.isEmpty)
    #expect(try await store.load(.this).fences.map(\.fence.id) == ["work", "club"])
  }

  @Test func editsOfOtherProcessesApplyBeforeAFenceExpires() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    let manager = makeManager(source, store)
    try await manager.fences.add(fence("home", FenceTerms(expiry: utc(100))))
    try await manager.fences.add(fence("gone", FenceTerms(dwell: .seconds(100))))
    for second in 1...20 {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(4, at: Double(second)))
    }
    #expect(await manager.fences.state(of: "home")?.side == .inside)
    #expect(await manager.save() == .working)
    let left = await store.copy()
    await left.edit(.set(fence("home", FenceTerms(expiry: utc(1000)))))
    await left.edit(.removed("gone"))
    await clock.advance(by: .seconds(200))
    let other = makeManager(ScriptedSource(), left)
    #expect(await other.fences.state(of: "home")?.side == .inside)
    #expect(await other.fences.all.map(\.id) == ["home"])
    #expect(try await left.fenceRecords(of: .this, after: 0, limit: 10).isEmpty)
    #expect(try await left.load(.this).edits.isEmpty)
    withExtendedLifetime(manager) {}
  }

  @Test func fenceThatAnotherProcessRemovedAndAddedAgainIsKept() async throws {
    let store = MemoryStore()
    var manager: LocationManager? = makeManager(ScriptedSource(), store)
    try await manager?.fences.add(fence("home"))
    manager = nil
    await store.edit(.removed("home"))
    await store.edit(.set(fence("home")))
    await store.edit(.removed("home"))
    let last = await store.edit(.set(fence("home", north: 50)))
    let other = makeManager(ScriptedSource(), store)
    #expect(await other.fences.all == [fence("home", north: 50)])
    let record = try await store.load(.this)
    #expect(record.fences.map(\.fence) == [fence("home", north: 50)] && record.edits.isEmpty)
    let commits = await store.commits.filter { $0.lastAppliedEdit != nil }
    #expect(commits.map(\.lastAppliedEdit) == [last])
  }

  /// The stored fixes have an event that was not reported, such as after an upgrade.
  @Test func editOfAFenceThatEndsInTheReplayIsKept() async throws {
    let home = fence("home", FenceTerms(once: true)), moved = fence("home", north: 5000)
    let store = MemoryStore()
    var engine = Engine(), commit = StoreCommit(device: .this)
    _ = engine.handle(.fences(.add([home])), at: t(0))
    commit.snapshot = engine.snapshot
    commit.fences.set = [StoreCommit.FenceChange.Entry(home, serial: 1)]
    commit.fences.lastSerial = 1
    try await store.commit(commit)
    commit = StoreCommit(device: .this)
    commit.fixes = (1...30).map { LoggedFix(fix(4, at: Double($0), north: -300 + Double($0) * 10)) }
    try await store.commit(commit)
    await store.edit(.set(moved))
    await clock.advance(by: .seconds(40))
    let manager = makeManager(ScriptedSource(), store)
    #expect(await manager.fences.all == [moved])
    #expect(try await store.fenceRecords(of: .this, after: 0, limit: 10).count == 2)
    #expect(try await store.load(.this).fences.map(\.fence) == [moved])
    withExtendedLifetime(manager) {}
  }

  /// A phone of a server stores its state with its fixes. A stay is over without one, and its fence may be moved before
  /// the next process.
  @Test func stayThatWaitsWithoutAFixOutlivesTheMoveOfItsFence() async throws {
    var settings = ManagerSettings(), shared = FenceRegistry()
    settings.storesStateWithFixes = true
    try shared.add(fence("home", FenceTerms(dwell: .seconds(60), responsiveness: .seconds(5))))
    let store = MemoryStore(), source = ScriptedSource()
    let manager = LocationManager(
      source: source, clock: clock.managerClock, settings: settings, store: store)
    try await manager.fences.apply(.share(shared))
    for second in 1...20 {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(4, at: Double(second)))
    }
    var record = try await store.load(.this)
    while record.fenceRecords.isEmpty, record.snapshot?.waitingFences == nil {
      await clock.advance(by: .seconds(1))
      await manager.waitUntilProcessed()
      record = try await store.load(.this)
    }
    #expect(record.fenceRecords.isEmpty)
    shared.update(fence("home", north: 9000))
    record.sharedFences = shared
    var next = Engine()
    let left = Restoration(
      fences: record.fenceSnapshot(FenceSettings()), since: record.fixesSinceSnapshot,
      lastFix: record.lastFix?.fix)
    let kinds = next.handle(.restore(left), at: t(100)).compactMap { effect in
      if case .fence(.event(let event)) = effect { event.kind } else { nil as FenceEvent.Kind? }
    }
    #expect(kinds == [.dwell])
    withExtendedLifetime(manager) {}
  }

  @Test func consecutiveEditsOfOtherProcessesAreOneCommit() async throws {
    let store = MemoryStore()
    for number in 0..<100 { await store.edit(.set(fence("\(number)"))) }
    await store.edit(.removed("7"))
    await store.edit(.removed("8"))
    let last = await store.edit(.set(fence("7")))
    let manager = makeManager(ScriptedSource(), store)
    #expect(await manager.fences.count == 99)
    #expect(try await store.load(.this).edits.isEmpty)
    let commits = await store.commits.filter { !$0.fences.isEmpty }
    #expect(commits.map(\.fences.set.count) == [100, 0, 1])
    #expect(commits.map(\.lastAppliedEdit) == [last - 3, last - 1, last])
  }

  // MARK: Trips

  static let walkTerms = TrackTerms(activity: .walk, trip: "way")

  /// A walk with a rest and a turn.
  private static func walk(_ second: Int) -> Fix {
    let t = Double(second), north = t < 80 ? t * 1.4 : t < 110 ? 112 : 112 - (t - 110) * 1.2
    return fix(4, at: t, north: north)
  }

  func walk(
    _ source: ScriptedSource, _ seconds: ClosedRange<Int>, age: SourceSignal.AgeRule = .sinceArrival
  ) async {
    for second in seconds {
      await clock.advance(by: .seconds(1))
      await source.emit(Self.walk(second), age: age)
    }
  }

  func uninterruptedWalk() async -> TrackTotals {
    let source = ScriptedSource(), manager = makeManager(source, MemoryStore())
    let tracker = manager.tracker(Self.walkTerms, startsAtOnce: true)
    await walk(source, 1...200)
    return await tracker.stop().totals
  }

  @Test(arguments: [1, 2, 3, 5, 20, 47, 80, 100, 111, 150, 199]) func killedTripContinuesWithTheSameTotals(
    step: Int
  )
    async throws
  {
    let expected = await ResumeTests().uninterruptedWalk()

    let store = MemoryStore(), source = ScriptedSource()
    let manager = makeManager(source, store)
    let tracker = manager.tracker(Self.walkTerms, startsAtOnce: true)
    await walk(source, 1...step)
    let left = await store.copy()
    let next = ScriptedSource(), other = makeManager(next, left)
    let again = other.tracker(Self.walkTerms, startsAtOnce: true)
    await walk(next, (step + 1)...200)
    let found = await again.stop().totals
    #expect(found == expected && found.distance > 150)
    again.end()
    await other.waitUntilProcessed()
    let trip = try #require(await left.trips().first)
    #expect(trip.ended != nil && trip.totals == expected && trip.began == utc(1))
    #expect(await other.trips.isEmpty)
    withExtendedLifetime((manager, tracker)) {}
  }

  @Test func releasedTripCanBeResumed() async throws {
    let store = MemoryStore(), source = ScriptedSource(), manager = makeManager(source, store)
    do {
      let tracker = manager.tracker(Self.walkTerms, startsAtOnce: true)
      await walk(source, 1...60)
      _ = await tracker.totals
    }
    await manager.waitUntilProcessed()
    #expect(await manager.trips.map(\.id) == ["way"])
    let again = manager.tracker(Self.walkTerms, startsAtOnce: true)
    // A trip has one tracker at a time: a second tracker counts separately.
    let other = manager.tracker(Self.walkTerms, startsAtOnce: true)
    await walk(source, 61...140)
    let totals = await again.stop().totals
    let apart = await other.stop().totals
    #expect(totals.segments == 2 && totals.distance > apart.distance)
    again.end()
    await manager.waitUntilProcessed()
    #expect(await manager.trips.isEmpty)
    let trips = await store.trips()
    #expect(trips.count == 1 && trips[0].ended != nil && trips[0].ended == trips[0].settledTo)
  }

  // MARK: Fixes

  @Test func everyFixIsStoredWithItsUse() async throws {
    let store = MemoryStore(), source = ScriptedSource(), manager = makeManager(source, store)
    await drive(source, 1...10)
    await source.emit(fix(4, at: 8.5))
    await source.emit(fix(4, at: 11, north: 90_000))
    #expect(await store.fixes().map(\.use) == Array(repeating: .used, count: 10) + [.late, .implausible])
    #expect(await store.commits.allSatisfy { $0.durability == .process && $0.snapshot == nil })
    withExtendedLifetime(manager) {}
  }

  @Test(arguments: [true, false]) func firstFixAfterRestartMayBeAnOutlier(hasFences: Bool) async throws {
    let store = MemoryStore(), source = ScriptedSource(), manager = makeManager(source, store)
    await drive(source, 1...10)
    if hasFences { try await manager.fences.add(fence("home")) }
    let left = await store.copy(), next = ScriptedSource(), other = makeManager(next, left)
    await next.emit(fix(4, at: 11, north: 90_000))
    await next.emit(fix(4, at: 12, north: -180))
    #expect(await left.fixes().suffix(2).map(\.use) == [.implausible, .used])
    withExtendedLifetime((manager, other)) {}
  }

  @Test func restoredLastFixHasItsTrueAge() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    var manager: LocationManager? = makeManager(source, store)
    await drive(source, 1...3)
    manager = nil
    await clock.advance(by: .seconds(600))
    let other = makeManager(ScriptedSource(), store)
    let last = try #require(await other.lastFix)
    #expect(last.age == .seconds(600) && last.fix == fix(4, at: 3, north: -270))
    // The old fix does not answer a request for the current place.
    #expect(await other.request(.room, timeout: .zero).outcome.answer == nil)
    #expect(manager == nil)
  }

  // MARK: Problems

  @Test func failedCommitIsReportedAndRetried() async throws {
    let store = MemoryStore(), source = ScriptedSource(), manager = makeManager(source, store)
    try await manager.fences.add(fence("home"))
    var updates = manager.fences.updates().makeAsyncIterator()
    var health = manager.storeHealth.makeAsyncIterator()
    #expect(await health.next() == .working)
    await drive(source, 1...15)
    await store.fail(.full)
    await drive(source, 16...16)
    guard case .storeFailed(let problem)? = await updates.next() else { throw Unexpected() }
    #expect(problem.code == .full)
    #expect(await health.next() == .failing(problem))
    await drive(source, 17...30)
    guard case .record(let first)? = await updates.next(), case .event(let event) = first.record else {
      throw Unexpected()
    }
    #expect(event.kind == .enter)
    await #expect(throws: FenceError.storeFailed(problem)) {
      try await manager.fences.add(fence("far", north: 9000))
    }
    // A full disk is not written at each fix.
    #expect((await store.failed[.commit] ?? 0) < 8)
    await store.recover()
    await drive(source, 31...60)
    #expect(await updates.next() == .storeRecovered)
    #expect(await health.next() == .working)
    guard case .record(let last)? = await updates.next(), case .event(let exit) = last.record else {
      throw Unexpected()
    }
    #expect(exit.kind == .exit)
    let record = try await store.load(.this)
    #expect(record.fenceRecords.map(\.record) == [.event(event), .event(exit)])
    #expect(record.fences.map(\.fence.id) == ["home", "far"])
    #expect(await store.fixes().count == 60)
  }

  @Test func heldBackEventsAreReportedOnlyAfterTheCommit() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    let manager = LocationManager(
      source: source, clock: clock.managerClock, settings: ManagerSettings(unsavedEvents: .heldBack),
      store: store)
    try await manager.fences.add(fence("home"))
    var updates = manager.fences.updates().makeAsyncIterator()
    await drive(source, 1...15)
    await store.fail(.full)
    await drive(source, 16...30)
    guard case .storeFailed? = await updates.next() else { throw Unexpected() }
    await store.recover()
    // The clock triggers the retry, without any input.
    await clock.advance(by: .seconds(30))
    await manager.waitUntilProcessed()
    #expect(await updates.next() == .storeRecovered)
    guard case .record(let first)? = await updates.next(), case .event(let event) = first.record else {
      throw Unexpected()
    }
    #expect(event.kind == .enter)
    #expect(try await store.load(.this).lastEventNumber == 1)
  }

  @Test func unreadableStoreIsNotWritten() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    await store.fail(.corrupt, of: [.load])
    let manager = makeManager(source, store)
    var health = manager.storeHealth.makeAsyncIterator()
    try await manager.fences.add(fence("home"))
    var last = await health.next()
    if last == .working { last = await health.next() }
    guard case .unusable(let problem)? = last else { throw Unexpected() }
    #expect(problem.code == .corrupt)
    await drive(source, 1...60)
    #expect(await store.commits.isEmpty)
    var events = manager.fences.updates().compactMap(\.event).makeAsyncIterator()
    #expect(await events.next()?.kind == .enter)
  }

  private struct Unexpected: Error {}
}
