import Testing
import Whereabouts
import WhereaboutsTesting

/// Managers with a store, as "Geofences" and the README's "Durability" document them.
@Suite struct DocumentedStoreTests {
  private let clock = StepClock(wall: startOfTest)

  private func makeManager(
    _ source: ScriptedSource, _ store: MemoryStore, device: DeviceID = .this
  ) -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock, store: store, device: device)
  }

  /// Drives northward at 10 m/s. A circle of 100 m is entered at 20 s and left at 40 s.
  private func drive(_ source: ScriptedSource, _ seconds: ClosedRange<Int>) async {
    await source.travel(seconds, clock: clock) { -300 + $0 * 10 }
  }

  /// Returns the updates of a stream so far, and ends it.
  private func updates(_ stream: EventStream<FenceUpdate>, of manager: LocationManager) async
    -> [FenceUpdate]
  {
    await manager.waitUntilProcessed()
    stream.end()
    return await allElements(of: stream)
  }

  // MARK: Fences

  @Test func changesOfFencesOutliveTheProcess() async throws {
    let store = MemoryStore(), manager = makeManager(ScriptedSource(), store)
    let fences = [try circle("a"), try circle("b"), try circle("")]
    try await manager.fences.add(contentsOf: fences)
    try await manager.fences.remove("a")
    let larger = try circle("b", radius: 300, FenceTerms(notify: [.exit], once: true))
    try await manager.fences.update(larger)
    let next = makeManager(ScriptedSource(), await store.copy())
    #expect(await next.fences.all == [fences[2], larger])
    try await next.fences.removeAll()
    await #expect(throws: Never.self) { try await next.fences.add(try circle("a")) }
    withExtendedLifetime(manager) {}
  }

  @Test func killBetweenTwoEventsRepeatsAndLosesNone() async throws {
    let store = MemoryStore(), first = ScriptedSource(), manager = makeManager(first, store)
    try await manager.fences.add(try circle("home"))
    await drive(first, 1...30)
    let before = await updates(manager.fences.updates(), of: manager)
    try #require(before.compactMap(\.event).map(\.kind) == [.enter])
    let second = ScriptedSource(), next = makeManager(second, await store.copy())
    #expect(await next.fences.state(of: "home")?.side == .inside)
    await drive(second, 31...60)
    let later = await updates(next.fences.updates(after: before[0].event?.id), of: next)
    #expect(later.compactMap(\.event).map(\.kind) == [.exit])
    #expect(later.compactMap(\.event?.id.number) == [2] && later.compactMap(\.number) == [2])
    let all = await updates(next.fences.updates(), of: next)
    #expect(all == before + later)
    withExtendedLifetime(manager) {}
  }

  @Test func parkingFenceReportsItsExitAfterAKill() async throws {
    let store = MemoryStore(), first = ScriptedSource(), manager = makeManager(first, store)
    await first.travel(1...3, accuracy: 8, clock: clock) { _ in 0 }
    try await manager.fences.addHere("parking", terms: FenceTerms(notify: [.exit], once: true))
    // Killed before any other fix.
    let left = await store.copy()
    await clock.advance(by: .seconds(600))
    let second = ScriptedSource(), next = makeManager(second, left)
    #expect(await next.fences.state(of: "parking")?.side == .inside)
    await second.travel(604...610, clock: clock) { 1000 + $0 }
    let found = await updates(next.fences.updates(for: "page"), of: next)
    let event = try #require(found.first?.event)
    #expect(event.kind == .exit && event.fence == "parking" && event.manner == .unseen)
    #expect(found.count == 2, "the exit, and the removal of the fence")
    #expect(await next.fences.count == 0)
    // Another process delivers both again, since nobody acknowledged.
    let third = makeManager(ScriptedSource(), await left.copy())
    #expect(await updates(third.fences.updates(for: "page"), of: third) == found)
    withExtendedLifetime((manager, next)) {}
  }

  // MARK: Consumers

  @Test func consumersAcknowledgeIndependently() async throws {
    let store = MemoryStore(), source = ScriptedSource(), manager = makeManager(source, store)
    try await manager.fences.add(try circle("home"))
    await drive(source, 1...60)
    try await manager.fences.acknowledge(through: 1, by: "")
    try await manager.fences.acknowledge(through: .max, by: "all")
    try await manager.fences.acknowledge(through: 0, by: "none")
    let next = makeManager(ScriptedSource(), await store.copy())
    #expect(await updates(next.fences.updates(for: ""), of: next).compactMap(\.number) == [2])
    #expect(await updates(next.fences.updates(for: "all"), of: next) == [])
    #expect(await updates(next.fences.updates(for: "none"), of: next).compactMap(\.number) == [1, 2])
    #expect(await updates(next.fences.updates(for: "new"), of: next).compactMap(\.number) == [1, 2])
    withExtendedLifetime(manager) {}
  }

  @Test func updatesAfterAnUnknownEventAreNone() async throws {
    let source = ScriptedSource(), manager = makeManager(source, MemoryStore())
    try await manager.fences.add(try circle("home"))
    await drive(source, 1...60)
    #expect(await updates(manager.fences.updates(after: FenceEvent.ID(.max)), of: manager) == [])
    #expect(await updates(manager.fences.updates(after: FenceEvent.ID(0)), of: manager).count == 2)
  }

  @Test func devicesOfOneStoreAreSeparate() async throws {
    let store = MemoryStore()
    let one = ScriptedSource(), other = ScriptedSource()
    let first = makeManager(one, store, device: "one"), second = makeManager(other, store, device: "other")
    try await first.fences.add(try circle("home"))
    await drive(one, 1...60)
    #expect(await second.fences.all == [])
    #expect(await updates(second.fences.updates(for: "page"), of: second) == [])
    #expect(await updates(first.fences.updates(for: "page"), of: first).count == 2)
    #expect(await store.fixes(of: "one").count == 60)
    #expect(await store.fixes(of: "other") == [])
  }

  // MARK: Health and trips

  @Test func managerWithoutAStoreSaysSo() async {
    let manager = LocationManager(source: ScriptedSource(), clock: clock.managerClock)
    #expect(await manager.save() == StoreHealth.none)
    var health = manager.storeHealth.makeAsyncIterator()
    #expect(await health.next() == StoreHealth.none)
  }

  @Test func twoTripsOfAKilledProcessAreResumedByName() async throws {
    let store = MemoryStore(), first = ScriptedSource(), manager = makeManager(first, store)
    let one = manager.tracker(TrackTerms(activity: .car, trip: "one"), startsAtOnce: true)
    let other = manager.tracker(TrackTerms(activity: .car, trip: "other"))
    await drive(first, 1...30)
    try await other.start()
    await drive(first, 31...60)
    let left = await store.copy()
    let second = ScriptedSource(), next = makeManager(second, left)
    #expect(Set(await next.trips.map(\.id)) == ["one", "other"])
    let resumed = next.tracker(TrackTerms(activity: .car, trip: "other"), startsAtOnce: true)
    await drive(second, 61...90)
    #expect(abs(await resumed.stop().totals.distance - 590) < 20)
    next.endTrip("one")
    resumed.end()
    await next.waitUntilProcessed()
    #expect(await next.trips.isEmpty)
    let trips = await left.trips()
    #expect(Set(trips.map(\.id)) == ["one", "other"] && trips.allSatisfy { $0.ended != nil })
    withExtendedLifetime((manager, one, other)) {}
  }
}
