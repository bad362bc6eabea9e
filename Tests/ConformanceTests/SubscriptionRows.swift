import EngineBench
import Testing
import Whereabouts

extension Row {
  /// What somebody who follows the device is told.
  static let subscriptions: [Row] = [
    Row("a subscription is told every fix, good or poor, for ever") {
      let made = (1...500).map { fix($0 % 7 == 0 ? 2000 : 4, at: Double($0) * 3600) }
      $0.at(0, subscribe(s))
      for (index, next) in made.enumerated() { $0.at(Double(index + 1) * 3600, live(next)) }
      #expect($0.fixes(s) == made)
      #expect($0.over.isEmpty)
    },
    Row("a subscription asks the source for the accuracy it wants") {
      for (number, level) in AccuracyLevel.standard.enumerated() {
        let id = SubscriptionID(UInt64(number + 1))
        $0.at(0, subscribe(id, level))
        #expect($0.demand == .continuous(ContinuousDemand(accuracy: level.worstAccuracy)))
        $0.at(0, .unsubscribe(id))
      }
    },
    Row("a source that gives up ends every request and no subscription, which is told") {
      $0.at(0, subscribe(s))
      $0.at(0, request(a, .room))
      $0.at(0, request(b, .city))
      $0.at(1, .signal(.failed(gone)))
      #expect($0.endings.map(\.id) == [a, b])
      #expect($0.over.isEmpty)
      $0.at(2, live(fix(3, at: 2)))
      #expect($0.told[s] == [.trouble(gone), .fix(fix(3, at: 2))])
    },
    Row("a source in passing trouble ends nobody, and subscribers are told") {
      $0.at(0, subscribe(s))
      $0.at(0, request(a, .room))
      $0.at(1, .signal(.unavailable(noSky)))
      #expect($0.endings.isEmpty)
      #expect($0.told[s] == [.trouble(noSky)])
    },
    Row("whoever subscribes while fixes may not be had, or none come, is told so at once") {
      $0.at(0, .signal(.unavailable(noSky)))
      $0.at(1, permits(.denied))
      $0.at(2, subscribe(s))
      #expect($0.told[s] == [.authorization(Authorization(.denied)), .trouble(noSky)])
    },
    Row("a source that gave up is asked again for whoever comes next, also beside a subscription") {
      $0.at(0, subscribe(s))
      $0.at(1, .signal(.failed(gone)))
      let effects = $0.at(2, request(a, .room))
      #expect(effects.contains(wants(5)))
    },
    Row("a subscription that is ended is told nothing more") {
      $0.at(0, subscribe(s))
      $0.at(1, live(fix(3, at: 1)))
      $0.at(2, .unsubscribe(s))
      $0.at(3, live(fix(3, at: 3)))
      $0.at(4, .signal(.failed(gone)))
      $0.at(5, permits(.denied))
      #expect($0.told[s] == [.fix(fix(3, at: 1))])
    },
    Row("forcing a request to its end with a subscription's number ends no subscription") {
      $0.at(0, subscribe(s))
      $0.at(1, .completeNow(a))
      $0.at(2, live(fix(3, at: 2)))
      #expect($0.fixes(s).count == 1)
    },
    Row("large moves are a subscription of their own: 500 m after five minutes, and nothing between") {
      $0.at(0, .subscribe(s, .significantChanges(SignificantChangeTerms())))
      for (seconds, metres) in [(0.0, 0.0), (100, 600), (299, 700), (300, 499), (301, 600), (400, 1300)] {
        $0.at(seconds, live(fix(50, at: seconds, north: metres)))
      }
      #expect($0.fixes(s).map(\.time) == [utc(0), utc(301)])
    },
  ]

  /// Where the device points.
  static let headings: [Row] = [
    Row("0 degrees is a heading like any other") {
      let north = try #require(heading(0))
      $0.at(0, .subscribe(s, .headings(HeadingTerms(filter: 5))))
      $0.at(0, .signal(.heading(north)))
      #expect($0.told[s] == [.heading(north)])
    },
    Row("a heading is told when it has turned as far as the filter, also across north") {
      let turns = try [358, 1, 2.9, 3.1, 7, 358].map { try #require(heading($0)) }
      $0.at(0, .subscribe(s, .headings(HeadingTerms(filter: 5))))
      for turn in turns { $0.at(0, .signal(.heading(turn))) }
      #expect($0.told[s] == [turns[0], turns[3], turns[5]].map { .heading($0) })
    },
    Row("a device without a compass says so once, and the subscription is over") {
      $0.at(0, .subscribe(s, .headings(HeadingTerms())))
      $0.at(0, subscribe(u))
      $0.at(1, .signal(.headingsUnavailable(noCompass)))
      $0.at(2, .signal(.headingsUnavailable(noCompass)))
      #expect($0.told == [s: [.headingsUnavailable(noCompass)]])
      #expect($0.over == [s])
      #expect($0.demand == .continuous(ContinuousDemand(accuracy: 5)))
    },
    Row("whoever asks for headings where there are none is told once, and over at once") {
      $0.at(0, .signal(.headingsUnavailable(noCompass)))
      $0.at(1, .subscribe(s, .headings(HeadingTerms())))
      #expect($0.told == [s: [.headingsUnavailable(noCompass)]])
      #expect($0.over == [s])
      #expect($0.demand == .off)
    },
    Row("a reading that is no use is told as such, not as a heading") {
      let bad = try #require(heading(90, accuracy: -1)), good = try #require(heading(91, accuracy: 10))
      $0.at(0, .subscribe(s, .headings(HeadingTerms(filter: 5))))
      for reading in [bad, bad, good, bad] { $0.at(0, .signal(.heading(reading))) }
      #expect($0.told[s] == [.headingUnusable, .heading(good), .headingUnusable])
    },
  ]
}
