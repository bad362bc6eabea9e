import Testing
import Whereabouts
import WhereaboutsTesting

/// Several trackers of one trip.
@Suite struct SharedTripTests {
  private let clock = StepClock()
  private let source = ScriptedSource()
  private static let terms = TrackTerms(activity: .car, trip: "drive")

  private func makeManager(_ store: MemoryStore? = nil) -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock, store: store)
  }

  /// Emits fixes northward at 10 m/s.
  private func drive(_ seconds: ClosedRange<Int>, of source: ScriptedSource? = nil) async {
    for second in seconds {
      await clock.advance(by: .seconds(1))
      await (source ?? self.source).emit(fix(4, at: Double(second), north: Double(second) * 10))
    }
  }

  /// The right side of an assignment is evaluated while the old tracker lives.
  @Test func replacedTrackersTripIsStoredWhole() async throws {
    let store = MemoryStore(), manager = makeManager(store)
    var tracker = manager.tracker(Self.terms, startsAtOnce: true)
    await drive(0...100)
    tracker = manager.tracker(Self.terms, startsAtOnce: true)
    #expect(abs(await tracker.totals.distance - 1000) < 20)
    await drive(101...200)
    let stopped = await tracker.stop()
    #expect(abs(stopped.totals.distance - 1990) < 30 && stopped.totals.segments == 2)
    tracker.end()
    #expect(await manager.save() == .working)
    #expect(await manager.trips.isEmpty)
    let stored = try #require(await store.trips().first)
    #expect(stored.ended != nil && stored.totals == stopped.totals)
    #expect(await store.trips().count == 1)
  }

  @Test(arguments: [100, 101, 102, 140, 200]) func tripIsStoredWholeIfKilledAfterTheReplacement(
    last: Int
  ) async throws {
    let store = MemoryStore(), manager = makeManager(store)
    var tracker = manager.tracker(Self.terms, startsAtOnce: true)
    await drive(0...100)
    tracker = manager.tracker(Self.terms, startsAtOnce: true)
    await manager.waitUntilProcessed()
    if last > 100 { await drive(101...last) }
    let left = await store.copy(), next = ScriptedSource()
    let other = LocationManager(source: next, clock: clock.managerClock, store: left)
    let again = other.tracker(Self.terms, startsAtOnce: true)
    await drive((last + 1)...300, of: next)
    #expect(abs(await again.stop().totals.distance - 2990) < 40)
    again.end()
    await other.waitUntilProcessed()
    let stored = await left.trips()
    #expect(stored.count == 1 && stored.allSatisfy { $0.ended != nil && $0.totals.distance > 2950 })
    withExtendedLifetime((manager, tracker)) {}
  }

  @Test func secondTrackerReceivesTheTripOfAReleasedOne() async throws {
    let manager = makeManager()
    var first: Tracker? = manager.tracker(Self.terms, startsAtOnce: true)
    await drive(0...100)
    let second = manager.tracker(Self.terms, startsAtOnce: true)
    await drive(101...200)
    #expect(abs(await second.state.liveDistance - 990) < 30, "it counts on its own")
    #expect(await manager.trips.count == 1)
    let counted = try #require(await first?.state.liveDistance)
    first = nil
    await manager.waitUntilProcessed()
    #expect(abs(await second.state.liveDistance - counted) < 5)
    for await update in second.updates {
      #expect(abs(update.liveDistance - counted) < 5, "the change is reported")
      break
    }
    await drive(201...300)
    #expect(abs(await second.stop().totals.distance - 2990) < 40)
    second.end()
    #expect(await manager.trips.isEmpty)
  }

  /// As of a view's initial value that is made anew and dropped.
  @Test func droppedTrackerTakesNoTrip() async throws {
    let manager = makeManager()
    let tracker = manager.tracker(Self.terms, startsAtOnce: true)
    await drive(0...100)
    do {
      let dropped = manager.tracker(Self.terms)
      #expect(await dropped.state.phase == .prepared)
    }
    await manager.waitUntilProcessed()
    await drive(101...200)
    let stopped = await tracker.stop()
    #expect(abs(stopped.totals.distance - 2000) < 30 && stopped.totals.segments == 1)
  }

  /// The stopped tracker is still held, as by a loop over its updates.
  @Test func startTakesTheTripOfAStoppedTracker() async throws {
    let store = MemoryStore(), manager = makeManager(store)
    let first = manager.tracker(Self.terms, startsAtOnce: true)
    await drive(0...100)
    await first.stop()
    let second = manager.tracker(Self.terms)
    #expect(await second.totals == TrackTotals())
    try await second.start()
    #expect(abs(await second.totals.distance - 1000) < 20)
    await drive(101...200)
    first.end()
    #expect(await second.state.phase == .counting)
    #expect(abs(await second.stop().totals.distance - 1990) < 30)
    second.end()
    #expect(await manager.save() == .working)
    let stored = await store.trips()
    #expect(stored.count == 1 && stored.allSatisfy { $0.ended != nil && $0.totals.distance > 1950 })
  }

  @Test func endOfTheTripEndsWaitingTrackers() async throws {
    let manager = makeManager()
    let first = manager.tracker(Self.terms, startsAtOnce: true)
    let second = manager.tracker(Self.terms, startsAtOnce: true)
    await drive(0...100)
    first.end()
    #expect(await manager.trips.isEmpty)
    await #expect(throws: TrackError(cause: .tripEnded("drive"))) { try await second.start() }
    #expect(abs(await second.state.totals.distance - 1000) < 20)
    var last: Tracker.Event?
    for await event in second.events { last = event }
    #expect(last == .phase(.stopped, because: .tripEnded("drive")))
    #expect(await source.demands.last == .off)
    // Without a store, a later trip has the name. The ended trackers have no part in it.
    let third = manager.tracker(Self.terms, startsAtOnce: true)
    await drive(101...200)
    second.end()
    first.end()
    #expect(await third.state.phase == .counting)
    #expect(await manager.trips.map(\.id) == ["drive"])
  }

  @Test func tripCanBeResumedAfterTheSourceEndedForAllItsTrackers() async throws {
    let manager = makeManager()
    let first = manager.tracker(Self.terms, startsAtOnce: true)
    let second = manager.tracker(Self.terms, startsAtOnce: true)
    await drive(0...100)
    source.end()
    for await _ in first.updates {}
    for await _ in second.updates {}
    let trips = await manager.trips
    #expect(trips.count == 1 && trips.allSatisfy { abs($0.totals.distance - 1000) < 20 })
    first.end()
    #expect(await manager.trips.isEmpty)
  }
}
