import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsTesting

@Suite struct ValidityTests {
  private func refusal(of input: Input, at now: Moment, after earlier: [(Input, Moment)] = []) -> Refusal? {
    var engine = Engine()
    for (input, moment) in earlier { _ = engine.handle(input, at: moment) }
    for case .decided(.refused(_, let refusal)) in engine.handle(input, at: now) { return refusal }
    return nil
  }

  @Test(arguments: [-1, .nan, .infinity, -0.001])
  func invalidAccuracyIsRefused(accuracy: Double) {
    #expect(refusal(of: live(fix(accuracy, at: 1)), at: t(1)) == .invalidAccuracy)
  }

  @Test func zeroAccuracyAndNullIslandAreValid() {
    let nullIsland = Fix.test(latitude: 0, longitude: 0, accuracy: 0, time: utc(1))
    #expect(refusal(of: live(nullIsland), at: t(1)) == nil)
  }

  @Test(arguments: [(10.0, true), (10.5, false), (-3600, true), (86_400, false)])
  func cachedFixMayBeAtMostTenSecondsAhead(ahead: Double, isTaken: Bool) {
    let expected: Refusal? = isTaken ? nil : .fromTheFuture(by: .seconds(ahead))
    #expect(refusal(of: cached(fix(5, at: 100 + ahead)), at: t(100)) == expected)
  }

