import Testing
import Whereabouts
import WhereaboutsTesting

/// Ends of trips, and restarts of trackers.
@Suite struct TripEndTests {
  private let clock = StepClock()
  private let source = ScriptedSource()

  /// Emits fixes northward at 3 m/s.
  private func walk(_ seconds: ClosedRange<Int>) async {
    for second in seconds {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(4, at: Double(second), north: Double(second) * 3))
    }
  }

  @Test func endingASecondTrackerRetainsTheFirstTrackersTrip() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock, store: MemoryStore())
    let terms = TrackTerms(activity: .walk, trip: "walk")
    let first = manager.tracker(terms, startsAtOnce: true),
      second = manager.tracker(terms, startsAtOnce: true)
    await walk(0...60)
    second.end()
    await walk(61...120)
    #expect(await first.state.phase == .counting)
    #expect(await manager.trips.map(\.id) == ["walk"])
    #expect(abs(await first.stop().totals.distance - 360) < 15)
    first.end()
    #expect(await manager.trips.isEmpty)
  }

  @Test func endingATrackerRetainsALaterTrackerOfTheSameTrip() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let terms = TrackTerms(activity: .walk, trip: "walk")
    let first = manager.tracker(terms, startsAtOnce: true)
    await walk(0...30)
    first.end()
    let second = manager.tracker(terms, startsAtOnce: true)
    await walk(31...60)
    first.end()
    #expect(await second.state.phase == .counting)
    #expect(await manager.trips.map(\.id) == ["walk"])
  }

  @Test func endingATrackerAgainRetainsALaterTripOfTheName() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let terms = TrackTerms(activity: .walk, trip: "walk")
    let first = manager.tracker(terms, startsAtOnce: true)
    await walk(0...30)
    first.end()
    do {
      let second = manager.tracker(terms, startsAtOnce: true)
      await walk(31...60)
      #expect(await second.state.phase == .counting)
    }
    // Released without an end: another tracker may resume the trip.
    await manager.waitUntilProcessed()
    first.end()
    #expect(await manager.trips.map(\.id) == ["walk"])
  }

  /// As of an app that calls each of its trips "walk".
  @Test func nameOfAnEndedTripIsRefusedWithAStore() async throws {
    let store = MemoryStore(), terms = TrackTerms(activity: .walk, trip: "walk")
    let manager = LocationManager(source: source, clock: clock.managerClock, store: store)
    let first = manager.tracker(terms, startsAtOnce: true)
    await walk(0...60)
    first.end()
    await manager.waitUntilProcessed()
    let ended = await store.trips()
    #expect(ended.count == 1 && ended.allSatisfy { $0.ended != nil && $0.totals.distance > 150 })
    let refusal = TrackError(cause: .tripEnded("walk"))
    #expect(refusal.description == "trip walk has ended. Choose another name for a new trip")
    let second = manager.tracker(terms)
    await #expect(throws: refusal) { try await second.start() }
    await walk(61...120)
    #expect(await second.stop().phase == .stopped)
    second.end()
    #expect(await manager.save() == .working)
    #expect(await manager.trips.isEmpty)
    #expect(await store.trips() == ended)
    let left = await store.copy(), next = ScriptedSource()
    let other = LocationManager(source: next, clock: clock.managerClock, store: left)
    let third = other.tracker(terms, startsAtOnce: true)
    var events: [Tracker.Event] = []
    for await event in third.events { events.append(event) }
    #expect(events == [.phase(.stopped, because: .tripEnded("walk"))])
    #expect(await next.demands.allSatisfy { $0 == .off })
    let renamed = other.tracker(TrackTerms(activity: .walk, trip: "walk 2"), startsAtOnce: true)
    #expect(await renamed.state.phase == .counting)
    #expect(await other.save() == .working)
    #expect(await left.trips().filter { $0.id == "walk" } == ended)
  }

  @Test func endingATrackerAfterTheSourceEndsTheTrip() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let tracker = manager.tracker(TrackTerms(trip: "walk"), startsAtOnce: true)
    await walk(0...30)
    source.end()
    for await _ in tracker.updates {}
    #expect(await manager.trips.map(\.id) == ["walk"])
    tracker.end()
    #expect(await manager.trips.isEmpty)
  }

  @Test(arguments: [TrackTerms.Method.estimated(OdometerSettings()), .candidates(CandidateSettings())])
  func burstOfEarlierFixesIsNotCountedAfterAReset(method: TrackTerms.Method) async throws {
    let tracker = LocationManager(source: source, clock: clock.managerClock)
      .tracker(TrackTerms(activity: .walk, method: method))
    try await tracker.start()
    await walk(0...100)
    await tracker.reset()
    for second in 30...59 { await source.emit(fix(4, at: Double(second), north: Double(second) * 3)) }
    #expect(await tracker.stop().totals.distance == 0)
  }

  @Test func receiverTimeSetBackIsCountedAfterTwoSeconds() async throws {
    let tracker = LocationManager(source: source, clock: clock.managerClock).tracker(.walk)
    try await tracker.start()
    await walk(100...200)
    await tracker.reset()
    await walk(0...60)
    let distance = await tracker.stop().totals.distance
    #expect(distance > 150 && distance <= 190)
  }
}
