import WhereaboutsEngine
import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsTesting

extension EngineConformanceCase {
  /// Acceptance of fixes.
  static let acceptance: [EngineConformanceCase] = [
    EngineConformanceCase("an accurate fix is accepted at once, unchanged") {
      var made = fix(10, at: 1, speed: 12)
      made.course = 90
      made.heightAboveGeoid = 440
      made.verticalAccuracy = 7
      $0.handle(at: 0, subscribeToAcceptedFixes())
      $0.handle(at: 1, live(made))
      #expect($0.accepted(s) == [AcceptedFix(fix: made, age: .zero, because: .accurate)])
    },
    EngineConformanceCase(
      "the default terms are 10 m, 60 s, 10 s, 10 tries, 50 m, 10 m on foot and 400 m on a highway from 20 m/s"
    ) {
      _ = $0
      let terms = AcceptanceTerms.standard
      #expect(terms.requiredAccuracy == 10 && terms.maximumTries == 10 && terms.ignoresPossibleDuplicates)
      #expect(terms.recencyThreshold == .seconds(60) && terms.wait == .seconds(10))
      #expect(terms.distanceFilter == 50 && terms.walkingDistanceFilter == 10)
      #expect(
        terms.highwayDistanceFilter == 400 && terms.highwaySpeed == 20 && terms.highwayRecency == .seconds(15)
      )
      #expect(terms.activity == .car && AcceptanceTerms.walking.activity == .walk)
    },
    EngineConformanceCase(
      "new fixes are ignored while the last accepted fix is accurate and younger than the threshold"
    ) {
      $0.handle(at: 0, subscribeToAcceptedFixes())
      for seconds in [0.0, 20, 59, 60] {
        $0.handle(at: seconds, live(fix(5, at: seconds, north: seconds * 10)))
      }
      #expect($0.accepted(s).map(\.fix.time) == [utc(0), utc(60)])
      #expect($0.notAccepted == [.recentEnough(age: .seconds(20)), .recentEnough(age: .seconds(59))])
    },
    EngineConformanceCase("an inaccurate accepted fix does not start the recency threshold") {
      $0.handle(at: 0, subscribeToAcceptedFixes(AcceptanceTerms(maximumTries: 1)))
      $0.handle(at: 0, live(fix(30, at: 0)))
      $0.handle(at: 20, live(fix(5, at: 20, north: 100)))
      #expect($0.accepted(s).map(\.fix.time) == [utc(0), utc(20)])
    },
    EngineConformanceCase("inaccurate fixes are held, and an accurate fix discards them") {
      $0.handle(at: 0, subscribeToAcceptedFixes())
      $0.handle(at: 1, live(fix(40, at: 1)))
      $0.handle(at: 2, live(fix(20, at: 2)))
      #expect($0.accepted(s).isEmpty && $0.notAccepted == [.held(1), .held(2)])
      $0.handle(at: 3, live(fix(9, at: 3)))
      $0.handle(at: 30, .wake)
      #expect($0.accepted(s) == [AcceptedFix(fix: fix(9, at: 3), age: .zero, because: .accurate)])
    },
    EngineConformanceCase("after ten seconds the best held fix is accepted, not the last") {
      $0.handle(at: 0, subscribeToAcceptedFixes())
      for (seconds, accuracy) in [(1.0, 40.0), (4, 15), (7, 90)] {
        $0.handle(at: seconds, live(fix(accuracy, at: seconds, speed: 0)))
      }
      #expect($0.wake == t(11).instant)
      $0.handle(at: 11, .wake)
      #expect(
        $0.accepted(s)
          == [
            AcceptedFix(
              fix: fix(15, at: 4, speed: 0), age: .seconds(7), because: .best(of: 3, after: .seconds(10)))
          ])
      #expect($0.wake == nil)
    },
    EngineConformanceCase("at the tenth try the best held fix is accepted, not the last") {
      $0.handle(at: 0, subscribeToAcceptedFixes())
      for number in 1...10 {
        let seconds = Double(number) / 10
        $0.handle(at: seconds, live(fix(number == 4 ? 12 : 50, at: seconds, speed: 0)))
      }
      #expect($0.accepted(s).map(\.fix) == [fix(12, at: 0.4, speed: 0)])
      #expect($0.accepted(s).first?.because == .best(of: 10, after: .milliseconds(900)))
    },
    EngineConformanceCase("the best held fix is chosen with an allowance for movement since") {
      $0.handle(at: 0, subscribeToAcceptedFixes())
      $0.handle(at: 0, live(fix(20, at: 0, speed: 30)))
      $0.handle(at: 8, live(fix(60, at: 8, north: 240, speed: 30)))
      $0.handle(at: 10, .wake)
      #expect($0.accepted(s).map(\.fix) == [fix(60, at: 8, north: 240, speed: 30)])
    },
    EngineConformanceCase("an overdue held fix is accepted before the next fix is processed") {
      $0.handle(at: 0, subscribeToAcceptedFixes())
      $0.handle(at: 1, live(fix(40, at: 1)))
      $0.handle(at: 12, live(fix(5, at: 12, north: 500)))
      #expect($0.accepted(s).map(\.fix.time) == [utc(1), utc(12)])
    },
    EngineConformanceCase("a possible duplicate lies within the filter plus both accuracies") {
      $0.handle(at: 0, subscribeToAcceptedFixes(AcceptanceTerms(recencyThreshold: .zero)))
      $0.handle(at: 0, live(fix(6, at: 0)))
      $0.handle(at: 10, live(fix(8, at: 10, north: 63)))
      $0.handle(at: 20, live(fix(8, at: 20, north: 65)))
      #expect($0.accepted(s).map(\.fix.time) == [utc(0), utc(20)])
      guard case .possibleDuplicate(let distance, let needed)? = $0.notAccepted.first else {
        Issue.record("\($0.notAccepted)")
        return
      }
      #expect(abs(distance - 63) < 0.1 && needed == 64)
    },
    EngineConformanceCase("only the distance filter applies if possible duplicates are not ignored") {
      $0.handle(
        at: 0,
        subscribeToAcceptedFixes(AcceptanceTerms(recencyThreshold: .zero, ignoresPossibleDuplicates: false)))
      for (seconds, metres) in [(0.0, 0.0), (10, 49), (20, 51)] {
        $0.handle(at: seconds, live(fix(8, at: seconds, north: metres)))
      }
      #expect($0.accepted(s).map(\.fix.time) == [utc(0), utc(20)])
    },
    EngineConformanceCase("a stationary device gets one accepted fix, despite many poor fixes") {
      $0.handle(at: 0, subscribeToAcceptedFixes())
      for seconds in stride(from: 0.0, through: 3600, by: 10) {
        $0.handle(at: seconds, live(fix(30, at: seconds, north: seconds.truncatingRemainder(dividingBy: 70))))
      }
      #expect($0.accepted(s).count == 1)
    },
    EngineConformanceCase("the filter is 10 m on foot, and the source receives the activity") {
      $0.handle(at: 0, subscribeToAcceptedFixes(AcceptanceTerms(recencyThreshold: .zero, activity: .walk)))
      #expect($0.demand == .continuous(Demand.Continuous(accuracy: 10, activity: .walk)))
      for (seconds, metres) in [(0.0, 0.0), (10, 19), (20, 21)] {
        $0.handle(at: seconds, live(fix(5, at: seconds, north: metres)))
      }
      #expect($0.accepted(s).map(\.fix.time) == [utc(0), utc(20)])
    },
    EngineConformanceCase("the filter is 400 m from exactly 20 m/s on") {
      $0.handle(at: 0, subscribeToAcceptedFixes(AcceptanceTerms(recencyThreshold: .seconds(16))))
      $0.handle(at: 0, live(fix(5, at: 0)))
      $0.handle(at: 20, live(fix(5, at: 20, north: 400, speed: 20)))
      $0.handle(at: 21, live(fix(5, at: 21, north: 405, speed: 19.9)))
      $0.handle(at: 44, live(fix(5, at: 44, north: 820, speed: 20)))
      #expect($0.accepted(s).map(\.fix.time) == [utc(0), utc(21), utc(44)])
    },
    EngineConformanceCase("the highway filter does not apply with a threshold of 15 s or less") {
      $0.handle(at: 0, subscribeToAcceptedFixes(AcceptanceTerms(recencyThreshold: .seconds(15))))
      $0.handle(at: 0, live(fix(5, at: 0)))
      $0.handle(at: 20, live(fix(5, at: 20, north: 400, speed: 25)))
      #expect($0.accepted(s).count == 2)
    },
    EngineConformanceCase("fixes on the equator and on the prime meridian are accepted") {
      for (number, place) in [(0.0, 20.0), (51.5, 0), (0, 0)].enumerated() {
        let id = SubscriptionID(UInt64(number + 1)), seconds = Double(number) * 10_000
        $0.handle(at: seconds, .subscribe(id, .accepted(.standard)))
        let there = Fix.test(
          latitude: place.0, longitude: place.1, accuracy: 5, time: utc(seconds + 1))
        $0.handle(at: seconds + 1, live(there))
        #expect($0.accepted(id).map(\.fix) == [there])
        $0.handle(at: seconds + 2, .unsubscribe(id))
      }
    },
    EngineConformanceCase(
      "reading the last known fix starts no source and invents no fix"
    ) {
      #expect($0.lastFix(at: 0) == nil)
      #expect($0.demand == .off)
      $0.handle(at: 0, subscribeToAcceptedFixes())
      $0.handle(at: 100, .wake)
      #expect($0.accepted(s).isEmpty && $0.lastFix(at: 100) == nil)
      $0.handle(at: 101, live(fix(5, at: 101)))
      $0.handle(at: 102, .unsubscribe(s))
      #expect($0.lastFix(at: 1000) == answer(fix(5, at: 101), age: 899, nil))
      #expect($0.demand == .off)
    },
    EngineConformanceCase("a fix without an accuracy is held and ranks below any fix with one") {
      $0.handle(at: 0, subscribeToAcceptedFixes())
      $0.handle(at: 1, live(fix(nil, at: 1)))
      $0.handle(at: 2, live(fix(90, at: 2)))
      $0.handle(at: 3, live(fix(nil, at: 3)))
      $0.handle(at: 11, .wake)
      #expect($0.accepted(s).map(\.fix) == [fix(90, at: 2)])
    },
    EngineConformanceCase("the best held fix is accepted when the source ends") {
      $0.handle(at: 0, subscribeToAcceptedFixes())
      $0.handle(at: 1, live(fix(40, at: 1)))
      $0.handle(at: 2, .signal(.ended))
      #expect($0.accepted(s).map(\.because) == [.best(of: 1, after: .seconds(1))])
      #expect($0.endedSubscriptions == [s])
    },
    EngineConformanceCase("held fixes are discarded when permission is lost") {
      $0.handle(at: 0, subscribeToAcceptedFixes())
      $0.handle(at: 1, live(fix(40, at: 1)))
      $0.handle(at: 2, authorizationSignal(.denied))
      $0.handle(at: 3, authorizationSignal(.always))
      $0.handle(at: 20, .wake)
      #expect($0.accepted(s).isEmpty && $0.wake == nil)
    },
  ]

  /// Outliers: fixes that the device can't have reached.
  static let outliers: [EngineConformanceCase] = [
    EngineConformanceCase(
      "a teleporting fix is not delivered, and the refusal states the excess distance"
    ) {
      $0.handle(at: 0, subscribe(s))
      for seconds in 0...5 { $0.handle(at: Double(seconds), live(fix(8, at: Double(seconds), speed: 0))) }
      $0.handle(at: 6, request(a, .room))
      $0.handle(at: 6, live(fix(4, at: 6, north: 300, speed: 0)))
      $0.handle(at: 7, live(fix(4, at: 7, speed: 0)))
      #expect($0.fixes(s).compactMap(\.time) == [0, 1, 2, 3, 4, 5, 7].map { utc($0) })
      #expect($0.outcome(a)?.answer?.fix == fix(4, at: 7, speed: 0))
      #expect($0.refused == [.outlier: 1])
      guard case .refused(_, .outlier(let outlier))? = $0.decisions.last(where: { $0.isOutlier }) else {
        Issue.record("\($0.decisions)")
        return
      }
      #expect(abs(outlier.distance - 300) < 1 && outlier.seconds == 1 && outlier.allowed < 60)
    },
    EngineConformanceCase(
      "a jump that three fixes agree on is accepted and logged, and older fixes no longer answer requests"
    ) {
      $0.handle(at: 0, subscribe(s))
      for seconds in 0...5 { $0.handle(at: Double(seconds), live(fix(5, at: Double(seconds), speed: 0))) }
      for seconds in 6...9 {
        $0.handle(at: Double(seconds), live(fix(12, at: Double(seconds), north: 9000, speed: 0)))
      }
      #expect($0.fixes(s).compactMap(\.time).suffix(3) == [5, 8, 9].map { utc($0) })
      #expect(
        $0.decisions.contains {
          if case .jumpBelieved(_, let jump) = $0 { jump.agreeing == 3 } else { false }
        })
      $0.handle(at: 10, request(a, .house))
      #expect($0.outcome(a)?.answer?.fix.coordinate == fix(12, at: 9, north: 9000).coordinate)
    },
    EngineConformanceCase("fixes held at an implausible place are discarded after a jump") {
      $0.handle(at: 0, subscribeToAcceptedFixes())
      for seconds in 0...4 { $0.handle(at: Double(seconds), live(fix(40, at: Double(seconds), speed: 0))) }
      for seconds in 5...7 {
        $0.handle(at: Double(seconds), live(fix(70, at: Double(seconds), north: 9000, speed: 0)))
      }
      $0.handle(at: 17, .wake)
      #expect($0.accepted(s).map(\.fix) == [fix(70, at: 7, north: 9000, speed: 0)])
    },
    EngineConformanceCase(
      "every valid fix is used if the outlier test is off", settings: EngineSettings(outliers: nil)
    ) {
      $0.handle(at: 0, subscribe(s))
      for seconds in 0...9 {
        $0.handle(at: Double(seconds), live(fix(5, at: Double(seconds), north: Double(seconds % 2) * 9000)))
      }
      #expect($0.fixes(s).count == 10)
    },
  ]
}

private func subscribeToAcceptedFixes(_ terms: AcceptanceTerms = .standard) -> Input {
  .subscribe(s, .accepted(terms))
}

extension EngineScenario {
  /// The reasons for fixes that were not accepted, in order.
  fileprivate var notAccepted: [Decision.NonAcceptance] {
    decisions.compactMap { if case .notAccepted(_, _, because: let reason) = $0 { reason } else { nil } }
  }
}

extension Decision {
  fileprivate var isOutlier: Bool { if case .refused(_, .outlier) = self { true } else { false } }
}
