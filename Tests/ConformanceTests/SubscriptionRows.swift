import WhereaboutsEngine
import EngineTestSupport
import Testing
import Whereabouts

extension EngineConformanceCase {
  /// What somebody who follows the device is told.
  static let subscriptions: [EngineConformanceCase] = [
    EngineConformanceCase("a subscription is told every fix, good or poor, for ever") {
      let made = (1...500).map { fix($0 % 7 == 0 ? 2000 : 4, at: Double($0) * 3600) }
      $0.handle(at: 0, subscribe(s))
      for (index, next) in made.enumerated() { $0.handle(at: Double(index + 1) * 3600, live(next)) }
      #expect($0.fixes(s) == made)
      #expect($0.endedSubscriptions.isEmpty)
    },
    EngineConformanceCase("a subscription asks the source for the accuracy it wants") {
      for (number, level) in AccuracyLevel.standard.enumerated() {
        let id = SubscriptionID(UInt64(number + 1))
        $0.handle(at: 0, subscribe(id, level))
        #expect($0.demand == .continuous(ContinuousDemand(accuracy: level.worstAccuracy)))
        $0.handle(at: 0, .unsubscribe(id))
      }
    },
    EngineConformanceCase("a source that gives up ends every request and no subscription, which is told") {
      $0.handle(at: 0, subscribe(s))
      $0.handle(at: 0, request(a, .room))
      $0.handle(at: 0, request(b, .city))
      $0.handle(at: 1, .signal(.failed(unreachable)))
      #expect($0.endings.map(\.id) == [a, b])
      #expect($0.endedSubscriptions.isEmpty)
      $0.handle(at: 2, live(fix(3, at: 2)))
      #expect($0.subscriptionEvents[s] == [.problem(unreachable), .fix(fix(3, at: 2))])
    },
    EngineConformanceCase("a source in passing problem ends nobody, and subscribers are told") {
      $0.handle(at: 0, subscribe(s))
      $0.handle(at: 0, request(a, .room))
      $0.handle(at: 1, .signal(.unavailable(noSky)))
      #expect($0.endings.isEmpty)
      #expect($0.subscriptionEvents[s] == [.problem(noSky)])
    },
    EngineConformanceCase("whoever subscribes while fixes may not be had, or none come, is told so at once") {
      $0.handle(at: 0, .signal(.unavailable(noSky)))
      $0.handle(at: 1, authorizationSignal(.denied))
      $0.handle(at: 2, subscribe(s))
      #expect($0.subscriptionEvents[s] == [.authorization(Authorization(.denied)), .problem(noSky)])
    },
    EngineConformanceCase(
      "a source that gave up is asked again for whoever comes next, also beside a subscription"
    ) {
      $0.handle(at: 0, subscribe(s))
      $0.handle(at: 1, .signal(.failed(unreachable)))
      let effects = $0.handle(at: 2, request(a, .room))
      #expect(effects.contains(demandEffect(5)))
    },
    EngineConformanceCase("a subscription that is ended is told nothing more") {
      $0.handle(at: 0, subscribe(s))
      $0.handle(at: 1, live(fix(3, at: 1)))
      $0.handle(at: 2, .unsubscribe(s))
      $0.handle(at: 3, live(fix(3, at: 3)))
      $0.handle(at: 4, .signal(.failed(unreachable)))
      $0.handle(at: 5, authorizationSignal(.denied))
      #expect($0.subscriptionEvents[s] == [.fix(fix(3, at: 1))])
    },
    EngineConformanceCase("forcing a request to its end with a subscription's number ends no subscription") {
      $0.handle(at: 0, subscribe(s))
      $0.handle(at: 1, .completeNow(a))
      $0.handle(at: 2, live(fix(3, at: 2)))
      #expect($0.fixes(s).count == 1)
    },
    EngineConformanceCase(
      "large moves are a subscription of their own: 500 m after five minutes, and nothing between"
    ) {
      $0.handle(at: 0, .subscribe(s, .significantChanges(SignificantChangeTerms())))
      for (seconds, metres) in [(0.0, 0.0), (100, 600), (299, 700), (300, 499), (301, 600), (400, 1300)] {
        $0.handle(at: seconds, live(fix(50, at: seconds, north: metres)))
      }
      #expect($0.fixes(s).map(\.time) == [utc(0), utc(301)])
    },
  ]

  /// Where the device points.
  static let headings: [EngineConformanceCase] = [
    EngineConformanceCase("0 degrees is a heading like any other") {
      let north = try #require(heading(0))
      $0.handle(at: 0, .subscribe(s, .headings(HeadingTerms(filter: 5))))
      $0.handle(at: 0, .signal(.heading(north)))
      #expect($0.subscriptionEvents[s] == [.heading(north)])
    },
    EngineConformanceCase("a heading is told when it has turned as far as the filter, also across north") {
      let turns = try [358, 1, 2.9, 3.1, 7, 358].map { try #require(heading($0)) }
      $0.handle(at: 0, .subscribe(s, .headings(HeadingTerms(filter: 5))))
      for turn in turns { $0.handle(at: 0, .signal(.heading(turn))) }
      #expect($0.subscriptionEvents[s] == [turns[0], turns[3], turns[5]].map { .heading($0) })
    },
    EngineConformanceCase("a device without a compass says so once, and the subscription is over") {
      $0.handle(at: 0, .subscribe(s, .headings(HeadingTerms())))
      $0.handle(at: 0, subscribe(u))
      $0.handle(at: 1, .signal(.headingsUnavailable(noCompass)))
      $0.handle(at: 2, .signal(.headingsUnavailable(noCompass)))
      #expect($0.subscriptionEvents == [s: [.headingsUnavailable(noCompass)]])
      #expect($0.endedSubscriptions == [s])
      #expect($0.demand == .continuous(ContinuousDemand(accuracy: 5)))
    },
    EngineConformanceCase("whoever asks for headings where there are none is told once, and over at once") {
      $0.handle(at: 0, .signal(.headingsUnavailable(noCompass)))
      $0.handle(at: 1, .subscribe(s, .headings(HeadingTerms())))
      #expect($0.subscriptionEvents == [s: [.headingsUnavailable(noCompass)]])
      #expect($0.endedSubscriptions == [s])
      #expect($0.demand == .off)
    },
    EngineConformanceCase("a reading that is no use is told as such, not as a heading") {
      let bad = try #require(heading(90, accuracy: -1)), good = try #require(heading(91, accuracy: 10))
      $0.handle(at: 0, .subscribe(s, .headings(HeadingTerms(filter: 5))))
      for reading in [bad, bad, good, bad] { $0.handle(at: 0, .signal(.heading(reading))) }
      #expect($0.subscriptionEvents[s] == [.headingUnusable, .heading(good), .headingUnusable])
    },
  ]
}
