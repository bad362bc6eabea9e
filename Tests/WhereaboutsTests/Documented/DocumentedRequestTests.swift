import Testing
import Whereabouts
import WhereaboutsTesting

/// Requests, as "Location requests" documents them.
@Suite struct DocumentedRequestTests {
  private let clock = StepClock()
  private let source = ScriptedSource()

  private func makeManager() -> LocationManager { LocationManager(source: source, clock: clock.managerClock) }

  private func answer(_ fix: Fix, age: Duration = .zero, _ level: AccuracyLevel?) -> Answer {
    Answer(fix: fix, age: age, level: level)
  }

  // MARK: Timeouts

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
  func timeoutThatIsNotPositiveUsesKnownFixesOnly(timeout: Duration) async {
    let manager = makeManager()
    #expect(await manager.request(.city, timeout: timeout).outcome == .timedOut(best: nil))
    await source.emit(fix(900, at: 1))
    let known = answer(fix(900, at: 1), .neighborhood)
    #expect(await manager.request(.city, timeout: timeout).outcome == .reached(known))
    #expect(await manager.request(.house, timeout: timeout).outcome == .timedOut(best: known))
    #expect(await source.demands == [], "the receiver was started for a known fix")
  }

  /// Otherwise a failed source looks as if it delivered, and a refusal loses its remedy.
  @Test func timeoutOfZeroChangesNoStatus() async {
    let manager = makeManager()
    let problem = SourceProblem(.unreachable, message: "reach the receiver")
    await source.fail(problem)
    #expect(await manager.request(.city, timeout: .zero).outcome == .timedOut(best: nil))
    #expect(await manager.status.source == .failed(problem))
    let refusal = Authorization(.denied, noticesChanges: false, remedy: "Join the group of the port.")
    await source.emit(refusal)
    #expect(await manager.request(.city, timeout: .zero).outcome == .unauthorized(refusal))
    #expect(await manager.status.authorization == refusal)
    #expect(await source.demands == [])
  }

  @Test(arguments: [Duration.seconds(Int64.max), .nanoseconds(Int64.max)])
  func greatestTimeoutDoesNotFire(timeout: Duration) async {
    let manager = makeManager()
    let request = manager.request(.house, timeout: timeout)
    await clock.advance(by: .seconds(3_000_000_000))
    await manager.waitUntilProcessed()
    await source.emit(fix(5, at: 1))
    #expect(await request.outcome == .reached(answer(fix(5, at: 1), .room)))
  }

  @Test func eachOfManyRequestsEndsByItsOwnTimeout() async {
    let manager = makeManager()
    let requests = (1...500).map { manager.request(.house, timeout: .milliseconds($0)) }
    await source.emit(fix(60, at: 1))
    await clock.advance(by: .milliseconds(250))
    await manager.waitUntilProcessed()
    await source.emit(fix(5, at: 2))
    for (index, request) in requests.enumerated() {
      let age = Duration.milliseconds(index + 1)
      let expected: RequestOutcome =
        index < 250
        ? .timedOut(best: answer(fix(60, at: 1), age: age, .block)) : .reached(answer(fix(5, at: 2), .room))
      #expect(await request.outcome == expected, "timeout \(index + 1) ms")
    }
  }

  // MARK: Levels

  @Test(arguments: AccuracyLevel.standard) func levelIsReachedAtItsRadiusAndNotBeyond(level: AccuracyLevel)
    async
  {
    let manager = makeManager()
    let request = manager.request(level, timeout: nil)
    let poorer = await source.emit(fix(level.worstAccuracy.nextUp, at: 1))
    #expect(poorer.demand != .off, "\(level.name) was reached by a fix beyond its radius")
    await source.emit(fix(level.worstAccuracy, at: 2))
    #expect(await request.outcome == .reached(answer(fix(level.worstAccuracy, at: 2), level)))
  }

  @Test(
    arguments: [
      (AccuracyLevel.city, 5000.0, 600), (AccuracyLevel.neighborhood, 1000.0, 300),
      (AccuracyLevel.block, 100.0, 60), (AccuracyLevel.house, 15.0, 15), (AccuracyLevel.room, 5.0, 5),
    ])
  func levelIsARadiusAndAnAge(level: AccuracyLevel, radius: Double, seconds: Int) async {
    let manager = makeManager()
    await source.emit(fix(radius, at: 1))
    await clock.advance(by: .seconds(seconds))
    let aged = answer(fix(radius, at: 1), age: .seconds(seconds), level)
    #expect(await manager.request(level, timeout: .zero).outcome == .reached(aged))
    await clock.advance(by: .nanoseconds(1))
    guard case .timedOut(let best) = await manager.request(level, timeout: .zero).outcome else {
      Issue.record("\(level.name) was reached by an older fix")
      return
    }
    #expect(best?.fix == fix(radius, at: 1) && best?.level != level)
    await source.emit(fix(radius.nextUp, at: 2))
    #expect(await manager.request(level, timeout: .zero).outcome.answer?.level != level)
    await source.emit(fix(radius, at: 3))
    let new = answer(fix(radius, at: 3), level)
    #expect(await manager.request(level, timeout: .zero).outcome == .reached(new))
  }

