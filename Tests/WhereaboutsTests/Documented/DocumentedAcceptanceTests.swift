import Testing
import Whereabouts
import WhereaboutsTesting

/// Accepted fixes, as "Subscriptions" documents them.
@Suite(.timeLimit(.minutes(10))) struct DocumentedAcceptanceTests {
  private let clock = StepClock(wall: startOfTest)
  private let source = ScriptedSource()

  private func makeManager() -> LocationManager { LocationManager(source: source, clock: clock.managerClock) }

  /// Emits a fix once the clock has reached its second.
  private func emit(_ accuracy: Double, at seconds: Double, north: Double = 0, speed: Double? = nil) async {
    let wait = Duration.seconds(seconds) - clock.now.offset
    if wait > .zero { await clock.advance(by: wait) }
    await source.emit(made(accuracy, at: seconds, north: north, speed: speed))
  }

  private func made(_ accuracy: Double, at seconds: Double, north: Double = 0, speed: Double? = nil) -> Fix {
    var made = fix(accuracy, at: seconds, north: north)
    made.speed = speed
    return made
  }

  /// Returns the accepted fixes so far, and ends the stream.
  private func all(_ stream: EventStream<AcceptedFix>, of manager: LocationManager) async -> [AcceptedFix] {
    await manager.waitUntilProcessed()
    stream.end()
    return await allElements(of: stream)
  }

  /// Returns the seconds of the accepted fixes so far, and ends the stream.
  private func seconds(_ stream: EventStream<AcceptedFix>, of manager: LocationManager) async -> [Double] {
    await all(stream, of: manager).compactMap { $0.fix.time?.seconds(since: startOfTest) }
  }

  // MARK: Accuracy

  @Test func accurateFixIsAcceptedAtOnceAndDiscardsTheHeldOnes() async {
    let manager = makeManager(), stream = manager.acceptedFixes()
    await emit(40, at: 1)
    await emit(10.001, at: 2)
    await emit(10, at: 3)
    await clock.advance(by: .seconds(60))
    let accepted = AcceptedFix(fix: fix(10, at: 3), age: .zero, because: .accurate)
    #expect(await all(stream, of: manager) == [accepted])
  }

  @Test func bestHeldFixIsAcceptedAfterTenSeconds() async {
    let manager = makeManager(), stream = manager.acceptedFixes()
    await emit(40, at: 1, speed: 0)
    await emit(15, at: 4, speed: 0)
    await emit(90, at: 7, speed: 0)
    await clock.advance(by: .seconds(60))
    let best = AcceptedFix(
      fix: made(15, at: 4, speed: 0), age: .seconds(7), because: .best(of: 3, after: .seconds(10)))
    #expect(await all(stream, of: manager) == [best])
  }

  @Test func bestHeldFixIsAcceptedAtTheTenthTry() async {
    let manager = makeManager(), stream = manager.acceptedFixes()
    for second in 1...10 { await emit(second == 4 ? 12 : 50, at: Double(second), speed: 0) }
    let best = AcceptedFix(
      fix: made(12, at: 4, speed: 0), age: .seconds(6), because: .best(of: 10, after: .seconds(9)))
    #expect(await all(stream, of: manager) == [best])
  }

  @Test func bestHeldFixIsAcceptedAtTheEndOfTheSource() async {
    let manager = makeManager(), stream = manager.acceptedFixes()
    await emit(40, at: 1)
    await emit(20, at: 2)
    source.end()
    let best = AcceptedFix(fix: fix(20, at: 2), age: .zero, because: .best(of: 2, after: .seconds(1)))
    #expect(await allElements(of: stream) == [best])
    withExtendedLifetime(manager) {}
  }

  // MARK: Time and place

  @Test func nothingIsAcceptedForAMinuteAfterAnAccurateFix() async {
    let manager = makeManager(), stream = manager.acceptedFixes(), decisions = manager.decisions()
    for second in [0.0, 30, 59, 60] { await emit(5, at: second, north: second * 10) }
    #expect(await seconds(stream, of: manager) == [0, 60])
    decisions.end()
    var reasons: [Decision.NonAcceptance] = []
    for await entry in decisions {
      if case .notAccepted(_, _, because: let reason) = entry.decision { reasons.append(reason) }
    }
    #expect(reasons == [.recentEnough(age: .seconds(30)), .recentEnough(age: .seconds(59))])
  }

  @Test func inaccurateAcceptedFixDelaysNoOther() async {
    let manager = makeManager(), stream = manager.acceptedFixes(AcceptanceTerms(maximumTries: 1))
    await emit(11, at: 0)
    await emit(10, at: 20, north: 200)
    #expect(await seconds(stream, of: manager) == [0, 20])
  }

  /// The filter is 50 m, and the accuracies of 6 m and 8 m are added for possible duplicates.
  @Test(arguments: [true, false]) func nearFixIsNotAccepted(ignoresDuplicates: Bool) async {
    let manager = makeManager()
    let terms = AcceptanceTerms(recencyThreshold: .zero, ignoresPossibleDuplicates: ignoresDuplicates)
    let stream = manager.acceptedFixes(terms)
    let filter: Double = ignoresDuplicates ? 64 : 50
    await emit(6, at: 0)
    await emit(8, at: 10, north: filter - 1)
    await emit(8, at: 20, north: filter + 1)
    #expect(await seconds(stream, of: manager) == [0, 20])
  }

  @Test func filterIsTenMetresOnFootAndTheSourceKnowsTheActivity() async {
    let manager = makeManager()
    let stream = manager.acceptedFixes(AcceptanceTerms(recencyThreshold: .zero, activity: .walk))
    await emit(5, at: 0)
    await emit(5, at: 10, north: 19)
    await emit(5, at: 20, north: 21)
    #expect(await seconds(stream, of: manager) == [0, 20])
    let other = manager.acceptedFixes()
    await manager.waitUntilProcessed()
    let demands = [
      Demand.continuous(Demand.Continuous(accuracy: 10, activity: .walk)), .off,
      .continuous(Demand.Continuous(accuracy: 10, activity: .car)),
    ]
    #expect(await source.demands == demands)
    withExtendedLifetime(other) {}
  }

  /// A threshold of 15 s or less is a wish for fixes close in time, and so in place.
  @Test(arguments: [(16.0, [0.0, 21, 44]), (15.0, [0.0, 20])])
  func filterIsFourHundredMetresFromHighwaySpeedOn(recency: Double, expected: [Double]) async {
    let manager = makeManager()
    let stream = manager.acceptedFixes(AcceptanceTerms(recencyThreshold: .seconds(recency)))
    await emit(5, at: 0)
    await emit(5, at: 20, north: 400, speed: 20)
    if recency > 15 {
      await emit(5, at: 21, north: 405, speed: 19.9)
      await emit(5, at: 44, north: 820, speed: 20)
    }
    #expect(await seconds(stream, of: manager) == expected)
  }

  @Test(arguments: [(0.0, 20.0), (51.5, 0.0), (0.0, 0.0)]) func degreeOfZeroIsAPlace(
    latitude: Double, longitude: Double
  ) async {
    let manager = makeManager(), stream = manager.acceptedFixes()
    let there = Fix.test(latitude: latitude, longitude: longitude, accuracy: 5, time: startOfTest)
    await source.emit(there)
    #expect(await all(stream, of: manager).map(\.fix) == [there])
    #expect(await manager.lastFix?.fix == there)
  }

  // MARK: The last fix

  @Test func lastFixStartsNothingAndIsNotInvented() async {
    let manager = makeManager()
    #expect(await manager.lastFix == nil)
    let stream = manager.acceptedFixes()
    await clock.advance(by: .seconds(600))
    await emit(5, at: 600)
    #expect(await all(stream, of: manager).map(\.fix) == [fix(5, at: 600)])
    await clock.advance(by: .seconds(601))
    let last = Answer(fix: fix(5, at: 600), age: .seconds(601), level: nil)
    #expect(await manager.lastFix == last)
    #expect(
      await source.demands == [.continuous(Demand.Continuous(accuracy: 10, activity: .car)), .off],
      "the receiver was started for the last known fix")
  }

  @Test func lastFixOfAKilledProcessIsKnownAndDelaysNoOther() async {
    let store = MemoryStore(), first = ScriptedSource()
    let manager = LocationManager(source: first, clock: clock.managerClock, store: store)
    let before = manager.acceptedFixes()
    await clock.advance(by: .seconds(1))
    await first.emit(fix(5, at: 1))
    #expect(await all(before, of: manager).map(\.fix) == [fix(5, at: 1)])
    await clock.advance(by: .seconds(30))
    let next = LocationManager(source: source, clock: clock.managerClock, store: await store.copy())
    #expect(await next.lastFix == Answer(fix: fix(5, at: 1), age: .seconds(30), level: .block))
    #expect(await source.demands == [])
    let after = next.acceptedFixes()
    await emit(5, at: 32, north: 310)
    #expect(await all(after, of: next).map(\.fix) == [fix(5, at: 32, north: 310)])
    withExtendedLifetime(manager) {}
  }
}
