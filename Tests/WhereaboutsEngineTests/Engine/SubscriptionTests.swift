import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsTesting

@Suite struct SubscriptionTests {
  @Test func distanceFilterCountsFromTheLastDeliveredFix() {
    let steps = [(0.0, true), (6, false), (9, false), (11, true), (5, false), (0, true)]
    var engine = Engine()
    _ = engine.handle(.subscribe(s, .fixes(FixTerms(level: .house, distanceFilter: 10))), at: t(0))
    for (index, (metres, isDelivered)) in steps.enumerated() {
      let next = fix(5, at: Double(index), north: metres)
      let expected: [Effect] = isDelivered ? [.notify(s, .fix(next))] : []
      #expect(engine.handle(live(next), at: t(Double(index))) == expected, "fix \(index)")
    }
  }

  @Test func invalidDistanceFilterDeliversEveryFix() {
    for filter in [-1, 0, .nan] {
      #expect(FixTerms(level: .house, distanceFilter: filter).distanceFilter == 0)
    }
  }

  @Test func inaccurateFixesAreDeliveredToo() {
    let poor = fix(900, at: 1)
    expectSteps([
      (t(0), .subscribe(s, .fixes(FixTerms(level: .room))), [demandEffect(5)]),
      (t(1), live(poor), [.notify(s, .fix(poor))]),
    ])
  }

  @Test func subscribersAreNotifiedInSubscriptionOrder() {
    let next = fix(5, at: 1)
    expectSteps([
      (t(0), .subscribe(s, .fixes(FixTerms(level: .room))), [demandEffect(5)]),
      (t(0), .subscribe(u, .fixes(FixTerms(level: .city))), []),
      (t(1), live(next), [.notify(s, .fix(next)), .notify(u, .fix(next))]),
    ])
  }

  @Test func subscriptionsWithNaNTermsCanBeRemoved() {
    var fixes = FixTerms(level: .room), visits = VisitTerms(), headings = HeadingTerms()
    fixes.distanceFilter = .nan
    visits.radius = .nan
    headings.filter = .nan
    var engine = Engine()
    for terms in [SubscriptionTerms.fixes(fixes), .visits(visits), .headings(headings)] {
      _ = engine.handle(.subscribe(s, terms), at: t(0))
      #expect(engine.demand != .off)
      _ = engine.handle(.unsubscribe(s), at: t(1))
      #expect(engine.demand == .off)
    }
  }
}
