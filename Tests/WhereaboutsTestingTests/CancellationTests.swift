import Testing
import Whereabouts
import WhereaboutsTesting

/// Waits of the kit end with the task that waits.
@Suite struct CancellationTests {
  private let source = ScriptedSource()
  private let clock = StepClock()

  /// Cancels a wait while it waits and, in a second run, before it does.
  @discardableResult
  private func resultsWhenCancelled<Value: Sendable>(_ wait: @escaping @Sendable () async -> Value) async
    -> [Value]
  {
    let begun = Task { await wait() }
    for _ in 1...100 { await Task.yield() }
    begun.cancel()
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await wait()
    }
    return [await begun.value, await late.value]
  }

  @Test func demandWaitEndsOnCancellation() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let before: [Demand] = await resultsWhenCancelled { [source] in await source.demand { _ in false } }
    #expect(before == [.off, .off])
    let request = manager.request(.block, timeout: nil)
    let demand = await source.demand { $0 != .off }
    let after: [Demand] = await resultsWhenCancelled { [source] in await source.demand { _ in false } }
    #expect(after == [demand, demand])
    request.cancel()
  }

  @Test func questionWaitEndsOnCancellation() async {
    let questions: [Authorization.Level?] = await resultsWhenCancelled { [source] in
      await source.authorizationRequest()
    }
    #expect(questions == [nil, nil])
  }

  @Test func sendWaitEndsOnCancellationAndTheSignalIsProcessed() async {
    let place = Fix.test(latitude: 1, longitude: 2, accuracy: 3, time: nil)
    let answers: [SourceLink.Status] = await resultsWhenCancelled { [source] in await source.emit(place) }
    #expect(answers == [.ended, .ended])
    let manager = LocationManager(source: source, clock: clock.managerClock)
    await source.emit(.segmentBegan)
    #expect(await manager.lastFix?.fix.coordinate == place.coordinate)
  }

  @Test func sleeperWaitEndsOnCancellation() async {
    await clock.advance(by: .seconds(3))
    let deadlines: [Duration] = await resultsWhenCancelled { [clock] in await clock.nextDeadline().offset }
    #expect(deadlines == [.seconds(3), .seconds(3)])
    await resultsWhenCancelled { [clock] in await clock.expireStoreTimeouts() }
    let sleeper = Task { [clock] in try await clock.sleep(until: .init(.seconds(9))) }
    _ = await clock.nextDeadline()
    await resultsWhenCancelled { [clock] in await clock.waitUntilNoSleepers() }
    sleeper.cancel()
    await clock.waitUntilNoSleepers()
  }

  @Test func commitWaitEndsOnCancellation() async {
    let store = MemoryStore()
    let commits = await resultsWhenCancelled { await store.commitAttempt { _ in false } }
    #expect(commits.count == 2 && commits.allSatisfy { $0.fixes.isEmpty })
  }
}

/// One long step of the clock.
@Suite struct LongStepTests {
  @Test func longStepMeetsEachDeadlineAtItsInstant() async throws {
    let clock = StepClock(), source = ScriptedSource()
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let decisions = manager.decisions()
    let requests = [10, 20, 70].map { manager.request(.block, timeout: .seconds($0)) }
    await manager.waitUntilProcessed()
    await clock.advance(by: .seconds(100))
    for request in requests { #expect(await request.outcome == .timedOut(best: nil)) }
    var ends: [Instant] = []
    for await entry in decisions {
      guard case .requestEnded = entry.decision else { continue }
      ends.append(entry.moment.instant)
      if ends.count == 3 { break }
    }
    #expect(ends == [10, 20, 70].map { Instant(.seconds($0)) })
  }
}