  @Test func knownFixReachesALevelUpToItsGreatestAge() async {
    let manager = makeManager()
    await source.emit(fix(10, at: 1))
    await clock.advance(by: .seconds(15))
    let aged = answer(fix(10, at: 1), age: .seconds(15), .house)
    #expect(await manager.request(.house, timeout: .zero).outcome == .reached(aged))
    await clock.advance(by: .nanoseconds(1))
    let older = answer(fix(10, at: 1), age: Duration.seconds(15) + .nanoseconds(1), .block)
    #expect(await manager.request(.house, timeout: .zero).outcome == .timedOut(best: older))
  }

  @Test func fixWithoutAccuracyReachesNoLevelAndIsTheBest() async {
    let manager = makeManager()
    let request = manager.request(.city, timeout: .seconds(5))
    let bare = Fix.test(latitude: 47, longitude: 8, accuracy: nil, time: startOfTest)
    await source.emit(bare)
    await clock.advance(by: .seconds(5))
    #expect(await request.outcome == .timedOut(best: answer(bare, age: .seconds(5), nil)))
  }

  @Test(arguments: [-1, -.leastNonzeroMagnitude, .nan, .infinity, -.infinity] as [Double])
  func invalidAccuracyNeverSatisfiesALevel(accuracy: Double) async {
    let manager = makeManager()
    let request = manager.request(.city, timeout: .seconds(5))
    await source.emit(fix(accuracy, at: 1))
    await clock.advance(by: .seconds(5))
    #expect(await request.outcome == .timedOut(best: nil))
    #expect(await manager.fixCounts().refused == [.invalidAccuracy: 1])
  }

  /// An old exact fix on foot beats a coarse new one. In a car it does not, nor after a minute.
  @Test(
    arguments: [
      (Activity.walk, 5.0, 5.0), (Activity.car, 5.0, 20.0), (Activity.walk, 60.0, 20.0),
      (Activity.car, 60.0, 20.0),
    ])
  func activityDecidesTheBestFix(activity: Activity, pause: Double, best: Double) async throws {
    let manager = makeManager()
    let level = try #require(AccuracyLevel.custom(worstAccuracy: 1, maxAge: .seconds(600)))
    let request = manager.request(level, timeout: nil, activity: activity)
    await source.emit(fix(5, at: 0))
    await clock.advance(by: .seconds(pause))
    await source.emit(fix(20, at: pause))
    request.completeNow()
    #expect(await request.answer?.fix.horizontalAccuracy == best)
  }

  // MARK: Demand

  @Test func demandIsThatOfTheFinestRequestAndFallsAsRequestsEnd() async {
    let manager = makeManager()
    let city = manager.request(.city, timeout: nil), room = manager.request(.room, timeout: nil)
    let block = manager.request(.block, timeout: nil)
    room.cancel()
    #expect(await room.outcome == .cancelled)
    block.completeNow()
    #expect(await block.outcome == .completedEarly(best: nil))
    await source.emit(fix(90, at: 1))
    #expect(await city.outcome == .reached(answer(fix(90, at: 1), .block)))
    let expected = [5000.0, 5, 100, 5000].map { Demand.continuous(Demand.Continuous(accuracy: $0)) }
    #expect(await source.demands == expected + [.off])
  }

  @Test(arguments: Activity.allCases) func activityIsPassedToTheSource(activity: Activity) async {
    let manager = makeManager()
    let request = manager.request(.house, timeout: nil, activity: activity)
    await manager.waitUntilProcessed()
    #expect(await source.demands == [.continuous(Demand.Continuous(accuracy: 15, activity: activity))])
    withExtendedLifetime(request) {}
  }

  // MARK: Settling

  @Test(arguments: [Duration.zero, .seconds(-5)]) func settlingTimeThatIsNotPositiveTakesTheFirstFix(
    settle: Duration
  ) async {
    let manager = makeManager()
    let request = manager.request(.room, timeout: nil, settlingAfter: settle)
    await source.emit(fix(60, at: 1))
    #expect(await request.outcome == .settled(answer(fix(60, at: 1), .block)))
  }

  @Test func silentReceiverAndGreatestSettlingTimeSettleNothing() async {
    let manager = makeManager()
    let silent = manager.request(.room, timeout: .seconds(30), settlingAfter: .seconds(4))
    await clock.advance(by: .seconds(30))
    #expect(await silent.outcome == .timedOut(best: nil))
    let endless = manager.request(.room, timeout: .seconds(30), settlingAfter: .seconds(Int64.max))
    for second in 31...59 {
      await source.emit(fix(60, at: Double(second)))
      await clock.advance(by: .seconds(1))
    }
    await clock.advance(by: .seconds(1))
    #expect(await endless.outcome == .timedOut(best: answer(fix(60, at: 59), age: .seconds(2), .block)))
  }

  @Test func settlingCountsFromTheRequest() async {
    let manager = makeManager()
    await source.travel(1...10, accuracy: 60, clock: clock) { _ in 0 }
    let request = manager.request(.room, timeout: nil, settlingAfter: .seconds(4))
    for second in 11...13 {
      await clock.advance(by: .seconds(1))
      let status = await source.emit(fix(60, at: Double(second)))
      #expect(status.demand != .off, "the request settled after \(second - 10) s")
    }
    await source.travel(14...14, accuracy: 60, clock: clock) { _ in 0 }
    #expect(await request.outcome == .settled(answer(fix(60, at: 14), .block)))
  }
}
