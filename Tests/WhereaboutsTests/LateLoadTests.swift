import WhereaboutsEngine
import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsTesting

/// Managers whose store can't be loaded at first, as before the first unlock of a phone.
@Suite struct LateLoadTests {
  private let clock = StepClock(wall: utc(0))

  private func makeManager(_ source: ScriptedSource, _ store: MemoryStore) -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock, store: store)
  }

  /// Makes a store of a manager that rests far from a fence, with its regions.
  private func storeOfResting() async throws -> (store: MemoryStore, regions: [WakeRegion]) {
    let store = MemoryStore(), source = ScriptedSource()
    let manager = makeManager(source, store)
    await source.emit(.wakeCapacity(20))
    try await manager.fences.add(fence("far", north: 10_000))
    for second in 1...2 {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(4, at: Double(second)))
    }
    let regions = await source.demands.last?.wakeRegions ?? []
    #expect(!regions.isEmpty)
    return (await store.copy(), regions)
  }

  @Test func regionsStayUntilAWakeLoadsTheStore() async throws {
    let (store, regions) = try await storeOfResting()
    await store.fail(.notPermitted, next: 2, of: [.load])
    let source = ScriptedSource()
    let manager = makeManager(source, store)
    await source.emit(.wakeCapacity(20))
    await source.emit(.woke(.left))
    var demands = await source.demands
    let unloaded = try #require(demands.last)
    #expect(unloaded.keepsWakeRegions && unloaded.ofReceiver == .off)
    await source.emit(.woke(.left))
    demands = await source.demands
    let loaded = try #require(demands.last)
    #expect(!loaded.keepsWakeRegions && loaded.wakeRegions == regions)
    #expect(loaded.fixes != .off)
    #expect(await manager.fences.all.map(\.id) == ["far"])
    #expect(await manager.storeHealth.first(where: { _ in true }) == .working)
  }

  @Test func demandIsSentAgainIfNoRegionIsStored() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    await store.fail(.notPermitted, next: 1, of: [.load])
    let manager = makeManager(source, store)
    await source.emit(.wakeCapacity(20))
    let request = manager.request(.house, timeout: nil)
    await manager.waitUntilProcessed()
    #expect(await source.demands.last?.keepsWakeRegions == true)
    await source.emit(.woke(.visit))
    let demands = await source.demands
    let loaded = try #require(demands.last)
    #expect(!loaded.keepsWakeRegions && loaded.fixes != .off)
    withExtendedLifetime(request) {}
  }

  /// A source compares the whole demand with ``Demand/off``.
  @Test func receiverWithoutRegionsIsSwitchedOff() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    await store.fail(.notPermitted, of: [.load])
    let manager = makeManager(source, store)
    let request = manager.request(.house, timeout: nil)
    await manager.waitUntilProcessed()
    await source.emit(fix(4, at: 1))
    _ = await request.outcome
    let demands = await source.demands
    #expect(demands.count > 1 && demands.last == .off)
    withExtendedLifetime(manager) {}
  }

  @Test func changesBeforeTheLoadAreStored() async throws {
    let (store, _) = try await storeOfResting()
    await store.fail(.notPermitted, next: 1, of: [.load])
    let source = ScriptedSource()
    let manager = makeManager(source, store)
    try await manager.fences.add(fence("new", north: 5000))
    try await manager.fences.remove("far")
    #expect(await store.failed[.load] == 1)
    await clock.advance(by: .seconds(1))
    await source.emit(.wakeCapacity(20))
    #expect(await manager.fences.all.map(\.id) == ["new"])
    #expect(try await store.load(.this).fences.map(\.fence.id) == ["new"])
  }

  /// An app adds its fences at each launch, and a person has moved one since.
  @Test func addedFenceReplacesNoStoredOne() async throws {
    let (store, _) = try await storeOfResting()
    await store.fail(.notPermitted, next: 1, of: [.load])
    let source = ScriptedSource()
    let manager = makeManager(source, store)
    try await manager.fences.add(fence("far", north: 5000))
    await clock.advance(by: .seconds(1))
    await source.emit(.wakeCapacity(20))
    let stored = fence("far", north: 10_000)
    #expect(await manager.fences.all.map(\.area) == [stored.area])
    #expect(try await store.load(.this).fences.map(\.fence.area) == [stored.area])
  }

  /// A store whose devices share fences.
  private struct SharedStore: LocationStore {
    let base: MemoryStore
    let shared: FenceRegistry

    func load(_ device: DeviceID) async throws(StoreError) -> DeviceRecord {
      var record = try await base.load(device)
      record.sharedFences = shared
      return record
    }

    func commit(_ commit: StoreCommit) async throws(StoreError) { try await base.commit(commit) }

    func fenceRecords(
      of device: DeviceID, after number: UInt64, limit: Int
    ) async throws(StoreError) -> [NumberedFenceRecord] {
      try await base.fenceRecords(of: device, after: number, limit: limit)
    }

    func cursor(of consumer: String, device: DeviceID) async throws(StoreError) -> UInt64 {
      try await base.cursor(of: consumer, device: device)
    }

    func acknowledge(
      through number: UInt64, by consumer: String, device: DeviceID
    ) async throws(StoreError) {
      try await base.acknowledge(through: number, by: consumer, device: device)
    }
  }

  /// The shared fences may change between the last change that the manager receives and its late load.
  @Test(arguments: [["new"], []] as [[FenceID]])
  func loadedSharedFencesAreTheNewest(ids: [FenceID]) async throws {
    func registry(_ ids: [FenceID]) -> FenceRegistry {
      FenceRegistry(ids.map { fence($0.name, north: 5000) }, serials: ids.map { _ in 1 }, lastSerial: 1)
    }
    let base = MemoryStore(), store = SharedStore(base: base, shared: registry(ids))
    await base.fail(.notPermitted, next: 1, of: [.load])
    let source = ScriptedSource()
    let manager = LocationManager(source: source, clock: clock.managerClock, store: store)
    try await manager.fences.apply(.share(registry(["old"])))
    #expect(await base.failed[.load] == 1)
    #expect(await manager.fences.all.map(\.id) == ["old"])
    await clock.advance(by: .seconds(1))
    await source.emit(.wakeCapacity(20))
    #expect(await manager.fences.all.map(\.id) == ids)
  }

  @Test func otherInputsWaitBeforeTheNextLoad() async throws {
    let (store, _) = try await storeOfResting()
    await store.fail(.notPermitted, of: [.load])
    let source = ScriptedSource()
    let manager = makeManager(source, store)
    for second in 3...62 {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(4, at: Double(second)))
    }
    // At once, and after pauses of 1, 2, 4, 8 and 16 s.
    #expect(await store.failed[.load] == 6)
    withExtendedLifetime(manager) {}
  }

  /// Otherwise attempts that take longer than the pause follow each other, and hold up every fix.
  @Test func pauseBeginsAtTheEndOfALoad() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    await store.hold([.load])
    await store.fail(.notPermitted, of: [.load])
    let manager = makeManager(source, store)
    await clock.advance(by: .seconds(20))
    await store.release()
    await source.emit(fix(4, at: 20))
    #expect(await store.failed[.load] == 1)
    await clock.advance(by: .seconds(1))
    await source.emit(fix(4, at: 21))
    #expect(await store.failed[.load] == 2)
    withExtendedLifetime(manager) {}
  }

  /// A claim waits for seconds.
  @Test func storeOfAnotherManagerIsLoadedWithAWakeOnly() async throws {
    let (store, _) = try await storeOfResting()
    await store.fail(.locked, next: 1, of: [.load])
    let source = ScriptedSource()
    let manager = makeManager(source, store)
    for second in 3...62 {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(4, at: Double(second)))
    }
    #expect(await manager.fences.all.isEmpty)
    await source.emit(.woke(.left))
    #expect(await manager.fences.all.map(\.id) == ["far"])
  }

  /// Lets the device go north at 3 m/s.
  private func walk(_ source: ScriptedSource, _ seconds: ClosedRange<Int>) async {
    for second in seconds {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(4, at: Double(second), north: Double(second) * 3))
    }
  }

  private static let walkTerms = TrackTerms(activity: .walk, trip: "walk")

  /// Returns what a process left that measured a trip for a minute and was killed; its first load fails.
  private func storeOfAnOpenTrip() async -> MemoryStore {
    let store = MemoryStore(), source = ScriptedSource()
    let manager = makeManager(source, store)
    let tracker = manager.tracker(Self.walkTerms, startsAtOnce: true)
    await walk(source, 1...60)
    #expect(await manager.save() == .working)
    let left = await store.copy()
    await left.fail(.notPermitted, next: 1, of: [.load])
    withExtendedLifetime((manager, tracker)) {}
    return left
  }

  @Test func trackerResumesTheStoredTripOfItsName() async throws {
    let left = await storeOfAnOpenTrip()
    let next = ScriptedSource()
    let other = makeManager(next, left)
    let again = other.tracker(Self.walkTerms, startsAtOnce: true)
    // The tracker exists before the load.
    await other.waitUntilProcessed()
    await walk(next, 61...120)
    #expect(abs(await again.stop().totals.distance - 357) < 15)
    #expect(await other.save() == .working)
    let stored = try #require(await left.trips().first)
    #expect(stored.id == "walk" && stored.totals.distance > 300)
  }

  @Test func tripEndedBeforeTheLoadIsEndedInTheStore() async throws {
    let left = await storeOfAnOpenTrip()
    let next = ScriptedSource()
    let other = makeManager(next, left)
    other.endTrip("walk")
    await other.waitUntilProcessed()
    await walk(next, 61...62)
    #expect(await other.trips.isEmpty)
    let stored = try #require(await left.trips().first)
    #expect(stored.id == "walk" && stored.ended != nil && stored.totals.distance > 100)
  }

  @Test func tripThatBeganAndEndedBeforeTheLoadIsStored() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    await store.fail(.notPermitted, of: [.load])
    let manager = makeManager(source, store)
    let tracker = manager.tracker(Self.walkTerms, startsAtOnce: true)
    await manager.waitUntilProcessed()
    await walk(source, 1...30)
    await clock.advance(by: .seconds(60))
    await walk(source, 91...210)
    tracker.end()
    await manager.waitUntilProcessed()
    // The name of an ended trip is not used again.
    let again = manager.tracker(Self.walkTerms, startsAtOnce: true)
    await #expect(throws: TrackError(cause: .tripEnded("walk"))) { try await again.start() }
    #expect(await store.trips().isEmpty)
    await store.recover()
    await source.emit(.woke(.left))
    let stored = try #require(await store.trips().first)
    #expect(stored.id == "walk" && stored.ended != nil && stored.totals.distance > 100)
    #expect(await store.gaps(of: "walk").count == stored.totals.gaps)
    #expect(await manager.trips.isEmpty)
  }

  @Test func tripEndedBeforeTheLoadReplacesNoOpenTrip() async throws {
    let left = await storeOfAnOpenTrip()
    let next = ScriptedSource()
    let other = makeManager(next, left)
    let again = other.tracker(Self.walkTerms, startsAtOnce: true)
    again.end()
    await other.waitUntilProcessed()
    await walk(next, 61...62)
    #expect(await other.trips.isEmpty)
    let stored = try #require(await left.trips().first)
    #expect(stored.id == "walk" && stored.ended != nil && stored.totals.distance > 100)
  }

  @Test func trackerFromBeforeTheLoadReplacesNoEndedTrip() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    let manager = makeManager(source, store)
    let terms = TrackTerms(activity: .walk, trip: "walk")
    let tracker = manager.tracker(terms, startsAtOnce: true)
    await walk(source, 1...60)
    tracker.end()
    await manager.waitUntilProcessed()
    let ended = await store.trips()
    #expect(ended.count == 1 && ended.allSatisfy { $0.ended != nil })
    let left = await store.copy()
    await left.fail(.notPermitted, next: 1, of: [.load])
    let next = ScriptedSource()
    let other = makeManager(next, left)
    let again = other.tracker(terms, startsAtOnce: true)
    await other.waitUntilProcessed()
    await walk(next, 61...120)
    await #expect(throws: TrackError(cause: .tripEnded("walk"))) { try await again.start() }
    #expect(await again.state.phase == .stopped)
    var events: [Tracker.Event] = []
    for await event in again.events { events.append(event) }
    #expect(events.contains(.phase(.stopped, because: .tripEnded("walk"))))
    #expect(await other.save() == .working)
    #expect(await other.trips.isEmpty)
    #expect(await left.trips() == ended)
    #expect(try await left.load(.this).snapshot?.trips.isEmpty != false)
  }

  @Test func usagesOfAnEarlierProcessStay() async throws {
    let (store, _) = try await storeOfResting()
    let before = await store.receiverUsages()
    #expect(!before.isEmpty)
    await store.fail(.notPermitted, next: 1, of: [.load])
    let source = ScriptedSource()
    let manager = makeManager(source, store)
    let request = manager.request(.house, timeout: nil)
    await manager.waitUntilProcessed()
    await clock.advance(by: .seconds(1))
    await source.emit(fix(4, at: 3))
    _ = await request.outcome
    #expect(await manager.save() == .working)
    let usages = await store.receiverUsages()
    #expect(usages.count > before.count && Array(usages.prefix(before.count)) == before)
  }

  @Test func listenersReceiveTheStoredEvents() async throws {
    let store = MemoryStore(), first = ScriptedSource()
    let manager = makeManager(first, store)
    try await manager.fences.add(fence("home"))
    for second in 1...40 {
      await clock.advance(by: .seconds(1))
      await first.emit(fix(4, at: Double(second), north: -300 + Double(second) * 10))
    }
    let left = await store.copy()
    await left.fail(.notPermitted, next: 1, of: [.load])
    let source = ScriptedSource()
    let other = makeManager(source, left)
    let named = other.fences.updates(for: "screen"), all = other.fences.updates()
    await other.waitUntilProcessed()
    await source.emit(.woke(.entered))
    source.end()
    var kinds: [[FenceEvent.Kind]] = []
    for updates in [named, all] {
      var found: [FenceEvent.Kind] = []
      for await update in updates {
        if let event = update.event { found.append(event.kind) }
      }
      kinds.append(found)
    }
    #expect(kinds[0].first == .enter && kinds[1] == kinds[0])
    withExtendedLifetime(manager) {}
  }

  /// A number could be that of a stored record, which an acknowledgement would skip.
  @Test func recordBeforeTheLoadHasNoNumber() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    await store.fail(.locked, next: 1, of: [.load])
    let manager = makeManager(source, store)
    try await manager.fences.add(fence("home"))
    let all = manager.fences.updates()
    for second in 1...60 {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(4, at: Double(second), north: -300 + Double(second) * 10))
      // The second half follows the load.
      if second == 30 { await source.emit(.woke(.left)) }
    }
    source.end()
    var isNumbered: [FenceEvent.Kind: Bool] = [:]
    for await update in all {
      if let event = update.event { isNumbered[event.kind] = update.number != nil }
    }
    #expect(isNumbered == [.enter: false, .exit: true])
    withExtendedLifetime(manager) {}
  }

  @Test func consumerReceivesRecordsFromBeforeTheLoad() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    await store.fail(.locked, next: 1, of: [.load])
    let manager = makeManager(source, store)
    try await manager.fences.add(fence("home"))
    for second in 1...30 {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(4, at: Double(second), north: -300 + Double(second) * 10))
    }
    let updates = manager.fences.updates(for: "screen")
    source.end()
    var kinds: [FenceEvent.Kind] = []
    for await event in updates.compactMap(\.event) { kinds.append(event.kind) }
    #expect(kinds == [.enter])
    withExtendedLifetime(manager) {}
  }

  /// A consumer recognises an event that it has processed by its id.
  @Test func eventBeforeTheLoadHasNoIDOfAnotherEvent() async throws {
    func cross(_ source: ScriptedSource, from start: Int) async {
      for second in start...(start + 29) {
        await clock.advance(by: .seconds(1))
        await source.emit(fix(4, at: Double(second), north: -300 + Double(second - start) * 10))
      }
    }
    func ids(_ updates: EventStream<FenceUpdate>, upTo count: Int = .max) async -> [FenceEvent.ID] {
      var found: [FenceEvent.ID] = []
      for await event in updates.compactMap(\.event) {
        found.append(event.id)
        if found.count == count { break }
      }
      return found
    }
    let store = MemoryStore(), first = ScriptedSource()
    let manager = makeManager(first, store)
    try await manager.fences.add(fence("home"))
    await cross(first, from: 1)
    first.end()
    let stored = await ids(manager.fences.updates())
    #expect(stored == [FenceEvent.ID(1)])
    var all = stored
    for start in [31, 61] {
      let left = await store.copy()
      await left.fail(.locked, next: 1, of: [.load])
      let source = ScriptedSource()
      let other = makeManager(source, left)
      try await other.fences.add(fence("other"))
      let updates = other.fences.updates(after: stored.last)
      await cross(source, from: start)
      let early = await ids(updates, upTo: 1)
      all += early
      await source.emit(.woke(.left))
      // The id says nothing of the stored events.
      let again = other.fences.updates(after: early.last)
      let remembered = other.fences.updates(), later = other.fences.updates(after: stored.last)
      let named = other.fences.updates(for: "screen")
      source.end()
      #expect(await ids(again) == stored)
      // A listener from after the load receives the event, too.
      #expect(await ids(remembered) == stored + early)
      #expect(await ids(later) == early)
      #expect(await ids(named) == stored + early)
    }
    #expect(Set(all).count == 3)
    withExtendedLifetime(manager) {}
  }
}