  @Test func wallClockSetBackRefusesNoCachedFix() {
    let year = 31_536_000.0
    func later(_ seconds: Double) -> Moment { Moment(instant: t(seconds).instant, wall: utc(seconds - year)) }
    let before = [(cached(fix(5, at: 1)), t(1))]
    #expect(refusal(of: cached(fix(5, at: 2 - year)), at: later(2), after: before) == nil)
    // Older than the step explains: made before the known fix.
    #expect(
      refusal(of: cached(fix(5, at: 0.5 - year)), at: later(2), after: before)
        == .outOfOrder(by: .seconds(year + 0.5)))
    // A live source has its own times, which a wall clock step does not explain.
    #expect(
      refusal(of: live(fix(5, at: 2 - year)), at: later(2), after: before)
        == .outOfOrder(by: .seconds(year - 1)))
  }

  @Test func liveFixAgeCountsFromArrivalForAnyWallClock() {
    // The wall clock of a machine without a clock battery is at 1970.
    let made = fix(5, at: 0)
    for wall in [UTCTime(nanosecondsSince1970: 0), utc(1e9), nil] {
      var engine = Engine()
      _ = engine.handle(
        .request(a, RequestTerms(level: .room, timeout: nil)), at: Moment(instant: .start, wall: wall))
      let effects = engine.handle(live(made), at: Moment(instant: t(5).instant, wall: wall))
      #expect(effects.first == .finish(a, .reached(answer(made, age: 0, .room))))
    }
  }

  @Test func cachedFixAgeCountsFromItsTime() {
    let old = fix(5, at: 80)
    expectSteps([
      (t(100), .request(a, RequestTerms(level: .room, timeout: nil)), [demandEffect(5)]),
      (t(100), cached(old), []),
      (
        t(100), .completeNow(a),
        [.finish(a, .completedEarly(best: answer(old, age: 20, .block))), .demand(.off)]
      ),
    ])
  }

  @Test func cachedFixWithoutTimeIsRefused() {
    #expect(refusal(of: cached(fix(5, at: nil)), at: t(1)) == .withoutTime)
    #expect(refusal(of: live(fix(5, at: nil)), at: t(1)) == nil)
  }

  @Test func repeatedFixIsADuplicateUnlessMoreAccurate() {
    let first = (live(fix(20, at: 1)), t(1))
    #expect(refusal(of: live(fix(20, at: 1)), at: t(2), after: [first]) == .duplicate)
    #expect(refusal(of: live(fix(30, at: 1)), at: t(2), after: [first]) == .duplicate)
    #expect(refusal(of: live(fix(5, at: 1)), at: t(2), after: [first]) == nil)
    #expect(refusal(of: live(fix(20, at: 1, north: 1)), at: t(2), after: [first]) == nil)
    let timeless = (live(fix(20, at: nil)), t(1))
    #expect(refusal(of: live(fix(20, at: nil)), at: t(2), after: [timeless]) == .duplicate)
  }

  @Test func lateFixIsRefusedWithItsLateness() {
    #expect(
      refusal(of: live(fix(5, at: 7)), at: t(11), after: [(live(fix(5, at: 10)), t(10))])
        == .outOfOrder(by: .seconds(3)))
  }

  @Test func lateFixIsRefusedAfterATimelessFix() {
    let before = [(live(fix(5, at: 10)), t(10)), (live(fix(5, at: nil)), t(11))]
    #expect(refusal(of: live(fix(5, at: 7)), at: t(12), after: before) == .outOfOrder(by: .seconds(3)))
    #expect(refusal(of: live(fix(5, at: 12)), at: t(12), after: before) == nil)
  }

  @Test func timelineRestartsAtTheThirdEarlierFix() {
    var engine = Engine()
    // A receiver with a date in 2043 until it receives the correct date.
    _ = engine.handle(live(fix(5, at: 6e8)), at: t(1))
    var refused = 0
    for second in 2...6 {
      for case .decided(.refused) in engine.handle(live(fix(5, at: Double(second))), at: t(Double(second))) {
        refused += 1
      }
    }
    #expect(refused == 2)
    #expect(engine.fixCounts.timelineRestarts == 1)
    #expect(engine.fixCounts.accepted == 4)
  }

  /// A receiver has the date of the day before until it receives the correct date.
  @Test func correctedDateIsNoTimeOfATrip() throws {
    func receiver(_ seconds: Double, behind: Double = 0) -> Input {
      var made = fix(5, at: seconds - behind, north: seconds * 10)
      made.isSimulated = false
      return live(made)
    }
    var engine = Engine()
    _ = engine.handle(.subscribe(s, .track(TrackTerms())), at: t(0))
    _ = engine.handle(.track(s, .start), at: t(0))
    for second in 1...60 {
      _ = engine.handle(receiver(Double(second), behind: 86_400), at: t(Double(second)))
    }
    for second in 61...120 { _ = engine.handle(receiver(Double(second)), at: t(Double(second))) }
    _ = engine.handle(.track(s, .stop), at: t(120))
    let totals = try #require(engine.trackUpdate(of: s)).totals
    #expect(engine.fixCounts.timelineRestarts == 1 && engine.fixCounts.accepted == 120)
    #expect(totals.elapsed > 100 && totals.elapsed < 120)
    // A machine that was asleep for a day.
    _ = engine.handle(receiver(86_520), at: t(86_520))
    #expect(engine.fixCounts.timelineRestarts == 1)
    // A recording that is played fast.
    _ = engine.handle(live(fix(5, at: 172_920)), at: t(86_521, wallOff: 86_400))
    #expect(engine.fixCounts.timelineRestarts == 1)
  }

  /// A machine that sleeps leaves fixes of the evening in a buffer, which arrive in the morning.
  @Test func fixesThatABufferHeldAreOfTheSameTimeline() {
    func receiver(_ seconds: Double) -> Input {
      var made = fix(5, at: seconds)
      made.isSimulated = false
      return live(made)
    }
    var engine = Engine()
    _ = engine.handle(receiver(1), at: t(1))
    _ = engine.handle(receiver(2), at: t(28_800))
    _ = engine.handle(receiver(28_801), at: t(28_801))
    #expect(engine.fixCounts.accepted == 3 && engine.fixCounts.timelineRestarts == 0)
    // The cached fix of another source, before a receiver.
    engine = Engine()
    _ = engine.handle(cached(fix(5, at: 1)), at: t(28_800))
    _ = engine.handle(receiver(28_801), at: t(28_801))
    #expect(engine.fixCounts.accepted == 2 && engine.fixCounts.timelineRestarts == 0)
  }

  @Test func shuffledLateFixesDoNotRestartTime() {
    var engine = Engine()
    _ = engine.handle(live(fix(5, at: 100)), at: t(100))
    for late in [99.0, 98, 97, 96, 95] { _ = engine.handle(live(fix(5, at: late)), at: t(101)) }
    #expect(engine.fixCounts.accepted == 1)
    #expect(engine.fixCounts.refused == [.outOfOrder: 5])
  }

  /// A phone sends the fixes of a day offline after newer ones, and the process has ended in between.
  @Test func earlierFixesOfATrustedTimeAreLateInTheNextRunToo() {
    func queued(_ seconds: Double) -> Input { .signal(.fix(fix(5, at: seconds), age: .sinceTrustedTime)) }
    var engine = Engine()
    _ = engine.handle(.restore(Restoration(lastFix: fix(5, at: 1000))), at: t(2000))
    for late in 900..<910 { _ = engine.handle(queued(Double(late)), at: t(2001)) }
    #expect(engine.fixCounts.accepted == 0)
    #expect(engine.fixCounts.refused == [.outOfOrder: 10])
    _ = engine.handle(queued(1001), at: t(2002))
    #expect(engine.fixCounts.accepted == 1)
    // A last fix ahead of the clock has a wrong date.
    var next = Engine()
    _ = next.handle(.restore(Restoration(lastFix: fix(5, at: 300_000))), at: t(2000))
    _ = next.handle(queued(1900), at: t(2001))
    #expect(next.fixCounts.accepted == 1)
  }

  @Test func invalidFieldsAreRemovedFromAValidFix() {
    var odd = fix(5, at: 1)
    odd.speed = -1
    odd.course = 360
    odd.heightAboveGeoid = .nan
    odd.climb = .infinity
    var clean = odd
    clean.speed = nil
    clean.course = nil
    clean.heightAboveGeoid = nil
    clean.climb = nil
    expectSteps([
      (t(0), .subscribe(s, .fixes(FixTerms(level: .house))), [demandEffect(15)]),
      (t(1), live(odd), [.notify(s, .fix(clean))]),
    ])
  }
}
