import Testing
import Whereabouts
import WhereaboutsTesting

/// Trackers of a manager.
@Suite struct ManagerTrackerTests {
  let clock = StepClock()
  let source = ScriptedSource()

  private func makeManager() -> LocationManager { LocationManager(source: source, clock: clock.managerClock) }

  /// Emits fixes northward at 10 m/s.
  private func drive(_ seconds: ClosedRange<Int>) async {
    for second in seconds {
      await source.emit(fix(4, at: Double(second), north: Double(second) * 10))
    }
  }

  @Test func preparedTrackerUsesTheSourceAndStartedTrackerCounts() async throws {
    let tracker = makeManager().tracker(.car)
    #expect(await source.demand { $0 != .off } == .continuous(Demand.Continuous(accuracy: 5, activity: .car)))
    await drive(0...10)
    #expect(await tracker.state.signal == .strong)
    #expect(await tracker.totals == TrackTotals())
    try await tracker.start()
    await drive(11...71)
    let stopped = await tracker.stop()
    #expect(stopped.phase == .stopped && stopped.ahead == 0)
    #expect(abs(stopped.totals.distance - 600) < 15)
    #expect(await source.demands.last == .off)
    #expect(await tracker.state == stopped)
  }

  @Test func lastUpdateIsNeverDropped() async throws {
    let tracker = makeManager().tracker(TrackTerms(reportsPoints: true))
    try await tracker.start()
    await drive(0...60)
    source.end()
    var updates: [TrackUpdate] = []
    for await update in tracker.updates { updates.append(update) }
    let last = try #require(updates.last)
    #expect(last.phase == .stopped && last.ahead == 0 && abs(last.totals.distance - 600) < 15)
    var points: [TrackPoint] = []
    for await point in tracker.points { points.append(point) }
    #expect(points.last?.distance == last.totals.distance)
    #expect(points.count >= 50)
    #expect(await tracker.state == last)
  }

  @Test func trackerStartedAtOnceCountsFromTheFirstFix() async throws {
    let tracker = makeManager().tracker(TrackTerms(), startsAtOnce: true)
    await drive(0...60)
    let stopped = await tracker.stop()
    #expect(abs(stopped.totals.distance - 600) < 15)
    var phases: [TrackPhase] = []
    tracker.end()
    for await case .phase(let phase, _) in tracker.events { phases.append(phase) }
    #expect(phases == [.prepared, .counting, .stopped, .stopped])
  }

  @Test func endedTrackerReportsItsFinalState() async throws {
    let tracker = makeManager().tracker(.car)
    try await tracker.start()
    await drive(0...60)
    tracker.end()
    let state = await tracker.state
    #expect(state.phase == .stopped && abs(state.totals.distance - 600) < 15)
    #expect(await tracker.stop() == state)
    await #expect(throws: TrackError(cause: .released)) { try await tracker.start() }
  }

  @Test(arguments: [TrackTerms.Method.estimated(OdometerSettings()), .candidates(CandidateSettings())])
  func lateAndRepeatedFixesAreCounted(method: TrackTerms.Method) async throws {
    let tracker = makeManager().tracker(TrackTerms(method: method))
    try await tracker.start()
    await drive(0...60)
    await source.emit(fix(4, at: 60, north: 600))
    await source.emit(fix(4, at: 20, north: 200))
    let stopped = await tracker.stop()
    #expect(stopped.duplicates == 1 && stopped.lateFixes == 1)
    try await tracker.start()
    await tracker.reset()
    let new = await tracker.state
    #expect(new.duplicates == 0 && new.lateFixes == 0)
  }

  @Test func motionSettingsAreUsed() async {
    for (settings, expected) in [
      (ManagerSettings(), Motion.still),
      (ManagerSettings(motion: Motion.Settings(stopTime: .seconds(3600))), .unknown),
      (ManagerSettings(motion: nil), .unknown),
    ] {
      let source = ScriptedSource()
      let tracker = LocationManager(source: source, clock: clock.managerClock, settings: settings).tracker()
      _ = await source.demand { $0 != .off }
      for second in 0...40 { await source.emit(fix(4, at: Double(second), north: 0)) }
      #expect(await tracker.state.motion == expected)
    }
  }

  @Test func pointsAreNotEmittedUnlessRequested() async throws {
    let tracker = makeManager().tracker()
    try await tracker.start()
    await drive(0...60)
    source.end()
    for await _ in tracker.points { Issue.record("a point was delivered") }
  }

