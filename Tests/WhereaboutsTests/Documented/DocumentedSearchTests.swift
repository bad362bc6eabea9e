import Testing
import Whereabouts
import WhereaboutsTesting

/// A button that searches for the place, as "Location requests" documents its parts: a level of 10 m and 5 s, a timeout
/// of 30 s, and an end where fixes stop improving.
@Suite(.timeLimit(.minutes(10))) struct DocumentedSearchTests {
  private let clock = StepClock(wall: startOfTest)
  private let source = ScriptedSource()
  private let problem = SourceProblem(.noPosition, message: "see the sky")

  private func makeManager() -> LocationManager { LocationManager(source: source, clock: clock.managerClock) }

  private func search(_ manager: LocationManager) throws -> LocationRequest {
    let level = try #require(AccuracyLevel.custom(worstAccuracy: 10, maxAge: .seconds(5)))
    return manager.request(level, timeout: .seconds(30), settlingAfter: .seconds(1))
  }

  // MARK: Start and stop

  @Test func buttonStartsAndStopsTheSource() async throws {
    let manager = makeManager()
    let first = try search(manager)
    await manager.waitUntilProcessed()
    first.cancel()
    #expect(await first.outcome == .cancelled)
    let second = try search(manager)
    await manager.waitUntilProcessed()
    let wanted = Demand.continuous(Demand.Continuous(accuracy: 10))
    #expect(await source.demands == [wanted, .off, wanted])
    withExtendedLifetime(second) {}
  }

  @Test func searchWithoutAFixEndsAfterThirtySeconds() async throws {
    let manager = makeManager()
    let request = try search(manager)
    await manager.waitUntilProcessed()
    await clock.advance(by: .milliseconds(29_999))
    #expect(await source.emit(.unavailable(problem)).demand != .off, "the search ended early")
    await clock.advance(by: .milliseconds(1))
    #expect(await request.outcome == .timedOut(best: nil))
    #expect(await source.demands.last == .off)
    await clock.waitUntilNoSleepers()
  }

  // MARK: Fixes that do not count

  @Test func fixOfMoreThanFiveSecondsAgoDoesNotEndTheSearch() async throws {
    let manager = makeManager()
    await clock.advance(by: .seconds(100))
    let request = try search(manager)
    let older = await source.emit(fix(2, at: 94.999), age: .sinceFixTime)
    #expect(older.demand != .off, "a cached fix ended the search")
    await source.emit(fix(8, at: 95), age: .sinceFixTime)
    let found = Answer(fix: fix(8, at: 95), age: .seconds(5), level: .house)
    #expect(await request.outcome == .reached(found))
  }

  @Test func fixWithANegativeAccuracyIsNoLocation() async throws {
    let manager = makeManager()
    let request = try search(manager)
    let stream = manager.fixes(.room)
    for second in 1...5 {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(-1, at: Double(second)))
    }
    await clock.advance(by: .seconds(25))
    #expect(await request.outcome == .timedOut(best: nil))
    stream.end()
    #expect(await allElements(of: stream) == [])
    #expect(await manager.lastFix == nil)
  }

  // MARK: The best so far

  @Test func betterFixBecomesTheLocationAndClearsTheProblem() async throws {
    let manager = makeManager()
    let request = try search(manager)
    var states = request.progress.makeAsyncIterator()
    #expect(await states.next() == .searching)
    await source.emit(.unavailable(problem))
    #expect(await manager.status.source == .unavailable(problem))
    await source.emit(fix(200, at: 1))
    let first = Answer(fix: fix(200, at: 1), age: .zero, level: .neighborhood)
    #expect(await states.next() == .found(first))
    #expect(await manager.status.source == .working)
    await source.emit(fix(400, at: 2))
    let progress = request.progress
    await manager.waitUntilProcessed()
    var later = progress.makeAsyncIterator()
    #expect(await later.next() == .found(first), "a poorer fix replaced the location")
    await source.emit(fix(60, at: 3))
    let better = Answer(fix: fix(60, at: 3), age: .zero, level: .block)
    #expect(await states.next() == .found(better))
    request.cancel()
    #expect(await states.next() == .ended(.cancelled))
  }

  // MARK: Good enough

  @Test func fixOfTenMetresEndsTheSearchAndStopsTheSource() async throws {
    let manager = makeManager()
    let request = try search(manager)
    #expect(await source.emit(fix(10.001, at: 1)).demand != .off)
    #expect(await source.emit(fix(10, at: 2)).demand == .off)
    #expect(await request.outcome == .reached(Answer(fix: fix(10, at: 2), age: .zero, level: .house)))
  }

  @Test func samePlaceWithoutABetterAccuracyEndsTheSearch() async throws {
    let manager = makeManager()
    let request = try search(manager)
    await source.travel(1...1, accuracy: 40, clock: clock) { _ in 0 }
    #expect(await source.demands.last != .off)
    await source.travel(2...2, accuracy: 40, clock: clock) { _ in 0 }
    #expect(await request.outcome == .settled(Answer(fix: fix(40, at: 2), age: .zero, level: .block)))
    #expect(await source.demands.last == .off)
  }

  @Test func searchContinuesWhileFixesImprove() async throws {
    let manager = makeManager()
    let request = try search(manager)
    for (index, accuracy) in [100.0, 80, 60, 45, 30, 20, 15].enumerated() {
      await clock.advance(by: .seconds(1))
      let status = await source.emit(fix(accuracy, at: Double(index + 1)))
      #expect(status.demand != .off, "the search ended although \(accuracy) m was better")
    }
    await source.emit(fix(10, at: 8))
    #expect(await request.answer?.fix == fix(10, at: 8))
  }

  /// 100 m a second is farther than both accuracies.
  @Test func searchContinuesWhileTheDeviceMoves() async throws {
    let manager = makeManager()
    let request = try search(manager)
    for second in 1...9 {
      await clock.advance(by: .seconds(1))
      let status = await source.emit(fix(40, at: Double(second), north: Double(second) * 100))
      #expect(status.demand != .off, "the search ended at \(second) s")
    }
    #expect(await manager.fixCounts().accepted == 9)
    request.cancel()
    #expect(await request.outcome == .cancelled)
  }
}
