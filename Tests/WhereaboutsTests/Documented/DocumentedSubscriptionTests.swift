import Testing
import Whereabouts
import WhereaboutsTesting

/// Subscriptions to fixes, as "Subscriptions" documents them.
@Suite struct DocumentedSubscriptionTests {
  private let clock = StepClock()
  private let source = ScriptedSource()

  private func makeManager() -> LocationManager { LocationManager(source: source, clock: clock.managerClock) }

  // MARK: Terms

  @Test func newSubscriberReceivesAnEarlierFixOnlyOnRequest() async {
    let manager = makeManager()
    await source.emit(fix(5, at: 1))
    await clock.advance(by: .seconds(60))
    let plain = manager.fixes(.house)
    let asking = manager.fixes(FixTerms(level: .house, lastFixUpTo: .seconds(60)))
    let tooOld = manager.fixes(FixTerms(level: .house, lastFixUpTo: .seconds(59)))
    source.end()
    #expect(await allElements(of: plain) == [])
    #expect(await allElements(of: asking) == [fix(5, at: 1)])
    #expect(await allElements(of: tooOld) == [])
  }

  @Test func lastFixCountsTowardsTheMaximum() async {
    let manager = makeManager()
    await source.emit(fix(5, at: 1))
    let stream = manager.fixes(FixTerms(level: .house, maximumCount: 1, lastFixUpTo: .seconds(60)))
    #expect(await allElements(of: stream) == [fix(5, at: 1)])
    await manager.waitUntilProcessed()
    #expect(await source.demands == [], "the receiver was started for a known fix")
  }

  @Test(arguments: [Duration.zero, .seconds(-1)]) func durationThatIsNotPositiveEndsAtOnce(duration: Duration)
    async
  {
    let manager = makeManager()
    #expect(await allElements(of: manager.fixes(FixTerms(level: .house, duration: duration))) == [])
    await manager.waitUntilProcessed()
    #expect(await source.demands == [])
  }

  @Test func subscriptionEndsAfterItsDuration() async {
    let manager = makeManager()
    let stream = manager.fixes(
      FixTerms(level: .house, duration: .seconds(10)), keeping: .all(upTo: 10))
    await source.emit(fix(5, at: 1))
    await clock.advance(by: .milliseconds(9_999))
    await source.emit(fix(5, at: 2))
    await clock.advance(by: .milliseconds(1))
    await source.emit(fix(5, at: 3))
    #expect(await allElements(of: stream) == [fix(5, at: 1), fix(5, at: 2)])
    #expect(await source.demands.last == .off)
  }

  @Test func distanceFilterOfInfinityDeliversOneFixAndOfNaNDeliversAll() async {
    let manager = makeManager()
    let one = manager.fixes(.house, distanceFilter: .infinity, keeping: .all(upTo: 10))
    let all = manager.fixes(.house, distanceFilter: .nan, keeping: .all(upTo: 10))
    let fixes = (1...5).map { fix(5, at: Double($0 * 10), north: Double($0 * 100)) }
    for fix in fixes { await source.emit(fix) }
    one.end()
    all.end()
    #expect(await allElements(of: one) == [fixes[0]])
    #expect(await allElements(of: all) == fixes)
    await manager.waitUntilProcessed()
    #expect(await source.demands.last == .off, "a demand that is not a number was not withdrawn")
  }

  @Test func failedSourceEndsRequestsAndNoSubscription() async {
    let manager = makeManager()
    let problem = SourceProblem(.unreachable, message: "reach the receiver")
    let stream = manager.updates(.house, keeping: .all(upTo: 10))
    let request = manager.request(.room, timeout: nil)
    await source.fail(problem)
    #expect(await request.outcome == .sourceFailed(problem, best: nil))
    #expect(await manager.status.source == .failed(problem))
    await source.emit(fix(5, at: 1))
    stream.end()
    #expect(await allElements(of: stream) == [.problem(problem), .fix(fix(5, at: 1), droppedBefore: 0)])
  }

  // MARK: Demand

  @Test func subscriptionWithoutALevelDemandsTheFinest() async {
    let manager = makeManager()
    let room = Demand.continuous(Demand.Continuous(accuracy: AccuracyLevel.room.worstAccuracy))
    let fixes = manager.fixes()
    await manager.waitUntilProcessed()
    fixes.end()
    await manager.waitUntilProcessed()
    let updates = manager.updates(keeping: .all(upTo: 10))
    await source.emit(fix(900, at: 1))
    updates.end()
    #expect(await allElements(of: updates) == [.fix(fix(900, at: 1), droppedBefore: 0)])
    await manager.waitUntilProcessed()
    #expect(await source.demands == [room, .off, room, .off])
  }

  @Test func demandIsTheFinestOfAllNeeds() async {
    let manager = makeManager()
    let coarse = manager.fixes(.block, distanceFilter: 30, activity: .walk)
    let fine = manager.fixes(.house, distanceFilter: 100, activity: .walk)
    let request = manager.request(.city, timeout: nil, activity: .car)
    request.cancel()
    #expect(await request.outcome == .cancelled)
    fine.end()
    await manager.waitUntilProcessed()
    let walk = Demand.Continuous(accuracy: 100, distanceFilter: 30, activity: .walk)
    let finer = Demand.Continuous(accuracy: 15, distanceFilter: 30, activity: .walk)
    let every = Demand.Continuous(accuracy: 15, distanceFilter: 0, activity: .other)
    let expected = [walk, finer, every, finer, walk].map { Demand.continuous($0) }
    #expect(await source.demands == expected)
    withExtendedLifetime(coarse) {}
  }

  @Test func significantChangesAloneNeverStartThePreciseService() async {
    let manager = makeManager()
    let changes = manager.significantChanges(), headings = manager.headings(filter: 5)
    let request = manager.request(.house, timeout: nil)
    request.cancel()
    _ = await request.outcome
    headings.end()
    changes.end()
    await manager.waitUntilProcessed()
    let turns = Demand.Headings(filter: 5)
    var both = Demand(fixes: .continuous(Demand.Continuous(accuracy: 15)), headings: turns)
    both.watchesSignificantChanges = true
    #expect(
      await source.demands == [
        .significantChanges, Demand(fixes: .significantChanges, headings: turns), both,
        Demand(fixes: .significantChanges, headings: turns), .significantChanges, .off,
      ])
  }
}
