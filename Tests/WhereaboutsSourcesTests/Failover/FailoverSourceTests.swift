import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsSources
import WhereaboutsTesting

/// A manager over two scripted sources, on a clock that stands still until it is stepped.
private struct FailoverFixture {
  let clock = StepClock()
  let first = ScriptedSource()
  let second = ScriptedSource()
  let manager: LocationManager

  init(_ settings: FailoverSettings = FailoverSettings()) {
    let source = FailoverSource(
      [
        FailoverSource.Member(Failover.Member(name: "first"), first),
        FailoverSource.Member(Failover.Member(name: "second"), second),
      ], settings: settings, clock: clock)
    manager = LocationManager(source: source, clock: clock.managerClock)
  }

  /// Returns a failover source over a source and another one without needs.
  static func several(with source: ScriptedSource) -> FailoverSource {
    FailoverSource([
      FailoverSource.Member(Failover.Member(name: "first"), source),
      FailoverSource.Member(Failover.Member(name: "second"), ScriptedSource()),
    ])
  }

  func fix(_ latitude: Double, accuracy: Double = 5) throws -> Fix {
    var fix = Fix(
      coordinate: try #require(Coordinate(latitude: latitude, longitude: 2)), time: nil, source: .scripted)
    fix.horizontalAccuracy = accuracy
    return fix
  }
}

@Suite struct FailoverSourceTests {
  @Test func firstSourceAnswers() async throws {
    let rig = FailoverFixture()
    let request = rig.manager.request(.house, timeout: nil)
    _ = await rig.first.demand { $0 != .off }
    await rig.first.emit(try rig.fix(1))
    #expect(await request.outcome.answer?.fix.coordinate.latitude == 1)
    _ = await rig.first.demand { $0 == .off }
    #expect(await rig.second.demands.isEmpty, "the second was never asked")
  }

  @Test func secondSourceReplacesAnUnreachableFirst() async throws {
    let rig = FailoverFixture()
    let request = rig.manager.request(.house, timeout: nil)
    _ = await rig.first.demand { $0 != .off }
    await rig.first.emit(.unavailable(SourceProblem(.unreachable, message: "reach it")))
    _ = await rig.second.demand { $0 != .off }
    await rig.second.emit(try rig.fix(2))
    #expect(await request.outcome.answer?.fix.coordinate.latitude == 2)
    _ = await rig.second.demand { $0 == .off }
    _ = await rig.first.demand { $0 == .off }
  }

  @Test func secondSourceStartsAfterThePatienceTime() async throws {
    let rig = FailoverFixture()
    let request = rig.manager.request(.house, timeout: nil)
    _ = await rig.first.demand { $0 != .off }
    _ = await rig.clock.nextDeadline()
    await rig.clock.advance(by: .seconds(5))
    _ = await rig.second.demand { $0 != .off }
    await rig.second.emit(try rig.fix(2))
    #expect(await request.outcome.answer?.fix.coordinate.latitude == 2)
  }

  // A failure would wait forever.
  @Test(.timeLimit(.minutes(10))) func sourcesReadWaitingDataAfterAStopOfTheProcess() async throws {
    let clock = StepClock(), first = ScriptedSource(), fix = try untimedFix()
    let running = await deliveringFailover(of: first, fix, clock)
    // The fix is old after three seconds; the timer fires after twelve.
    while await clock.nextDeadline() != StepClock.Instant(.seconds(3)) { await Task.yield() }
    await clock.advance(by: .seconds(12))
    while await clock.nextDeadline() == StepClock.Instant(.seconds(15)) { await Task.yield() }
    await first.emit(fix)
    #expect(await first.demands.count == 1, "a restart would drop the waiting data")
    // Nothing arrives after the next stop.
    await clock.advance(by: .seconds(100))
    while await first.demands.count < 2 {
      // The clock stands still while the source works: a late timer is a stop, too.
      let wait = await clock.nextDeadline().offset - clock.now.offset
      await clock.advance(by: max(.zero, wait))
    }
    await running.cancel()
  }

