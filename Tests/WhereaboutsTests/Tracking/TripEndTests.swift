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
