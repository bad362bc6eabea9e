import Testing
import Whereabouts
import WhereaboutsTesting

/// Loops over the streams of a tracker, one after another.
@Suite struct TrackerStreamTests {
  private let clock = StepClock()
  private let source = ScriptedSource()

  private func makeManager() -> LocationManager { LocationManager(source: source, clock: clock.managerClock) }

  /// Emits fixes northward at 10 m/s.
  private func drive(_ seconds: ClosedRange<Int>) async {
    for second in seconds { await source.emit(fix(4, at: Double(second), north: Double(second) * 10)) }
  }

  @Test func loopContinuesAfterALoopThatWasLeft() async throws {
    let tracker = makeManager().tracker(.car)
    try await tracker.start()
    for await _ in tracker.updates { break }
    for await _ in tracker.events { break }
    await drive(0...60)
    let later = Task {
      var updates: [TrackUpdate] = []
      for await update in tracker.updates { updates.append(update) }
      return updates
    }
    await drive(61...120)
    tracker.end()
    let last = try #require(await later.value.last)
    #expect(last.phase == .stopped && abs(last.totals.distance - 1200) < 20)
    var phases: [TrackPhase] = []
    for await case .phase(let phase, _) in tracker.events { phases.append(phase) }
    #expect(phases == [.counting, .stopped], "the first loop has received the preparation")
  }

  /// As of a view that disappears and appears again.
  @Test func loopContinuesAfterACancelledLoop() async throws {
    let tracker = makeManager().tracker(.car)
    try await tracker.start()
    for _ in 1...3 {
      let (received, receivedContinuation) = AsyncStream.makeStream(of: Void.self)
      let loop = Task { for await _ in tracker.updates { receivedContinuation.yield() } }
      await tracker.reset()
      for await _ in received { break }
      loop.cancel()
      await loop.value
    }
    #expect(await tracker.state.phase == .counting)
    let later = Task { () -> Double in
      for await update in tracker.updates where update.liveDistance > 100 { return update.liveDistance }
      return 0
    }
    await drive(0...60)
    #expect(await later.value > 100)
  }

  @Test func pointsBetweenTwoLoopsAreKept() async throws {
    let manager = makeManager(), terms = TrackTerms(reportsPoints: true)
    let tracker = manager.tracker(terms), other = manager.tracker(terms)
    try await tracker.start()
    try await other.start()
    var found: [TrackPoint] = [], expected: [TrackPoint] = []
    for seconds in [0...200, 201...400, 401...600] {
      await drive(seconds)
      for await point in tracker.points {
        found.append(point)
        break
      }
    }
    source.end()
    for await point in tracker.points { found.append(point) }
    for await point in other.points { expected.append(point) }
    #expect(found == expected && found.count > 500)
  }

  @Test func laterLoopTakesTheStreamOver() async throws {
    let tracker = makeManager().tracker(.car)
    try await tracker.start()
    let (received, receivedContinuation) = AsyncStream.makeStream(of: Void.self)
    let earlier = Task { for await _ in tracker.updates { receivedContinuation.yield() } }
    for await _ in received { break }
    let later = Task {
      var last: TrackUpdate?
      for await update in tracker.updates { last = update }
      return last
    }
    await earlier.value
    await drive(0...60)
    tracker.end()
    #expect(await later.value?.phase == .stopped)
  }

  @Test func endedStreamStaysEnded() async throws {
    let tracker = makeManager().tracker(TrackTerms(reportsPoints: true))
    try await tracker.start()
    for await _ in tracker.updates { break }
    tracker.points.end()
    await drive(0...200)
    for await _ in tracker.points { Issue.record("a point was delivered") }
    for await _ in tracker.points { Issue.record("a point was delivered") }
    #expect(await tracker.state.phase == .counting)
  }

  /// The source waits for each loop over the points, and for none in between.
  @Test(arguments: [1, 2, 5]) func sourceDoesNotWaitBetweenTwoLoops(window: Int) async throws {
    let tracker = makeManager().tracker(TrackTerms(reportsPoints: true), waitingForPoints: window)
    try await tracker.start()
    let driving = Task { await drive(0...600) }
    var points: [TrackPoint] = []
    for _ in 1...50 {
      for await point in tracker.points {
        points.append(point)
        break
      }
    }
    await driving.value
    source.end()
    for await point in tracker.points { points.append(point) }
    #expect(points.count > 500)
    #expect(points.map(\.time) == points.map(\.time).sorted(), "an unordered or doubled point")
  }
}