  @Test func trackerEventsAreReported() async throws {
    let tracker = makeManager().tracker()
    try await tracker.start()
    let problem = SourceProblem(.unreachable, message: "reach the receiver")
    await source.fail(problem)
    #expect(await tracker.state.phase == .stopped)
    await tracker.reset()
    source.end()
    var events: [Tracker.Event] = []
    for await event in tracker.events { events.append(event) }
    #expect(
      events == [
        .phase(.prepared, because: .asked(.prepare)), .phase(.counting, because: .asked(.start)),
        .problem(problem), .phase(.stopped, because: .sourceFailed(problem)),
        .phase(.stopped, because: .asked(.reset)),
      ])
  }

  @Test func denialIsReportedOnPrepareAndStart() async throws {
    let refused = Authorization(.denied, remedy: "Allow it.")
    let manager = makeManager()
    let tracker = manager.tracker()
    try await tracker.start()
    await source.emit(refused)
    #expect(await tracker.state.phase == .stopped)
    let failure = TrackError(cause: .unauthorized(refused))
    await #expect(throws: failure) { try await tracker.prepare() }
    await #expect(throws: failure) { try await tracker.start() }
    #expect(failure.description == "location is not allowed: denied. Allow it.")
    await source.emit(Authorization(.always))
    #expect(await tracker.state.phase == .stopped, "the tracker was not started")
    try await tracker.start()
    #expect(await tracker.state.phase == .counting)
  }

  @Test func trackerCannotStartAfterTheSourceEnded() async throws {
    let tracker = makeManager().tracker()
    source.end()
    for await _ in tracker.updates {}
    await #expect(throws: TrackError(cause: .sourceEnded(nil))) { try await tracker.start() }
    #expect(await tracker.stop().phase == .stopped)
  }

  @Test func releasedTrackerEndsTheDemand() async throws {
    let manager = makeManager()
    var tracker: Tracker? = manager.tracker()
    try await tracker?.start()
    let updates = try #require(tracker?.updates)
    tracker = nil
    await manager.waitUntilProcessed()
    #expect(await source.demands.last != .off, "a stream of the tracker is still held")
    var iterator: EventStream<TrackUpdate>.Iterator? = updates.makeAsyncIterator()
    #expect(await iterator?.next()?.phase == .counting)
    iterator = nil
    _ = consume updates
    #expect(await source.demand { $0 == .off } == .off)
  }

  @Test func endingATrackerReportsItsFinalState() async throws {
    let tracker = makeManager().tracker()
    try await tracker.start()
    await drive(0...60)
    tracker.end()
    var last: TrackUpdate?
    for await update in tracker.updates { last = update }
    #expect(last?.phase == .stopped)
    #expect(abs((last?.totals.distance ?? 0) - 600) < 15)
    #expect(await source.demands.last == .off)
  }

  @Test func endingAStreamDoesNotStopTheTracker() async throws {
    let tracker = makeManager().tracker()
    tracker.events.end()
    try await tracker.start()
    for await _ in tracker.events {}
    #expect(await tracker.state.phase == .counting)
  }

  @Test func leavingAStreamDoesNotStopTheTracker() async throws {
    let tracker = makeManager().tracker(TrackTerms(reportsPoints: true), waitingForPoints: 1)
    try await tracker.start()
    for await _ in tracker.updates { break }
    let reading = Task { for await _ in tracker.points { break } }
    await drive(0...400)
    await reading.value
    await drive(401...420)
    #expect(abs(await tracker.stop().totals.distance - 4200) < 15)
  }

  @Test func silentSourceIsRestarted() async throws {
    let manager = makeManager()
    let tracker = manager.tracker()
    try await tracker.start()
    await drive(0...1)
    let asked = Demand.continuous(Demand.Continuous(accuracy: 5))
    await clock.advance(by: .seconds(9))
    await manager.waitUntilProcessed()
    #expect(await source.demands == [asked])
    clock.setWall(UTCTime(nanosecondsSince1970: 4_000_000_000_000_000_000))
    _ = await clock.nextDeadline()
    await clock.advance(by: .seconds(1))
    #expect(await source.demand { $0 == .off } == .off)
    await manager.waitUntilProcessed()
    #expect(await source.demands == [asked, .off, asked])
    #expect(await tracker.state.phase == .counting)
  }
}
