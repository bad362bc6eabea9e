import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsTesting

@Suite struct RequestTests {
  let house10s = RequestTerms(level: .house, timeout: .seconds(10))

  @Test func sufficientFixEndsTheRequestAndStopsTheSource() {
    let good = fix(12, at: 3)
    expectSteps([
      (t(0), .request(a, house10s), [demandEffect(15), .wake(at: t(10).instant)]),
      (t(1), live(fix(80, at: 1)), []),
      (
        t(3), live(good), [.finish(a, .reached(answer(good, age: 0, .house))), .demand(.off), .wake(at: nil)]
      ),
      (t(10), .wake, []),
    ])
  }

  @Test func timeoutReturnsTheBestFixNotTheLatest() {
    let best = fix(30, at: 4), latest = fix(90, at: 5)
    expectSteps([
      (t(0), .request(a, house10s), [demandEffect(15), .wake(at: t(10).instant)]),
      (t(2), live(fix(200, at: 2)), []),
      (t(4), live(best), []),
      (t(5), live(latest), []),
      (t(9), .wake, []),
      (
        t(10), .wake,
        [.finish(a, .timedOut(best: answer(best, age: 6, .block))), .demand(.off), .wake(at: nil)]
      ),
      (t(11), .wake, []),
    ])
  }

  @Test func newFairFixBeatsAnOldExactFix() {
    let exact = fix(3, at: 0.5), fair = fix(60, at: 30)
    expectSteps([
      (
        t(0),
        .request(a, RequestTerms(level: .custom(1, .seconds(1)), timeout: .seconds(40), activity: .car)),
        [demandEffect(1, .car), .wake(at: t(40).instant)]
      ),
      (t(0.5), live(exact), []),
      // At 14 m/s the device may be 413 m from its last accurate place.
      (t(30), live(fair), []),
      (
        t(40), .wake,
        [.finish(a, .timedOut(best: answer(fair, age: 10, .block))), .demand(.off), .wake(at: nil)]
      ),
    ])
  }

  @Test func fixWithoutAccuracyReachesNoLevelButIsReturnedAtTimeout() {
    let bare = fix(nil, at: 1)
    expectSteps([
      (
        t(0), .request(a, RequestTerms(level: .city, timeout: .seconds(5))),
        [demandEffect(5000), .wake(at: t(5).instant)]
      ),
      (t(1), live(bare), []),
      (t(5), .wake, [.finish(a, .timedOut(best: answer(bare, age: 4, nil))), .demand(.off), .wake(at: nil)]),
    ])
  }

  @Test func cachedSufficientFixAnswersAtOnce() {
    let known = fix(12, at: 1)
    expectSteps([
      (t(0), .subscribe(s, .fixes(FixTerms(level: .room))), [demandEffect(5)]),
      (t(1), live(known), [.notify(s, .fix(known))]),
      (t(9), .request(a, house10s), [.finish(a, .reached(answer(known, age: 8, .house)))]),
      // At 17 s the fix is too old for the house level.
      (t(17), .request(b, house10s), [.wake(at: t(27).instant)]),
    ])
  }

  @Test func fixAtTheDeadlineIsTooLate() {
    expectSteps([
      (t(0), .request(a, house10s), [demandEffect(15), .wake(at: t(10).instant)]),
      (t(10), live(fix(5, at: 10)), [.finish(a, .timedOut(best: nil)), .demand(.off), .wake(at: nil)]),
    ])
  }

  @Test func zeroTimeoutEndsAtOnce() {
    expectSteps([
      (t(0), .request(a, RequestTerms(level: .room, timeout: .zero)), [.finish(a, .timedOut(best: nil))])
    ])
  }

  @Test func requestWithoutTimeoutNeverTimesOut() {
    expectSteps([
      (t(0), .request(a, RequestTerms(level: .room, timeout: nil)), [demandEffect(5)]),
      (t(1e9), .wake, []),
      (t(1e9), .cancel(a), [.finish(a, .cancelled), .demand(.off)]),
    ])
  }

  @Test func completingNowReturnsTheBestFixAndCancellingReturnsNone() {
    let known = fix(700, at: 1)
    expectSteps([
      (t(0), .request(a, house10s), [demandEffect(15), .wake(at: t(10).instant)]),
      (t(0), .request(b, house10s), []),
      (t(1), live(known), []),
      (t(2), .completeNow(a), [.finish(a, .completedEarly(best: answer(known, age: 1, .neighborhood)))]),
      (t(3), .cancel(b), [.finish(b, .cancelled), .demand(.off), .wake(at: nil)]),
      (t(4), .cancel(b), []),
      (t(4), .completeNow(c), []),
    ])
  }

