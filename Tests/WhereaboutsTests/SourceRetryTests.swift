import Testing
import Whereabouts
import WhereaboutsTesting

/// Automatic retries of a failed source.
@Suite struct SourceRetryTests {
  private let clock = StepClock()
  private let source = ScriptedSource()
  private let problem = SourceProblem(.unreachable, message: "reach the receiver")

  @Test func failedSourceIsRetriedForSubscriptions() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let updates = manager.updates(.block, keeping: .all(upTo: 10))
    await source.fail(problem)
    let demand = Demand.continuous(Demand.Continuous(accuracy: 100))
    #expect(await source.demands == [demand])
    await clock.advance(by: .seconds(10))
    await manager.waitUntilProcessed()
    #expect(await source.demands == [demand, demand])
    await source.emit(fix(5, at: 11))
    #expect(await manager.status.source == .working)
    source.end()
    var all: [LocationUpdate] = []
    for await update in updates { all.append(update) }
    #expect(all == [.problem(problem), .fix(fix(5, at: 11), droppedBefore: 0)])
  }

  @Test func pausesDoubleUpToTenMinutesAndAFixResetsThem() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let updates = manager.updates(.block)
    // The first demand is not a retry.
    _ = await source.demand { $0 != .off }
    func pauseAfterFailure() async -> Duration {
      let before = await source.demands.count
      await source.fail(problem)
      var waited = Duration.zero
      while await source.demands.count == before, waited < .seconds(3600) {
        await clock.advance(by: .seconds(5))
        await manager.waitUntilProcessed()
        waited += .seconds(5)
      }
      return waited
    }
    var pauses: [Duration] = []
    for _ in 1...8 { pauses.append(await pauseAfterFailure()) }
    #expect(pauses == [10, 20, 40, 80, 160, 320, 600, 600].map { .seconds($0) })
    await source.emit(fix(5, at: 11))
    #expect(await pauseAfterFailure() == .seconds(10))
    withExtendedLifetime(updates) {}
  }

  @Test func failedSourceIsNotRetriedWithoutDemand() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let updates = manager.updates(.block)
    await source.fail(problem)
    updates.end()
    await manager.waitUntilProcessed()
    let demands = await source.demands
    await clock.advance(by: .seconds(10_000))
    await manager.waitUntilProcessed()
    #expect(await source.demands == demands)
    #expect(await clock.sleepers == 0)
  }
}
