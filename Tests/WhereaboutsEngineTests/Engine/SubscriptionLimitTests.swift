import Testing

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

@Suite struct SubscriptionLimitTests {
  private func subscribe(
    _ id: SubscriptionID, count: Int? = nil, duration: Double? = nil, lastFixUpTo: Double? = nil
  ) -> Input {
    .subscribe(
      id,
      .fixes(
        FixTerms(
          level: .room, maximumCount: count, duration: duration.map { .seconds($0) },
          lastFixUpTo: lastFixUpTo.map { .seconds($0) })))
  }

  @Test func subscriptionEndsAfterMaximumCount() {
    let fixes = (1...3).map { fix(5, at: Double($0)) }
    expectSteps([
      (t(0), subscribe(s, count: 2), [demandEffect(5)]),
      (t(1), live(fixes[0]), [.notify(s, .fix(fixes[0]))]),
      (t(2), live(fixes[1]), [.notify(s, .fix(fixes[1])), .finishSubscription(s), .demand(.off)]),
      (t(3), live(fixes[2]), []),
      (t(3), .unsubscribe(s), []),
    ])
  }

  @Test func subscriptionEndsBeforeAFixAtItsDeadline() {
    let early = fix(5, at: 9), late = fix(5, at: 10)
    expectSteps([
      (t(0), subscribe(s, duration: 10), [demandEffect(5), .wake(at: t(10).instant)]),
      (t(0), subscribe(u), []),
      (t(9), live(early), [.notify(s, .fix(early)), .notify(u, .fix(early))]),
      (t(10), live(late), [.finishSubscription(s), .notify(u, .fix(late)), .wake(at: nil)]),
    ])
  }

  @Test func engineWakesForTheEarliestEnd() {
    expectSteps([
      (t(0), subscribe(s, duration: 10), [demandEffect(5), .wake(at: t(10).instant)]),
      (t(0), subscribe(u, duration: 4), [.wake(at: t(4).instant)]),
      (t(0), .request(a, RequestTerms(level: .room, timeout: .seconds(2))), [.wake(at: t(2).instant)]),
      (t(2), .wake, [.finish(a, .timedOut(best: nil)), .wake(at: t(4).instant)]),
      (t(3), .unsubscribe(u), [.wake(at: t(10).instant)]),
      (t(4), .wake, []),
      (t(10), .wake, [.finishSubscription(s), .demand(.off), .wake(at: nil)]),
    ])
  }

  @Test func zeroDurationOrCountEndsAtOnce() {
    expectSteps([
      (t(0), subscribe(s, count: 0), [.finishSubscription(s)]),
      (t(0), subscribe(u, duration: 0), [.finishSubscription(u)]),
    ])
  }

  @Test(arguments: [(nil, false), (2.9, false), (3, true), (60, true)] as [(Double?, Bool)])
  func recentLastFixIsDeliveredOnRequest(limit: Double?, isDelivered: Bool) {
    let known = fix(700, at: 1)
    let delivered: [Effect] = isDelivered ? [.notify(s, .fix(known))] : []
    expectSteps([
      (t(1), live(known), []),
      (t(4), subscribe(s, lastFixUpTo: limit), delivered + [demandEffect(5)]),
    ])
  }

  @Test func lastFixIsTheLatestNotTheBestAndCounts() {
    let last = fix(700, at: 2)
    expectSteps([
      (t(1), live(fix(5, at: 1)), []),
      (t(2), live(last), []),
      (t(2), subscribe(s, count: 1, lastFixUpTo: 60), [.notify(s, .fix(last)), .finishSubscription(s)]),
    ])
  }

  @Test func manyEarlyUnsubscriptionsLeaveNoDeadlines() {
    var engine = Engine()
    for number in 1...10_000 as ClosedRange<UInt64> {
      _ = engine.handle(subscribe(SubscriptionID(number), duration: 1e6), at: t(0))
      _ = engine.handle(.unsubscribe(SubscriptionID(number)), at: t(0))
    }
    #expect(engine.nextWake == nil)
    #expect(engine.demand == .off)
  }

  @Test func removedSubscriptionsLeaveNoPendingEnds() {
    var registry = SubscriptionRegistry()
    func terms(_ seconds: Int) -> SubscriptionTerms {
      .fixes(FixTerms(level: .room, duration: .seconds(seconds)))
    }
    // The earliest end is unchanged, so no wake is reported.
    registry.add(SubscriptionID(1), terms(1), at: .start)
    for number in 2...1000 as ClosedRange<UInt64> {
      registry.add(SubscriptionID(number), terms(Int(number)), at: .start)
      #expect(registry.remove(SubscriptionID(number)) != nil)
      #expect(registry.queuedDeadlineCount <= 100)
    }
    #expect(registry.nextDeadline() == Instant(.seconds(1)))
  }
}