  private func untimedFix() throws -> Fix {
    Fix(coordinate: try #require(Coordinate(latitude: 1, longitude: 2)), time: nil, source: .scripted)
  }

  /// Returns a running failover of one source that has delivered a fix.
  private func deliveringFailover(
    of source: ScriptedSource, _ fix: Fix, _ clock: StepClock
  ) async -> RunningSource {
    let running = RunningSource(
      FailoverSource([FailoverSource.Member(Failover.Member(name: "first"), source)], clock: clock))
    running.setDemand(.some)
    _ = await source.demand { $0 != .off }
    await source.emit(fix)
    return running
  }

  /// Returns a failover that always compares two sources.
  private func comparing(_ first: ScriptedSource, _ second: ScriptedSource, _ clock: StepClock)
    -> FailoverSource
  {
    FailoverSource(
      [
        FailoverSource.Member(Failover.Member(name: "first"), first),
        FailoverSource.Member(Failover.Member(name: "second"), second),
      ], settings: FailoverSettings(comparesAlways: true), clock: clock)
  }

  @Test func signalAfterAStopDoesNotRestartAnotherSource() async throws {
    let clock = StepClock(), first = ScriptedSource(), second = ScriptedSource(), fix = try untimedFix()
    let running = RunningSource(comparing(first, second, clock))
    running.setDemand(.some)
    _ = await second.demand { $0 != .off }
    await first.emit(fix)
    await second.emit(fix)
    await clock.advance(by: .seconds(12))
    // Whether the timer or the signal comes first.
    await first.emit(fix)
    #expect(await second.demands.count == 1, "a restart would drop the waiting data")
    await second.emit(fix)
    #expect(await first.demands.count == 1)
    await running.cancel()
  }

  // A failure would wait forever.
  @Test(.timeLimit(.minutes(10))) func silentSourceIsRestartedBesideASlowConsumer() async throws {
    let clock = StepClock(), first = ScriptedSource(), second = ScriptedSource(), fix = try untimedFix()
    let running = RunningSource(comparing(first, second, clock)) { signal in
      if case .fix = signal { await clock.advance(by: .seconds(5)) }
    }
    running.setDemand(.some)
    _ = await second.demand { $0 != .off }
    await second.emit(fix)
    while await second.demands.count < 2 { await first.emit(fix) }
    #expect(await first.demands.count == 1, "a source that waits for the consumer is not silent")
    await running.cancel()
  }

  @Test func demandAfterAStopDoesNotRestartTheSource() async throws {
    let clock = StepClock(), first = ScriptedSource(), fix = try untimedFix()
    let running = await deliveringFailover(of: first, fix, clock)
    await clock.advance(by: .seconds(12))
    let other = Demand.continuous(Demand.Continuous(accuracy: 100))
    running.setDemand(other)
    _ = await first.demand { $0 == other }
    #expect(await first.demands == [.some, other], "a restart would drop the waiting data")
    await running.cancel()
  }

  @Test func statusIncludesTheHealthOfEachSource() async throws {
    let rig = FailoverFixture()
    let fixes = rig.manager.fixes(.house)
    _ = await rig.first.demand { $0 != .off }
    await rig.first.emit(.unavailable(SourceProblem(.unreachable, message: "reach it")))
    _ = await rig.second.demand { $0 != .off }
    await rig.second.emit(try rig.fix(2))
    let sources = await rig.manager.status.sources
    try #require(sources.map(\.name) == ["first", "second"])
    #expect(sources.map(\.state) == [.failed, .ok])
    #expect(sources.map(\.isUsed) == [false, true])
    #expect(sources[0].problem?.message == "reach it")
    withExtendedLifetime(fixes) {}
  }

  @Test func singleSourceHasAPersonAsked() async throws {
    let source = ScriptedSource(authorizationNeeds: .userConsent(requestable: [.whenInUse]))
    let clock = StepClock()
    let manager = LocationManager(
      source: FailoverSource([FailoverSource.Member(Failover.Member(name: "only"), source)], clock: clock),
      clock: clock.managerClock)
    let request = manager.request(.house, timeout: .zero, timeoutStarts: .whenAuthorized)
    #expect(await source.authorizationRequest() == .whenInUse)
    #expect(await manager.status.authorization.status == .notDetermined)
    await source.emit(Authorization(.whenInUse))
    #expect(await manager.status.authorization == Authorization(.whenInUse))
    #expect(await request.outcome == .timedOut(best: nil))
    let other = manager.request(.house, timeout: nil)
    await source.emit(Authorization(.denied))
    #expect(await other.outcome == .unauthorized(Authorization(.denied)))
    #expect(FailoverFixture.several(with: source).authorizationNeeds == .none)
  }

  @Test func sendingASignalReturnsTheDemand() async throws {
    let rig = FailoverFixture()
    let fixes = rig.manager.fixes(.block)
    let demand = await rig.first.demand { $0 != .off }
    let status = await rig.first.emit(try rig.fix(1))
    #expect(status.demand == demand)
    withExtendedLifetime(fixes) {}
  }

  // A failure would wait forever.
  @Test(.timeLimit(.minutes(10))) func noTimerRunsWithoutDemand() async throws {
    let rig = FailoverFixture()
    for turn in 1...3 {
      // The earlier fix is too old to be an answer.
      await rig.clock.advance(by: .seconds(600))
      let request = rig.manager.request(.house, timeout: nil)
      _ = await rig.first.demand { $0 != .off }
      await rig.first.emit(try rig.fix(1 + Double(turn) * 1e-4))
      _ = await request.outcome
      _ = await rig.first.demand { $0 == .off }
      await rig.clock.waitUntilNoSleepers()
    }
  }

  @Test func failoverEndsWhenAllSourcesEnd() async throws {
    let rig = FailoverFixture()
    let request = rig.manager.request(.house, timeout: nil)
    _ = await rig.first.demand { $0 != .off }
    rig.first.end()
    _ = await rig.second.demand { $0 != .off }
    rig.second.end()
    guard case .sourceEnded = await request.outcome else {
      Issue.record("it did not end with its sources")
      return
    }
  }

  // A failure would wait forever.
  @Test(.timeLimit(.minutes(10))) func releasedManagerReleasesTheSources() async throws {
    let first = ScriptedSource()
    do {
      let source = FailoverSource([FailoverSource.Member(Failover.Member(name: "first"), first)])
      let manager = LocationManager(source: source, clock: .system)
      let request = manager.request(.house, timeout: nil)
      _ = await first.demand { $0 != .off }
      request.cancel()
    }
    while await first.emit(.segmentBegan) != .ended, !Task.isCancelled { await Task.yield() }
  }
}
