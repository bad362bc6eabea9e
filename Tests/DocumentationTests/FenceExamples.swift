import Testing
import Whereabouts
import WhereaboutsTesting

/// The code of "Watch places".
@Suite struct FenceExamples {
  private let clock = StepClock(wall: .noon)
  private let source = ScriptedSource()
  private let screen = Screen()

  private func makeManager() -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock)
  }

  func watch(
    _ place: Coordinate, _ manager: LocationManager, after lastSeen: FenceEvent.ID?, on screen: Screen
  ) async throws {
    let office = try Area.Circle(center: place, radius: 120)
    try await manager.fences.add(Fence(id: "office", area: .circle(office)))
    for await event in manager.fences.updates(after: lastSeen).compactMap(\.event) {
      await screen.say("\(event.kind) \(event.fence) at \(event.time)")
    }
  }

  @Test func enterAndExit() async throws {
    let manager = makeManager()
    let place = try #require(Coordinate(latitude: 48.0045, longitude: 11))
    async let watching: Void = watch(place, manager, after: nil, on: screen)
    _ = await source.demand { $0 != .off }
    await source.drive(0...100)
    source.end()
    try await watching
    #expect(await screen.messages.map { $0.prefix(5) } == ["enter", "exit "])
  }

  @Test func parkingFence() async {
    let manager = makeManager()
    await source.emit(Authorization(.denied))

    do {
      try await manager.fences.addHere(
        "parking", terms: FenceTerms(notify: [.exit], once: true), timeout: .seconds(10))
    } catch {
      await screen.say("no fence here: \(error)")
    }

    #expect(await screen.messages == ["no fence here: location is not allowed: denied"])
  }

  @Test func deliveriesAfterRestart() async throws {
    let store = MemoryStore()
    let manager = LocationManager(source: source, clock: clock.managerClock, store: store)
    let place = try #require(Coordinate(latitude: 48.0045, longitude: 11))
    try await manager.fences.add(
      Fence(id: "office", area: .circle(try Area.Circle(center: place, radius: 120))))
    await source.drive(0...100)
    try await manager.fences.acknowledge(through: 1, by: "screen")
    try await resume(store)
    #expect(await screen.messages == ["2: exit office"])
    withExtendedLifetime(manager) {}
  }

  func resume(_ store: some LocationStore) async throws {
    let source = ScriptedSource()
    source.end()

    let next = LocationManager(source: source, clock: clock.managerClock, store: store)
    for await update in next.fences.updates(for: "screen") {
      if let event = update.event {
        await screen.say("\(event.id.number): \(event.kind) \(event.fence)")
      }
      if let number = update.number {
        try await next.fences.acknowledge(through: number, by: "screen")
      }
    }
  }

  @Test func failingStore() async throws {
    let store = MemoryStore()
    let manager = LocationManager(source: source, clock: clock.managerClock, store: store)
    await store.fail(.full)
    // The manager still reports everything, and that nothing is stored, until the store works again.
    await store.recover()
    #expect(await manager.save() == .working)
  }
}