  @Test func oneFixEndsAllReachedRequestsInOrder() {
    let fair = fix(60, at: 1)
    let reached = answer(fair, age: 0, .block)
    expectSteps([
      (t(0), .request(b, RequestTerms(level: .block, timeout: nil)), [demandEffect(100)]),
      (t(0), .request(a, RequestTerms(level: .city, timeout: nil)), []),
      (t(0), .request(c, house10s), [demandEffect(15), .wake(at: t(10).instant)]),
      (t(1), live(fair), [.finish([a, b], .reached(reached))]),
    ])
  }

  @Test func demandFollowsTheMostDemandingRemainingRequest() {
    expectSteps([
      (t(0), .request(a, RequestTerms(level: .city, timeout: nil)), [demandEffect(5000)]),
      (t(0), .request(b, RequestTerms(level: .room, timeout: nil)), [demandEffect(5)]),
      (t(0), .subscribe(s, .fixes(FixTerms(level: .block, distanceFilter: 10))), []),
      (t(1), .cancel(b), [.finish(b, .cancelled), demandEffect(100)]),
      (t(2), .cancel(a), [.finish(a, .cancelled), demandEffect(100, filter: 10)]),
      (t(3), .unsubscribe(s), [.demand(.off)]),
      (t(3), .unsubscribe(s), []),
    ])
  }

  @Test func failedSourceEndsRequestsAndNotifiesSubscribers() {
    let problem = SourceProblem(.unreachable, message: "reach the receiver")
    expectSteps([
      (t(0), .subscribe(s, .fixes(FixTerms(level: .block))), [demandEffect(100)]),
      (t(0), .request(a, house10s), [demandEffect(15), .wake(at: t(10).instant)]),
      (
        t(1), .signal(.failed(problem)),
        [
          .finish(a, .sourceFailed(problem, best: nil)), .notify(s, .problem(problem)),
          status(.failed(problem)), demandEffect(100), .wake(at: nil),
        ]
      ),
      // The next request restarts the source, although the demand is unchanged.
      (t(2), .subscribe(u, .fixes(FixTerms(level: .block))), [status(.working), demandEffect(100)]),
      (
        t(3), .signal(.failed(problem)),
        [
          .notify(u, .problem(problem)), status(.failed(problem)),
          // After the second failure the delay of the automatic retry has doubled.
          .wake(at: t(23).instant),
        ]
      ),
      (t(4), .request(c, house10s), [status(.working), demandEffect(15), .wake(at: t(14).instant)]),
    ])
  }

  /// The demand changes for the request and back, and the source tries again both times.
  @Test func sameFailureIsReportedOnceToASubscriberBesideARequest() {
    let problem = SourceProblem(.unreachable, message: "reach the receiver")
    let other = SourceProblem(.unusable, message: "use the receiver")
    var engine = Engine()
    _ = engine.handle(.subscribe(s, .fixes(FixTerms(level: .block))), at: t(0))
    let first = engine.handle(.signal(.failed(problem)), at: t(1))
    #expect(first.contains(.notify(s, .problem(problem))))
    let request = engine.handle(.request(a, house10s), at: t(2))
    #expect(request.contains(demandEffect(15)))
    let failed = engine.handle(.signal(.failed(problem)), at: t(3))
    #expect(failed.contains(.finish(a, .sourceFailed(problem, best: nil))))
    #expect(failed.contains(demandEffect(100)))
    let again = engine.handle(.signal(.failed(problem)), at: t(4))
    #expect(!(failed + again).contains(.notify(s, .problem(problem))))
    // A subscriber that is new while the source tries again was not notified.
    _ = engine.handle(.request(b, house10s), at: t(5))
    _ = engine.handle(.subscribe(u, .fixes(FixTerms(level: .block))), at: t(5))
    let next = engine.handle(.signal(.failed(problem)), at: t(6))
    #expect(next.contains(.notify(u, .problem(problem))) && !next.contains(.notify(s, .problem(problem))))
    // Another failure is reported, and one after a fix.
    let changed = engine.handle(.signal(.failed(other)), at: t(7))
    #expect(changed.contains(.notify(s, .problem(other))))
    _ = engine.handle(live(fix(4, at: 8)), at: t(8))
    let later = engine.handle(.signal(.failed(other)), at: t(9))
    #expect(later.contains(.notify(s, .problem(other))))
  }

  @Test func idleFailedSourceIsRetriedByTheNextRequest() {
    let problem = SourceProblem(.unreachable, message: "reach the receiver")
    expectSteps([
      (t(0), .signal(.failed(problem)), [status(.failed(problem))]),
      (t(1), .request(a, house10s), [status(.working), demandEffect(15), .wake(at: t(11).instant)]),
    ])
  }

