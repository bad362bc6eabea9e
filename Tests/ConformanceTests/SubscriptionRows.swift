import WhereaboutsEngine
import EngineTestSupport
import Testing
import Whereabouts

extension EngineConformanceCase {
  /// Events delivered to subscriptions.
  static let subscriptions: [EngineConformanceCase] = [
    EngineConformanceCase("a subscription receives every fix, good or poor, indefinitely") {
      let made = (1...500).map { fix($0 % 7 == 0 ? 2000 : 4, at: Double($0) * 3600) }
      $0.handle(at: 0, subscribe(s))
      for (index, next) in made.enumerated() { $0.handle(at: Double(index + 1) * 3600, live(next)) }
      #expect($0.fixes(s) == made)
      #expect($0.endedSubscriptions.isEmpty)
    },
    EngineConformanceCase("a subscription demands its accuracy from the source") {
      for (number, level) in AccuracyLevel.standard.enumerated() {
        let id = SubscriptionID(UInt64(number + 1))
        $0.handle(at: 0, subscribe(id, level))
        #expect($0.demand == .continuous(Demand.Continuous(accuracy: level.worstAccuracy)))
        $0.handle(at: 0, .unsubscribe(id))
      }
    },
    EngineConformanceCase("a failed source ends every request but no subscription, which receives the error")
    {
      $0.handle(at: 0, subscribe(s))
      $0.handle(at: 0, request(a, .room))
      $0.handle(at: 0, request(b, .city))
      $0.handle(at: 1, .signal(.failed(unreachable)))
      #expect($0.endings.map(\.id) == [a, b])
      #expect($0.endedSubscriptions.isEmpty)
      $0.handle(at: 2, live(fix(3, at: 2)))
      #expect($0.subscriptionEvents[s] == [.problem(unreachable), .fix(fix(3, at: 2))])
    },
    EngineConformanceCase("a temporary source problem ends nothing and is reported to subscriptions") {
      $0.handle(at: 0, subscribe(s))
      $0.handle(at: 0, request(a, .room))
      $0.handle(at: 1, .signal(.unavailable(noSky)))
      #expect($0.endings.isEmpty)
      #expect($0.subscriptionEvents[s] == [.problem(noSky)])
    },
    EngineConformanceCase("a new subscription receives a known denial and a known source problem at once") {
      $0.handle(at: 0, .signal(.unavailable(noSky)))
      $0.handle(at: 1, authorizationSignal(.denied))
      $0.handle(at: 2, subscribe(s))
      #expect($0.subscriptionEvents[s] == [.authorization(Authorization(.denied)), .problem(noSky)])
    },
    EngineConformanceCase(
      "a new request restarts a failed source, also beside a subscription"
    ) {
      $0.handle(at: 0, subscribe(s))
      $0.handle(at: 1, .signal(.failed(unreachable)))
      let effects = $0.handle(at: 2, request(a, .room))
      #expect(effects.contains(demandEffect(5)))
    },
    EngineConformanceCase("an ended subscription receives no events") {
      $0.handle(at: 0, subscribe(s))
      $0.handle(at: 1, live(fix(3, at: 1)))
      $0.handle(at: 2, .unsubscribe(s))
      $0.handle(at: 3, live(fix(3, at: 3)))
      $0.handle(at: 4, .signal(.failed(unreachable)))
      $0.handle(at: 5, authorizationSignal(.denied))
      #expect($0.subscriptionEvents[s] == [.fix(fix(3, at: 1))])
    },
    EngineConformanceCase("completing a request with a subscription's number ends no subscription") {
      $0.handle(at: 0, subscribe(s))
      $0.handle(at: 1, .completeNow(a))
      $0.handle(at: 2, live(fix(3, at: 2)))
      #expect($0.fixes(s).count == 1)
    },
    EngineConformanceCase(
      "significant changes are delivered after 500 m and five minutes, and not before"
    ) {
      $0.handle(at: 0, .subscribe(s, .significantChanges(SignificantChangeTerms())))
      for (seconds, metres) in [(0.0, 0.0), (100, 600), (299, 700), (300, 499), (301, 600), (400, 1300)] {
        $0.handle(at: seconds, live(fix(50, at: seconds, north: metres)))
      }
      #expect($0.fixes(s).map(\.time) == [utc(0), utc(301)])
    },
  ]

  /// Headings.
  static let headings: [EngineConformanceCase] = [
    EngineConformanceCase("a heading of 0 degrees is delivered like any other") {
      let north = try #require(heading(0))
      $0.handle(at: 0, .subscribe(s, .headings(HeadingTerms(filter: 5))))
      $0.handle(at: 0, .signal(.heading(north)))
      #expect($0.subscriptionEvents[s] == [.heading(north)])
    },
    EngineConformanceCase("a heading is delivered once it has turned by the filter, also across north") {
      let turns = try [358, 1, 2.9, 3.1, 7, 358].map { try #require(heading($0)) }
      $0.handle(at: 0, .subscribe(s, .headings(HeadingTerms(filter: 5))))
      for turn in turns { $0.handle(at: 0, .signal(.heading(turn))) }
      #expect($0.subscriptionEvents[s] == [turns[0], turns[3], turns[5]].map { .heading($0) })
    },
    EngineConformanceCase("a missing compass is reported once and ends the subscription") {
      $0.handle(at: 0, .subscribe(s, .headings(HeadingTerms())))
      $0.handle(at: 0, subscribe(u))
      $0.handle(at: 1, .signal(.headingsUnavailable(noCompass)))
      $0.handle(at: 2, .signal(.headingsUnavailable(noCompass)))
      #expect($0.subscriptionEvents == [s: [.headingsUnavailable(noCompass)]])
      #expect($0.endedSubscriptions == [s])
      #expect($0.demand == .continuous(Demand.Continuous(accuracy: 5)))
    },
    EngineConformanceCase("a new subscription to unavailable headings receives the problem once and ends") {
      $0.handle(at: 0, .signal(.headingsUnavailable(noCompass)))
      $0.handle(at: 1, .subscribe(s, .headings(HeadingTerms())))
      #expect($0.subscriptionEvents == [s: [.headingsUnavailable(noCompass)]])
      #expect($0.endedSubscriptions == [s])
      #expect($0.demand == .off)
    },
    EngineConformanceCase("an unusable reading is reported as unusable, not as a heading") {
      let bad = try #require(heading(90, accuracy: -1)), good = try #require(heading(91, accuracy: 10))
      $0.handle(at: 0, .subscribe(s, .headings(HeadingTerms(filter: 5))))
      for reading in [bad, bad, good, bad] { $0.handle(at: 0, .signal(.heading(reading))) }
      #expect($0.subscriptionEvents[s] == [.headingUnusable, .heading(good), .headingUnusable])
    },
  ]
}