  @Test func retriedSourceThatEndsReportsItsProblem() {
    let problem = SourceProblem(.unreadable, message: "read the recording")
    expectSteps([
      (t(0), .request(a, house10s), [demandEffect(15), .wake(at: t(10).instant)]),
      (
        t(0), .signal(.failed(problem)),
        [
          .finish(a, .sourceFailed(problem, best: nil)), status(.failed(problem)), .demand(.off),
          .wake(at: nil),
        ]
      ),
      (t(0), .request(b, house10s), [status(.working), demandEffect(15), .wake(at: t(10).instant)]),
      (t(0), .subscribe(s, .fixes(FixTerms(level: .house))), []),
      (
        t(0), .signal(.ended),
        [
          .notify(s, .problem(problem)), .finish(b, .sourceFailed(problem, best: nil)),
          .finishSubscription(s),
          status(.ended(problem)), .demand(.off), .wake(at: nil),
        ]
      ),
      (t(0), .request(c, house10s), [.finish(c, .sourceFailed(problem, best: nil))]),
    ])
  }

  @Test func zeroSpeedDoesNotPreferAnHourOldFix() {
    let home = fix(2, at: 0), away = fix(8, at: 3600, north: 40_000, speed: 0)
    expectSteps([
      (t(0), .subscribe(s, .fixes(FixTerms(level: .room))), [demandEffect(5)]),
      (t(0), live(home), [.notify(s, .fix(home))]),
      (t(3600), live(away), [.notify(s, .fix(away))]),
      (t(3600), .request(a, house10s), [.finish(a, .reached(answer(away, age: 0, .house)))]),
    ])
  }

  @Test func unavailableSourceEndsNoRequest() {
    let problem = SourceProblem(.noPosition, message: "see the sky")
    let good = fix(5, at: 2)
    expectSteps([
      (t(0), .subscribe(s, .fixes(FixTerms(level: .house))), [demandEffect(15)]),
      (t(0), .request(a, house10s), [.wake(at: t(10).instant)]),
      (t(1), .signal(.unavailable(problem)), [.notify(s, .problem(problem)), status(.unavailable(problem))]),
      // A repeated problem is reported once.
      (t(1.5), .signal(.unavailable(problem)), []),
      (
        t(2), live(good),
        [
          .finish(a, .reached(answer(good, age: 0, .room))), .notify(s, .fix(good)), status(.working),
          .wake(at: nil),
        ]
      ),
    ])
  }

  @Test func endOfRecordingEndsRequestsAndSubscriptions() {
    let known = fix(40, at: 1)
    expectSteps([
      (t(0), .request(a, house10s), [demandEffect(15), .wake(at: t(10).instant)]),
      (t(0), .subscribe(s, .fixes(FixTerms(level: .house))), []),
      (t(1), live(known), [.notify(s, .fix(known))]),
      (
        t(2), .signal(.ended),
        [
          .finish(a, .sourceEnded(best: answer(known, age: 1, .block))), .finishSubscription(s),
          status(.ended(nil)), .demand(.off), .wake(at: nil),
        ]
      ),
      (t(3), .request(b, house10s), [.finish(b, .sourceEnded(best: answer(known, age: 2, .block)))]),
      (t(3), .subscribe(u, .fixes(FixTerms(level: .house))), [.finishSubscription(u)]),
    ])
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func everyRequestEndsOnceAndTheSourceIsOnOnlyForRequests(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var engine = Engine(), now = 0.0, made: UInt64 = 0
    var open: Set<RequestID> = []
    for _ in 0..<400 {
      now += Double.random(in: 0...3, using: &random)
      let any = RequestID(UInt64.random(in: 1...max(1, made), using: &random))
      let input: Input
      switch Int.random(in: 0...5, using: &random) {
      case 0, 1:
        made += 1
        open.insert(RequestID(made))
        let level = AccuracyLevel.standard.randomElement(using: &random) ?? .city
        let timeout =
          Bool.random(using: &random) ? Duration.seconds(Double.random(in: 0...20, using: &random)) : nil
        input = .request(RequestID(made), RequestTerms(level: level, timeout: timeout))
      case 2: input = .cancel(any)
      case 3: input = .completeNow(any)
      case 4: input = .wake
      default: input = live(fix(randomPower(10, in: 0...4, using: &random), at: now))
      }
      for case .finish(let ids, _) in engine.handle(input, at: t(now)) {
        for id in ids { #expect(open.remove(id) != nil, "\(id) ended twice") }
      }
      #expect((engine.demand == .off) == open.isEmpty)
    }
    for case .finish(let ids, _) in engine.handle(.signal(.ended), at: t(now)) { open.subtract(ids) }
    #expect(open.isEmpty)
  }
}

/// Ten to a random power.
private func randomPower(_ base: Double, in range: ClosedRange<Double>, using random: inout SeededGenerator)
  -> Double
{
  var result = 1.0
  for _ in 0..<Int(Double.random(in: range, using: &random).rounded()) { result *= base }
  return result
}

extension AccuracyLevel {
  fileprivate static func custom(_ accuracy: Double, _ age: Duration) -> AccuracyLevel {
    custom(worstAccuracy: accuracy, maxAge: age) ?? .room
  }
}
