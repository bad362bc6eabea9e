import EngineTestSupport
import Testing
import WhereaboutsEngine
import Whereabouts

extension EngineConformanceCase {
  /// Demands on the source.
  static let demands: [EngineConformanceCase] = [
    EngineConformanceCase("the receiver is off until the first request and off again after the last") {
      #expect($0.demand == .off)
      $0.handle(at: 0, request(a, .house))
      #expect($0.demand == .continuous(Demand.Continuous(accuracy: 15)))
      $0.handle(at: 1, request(b, .house))
      $0.handle(at: 2, .cancel(a))
      #expect($0.demand != .off)
      $0.handle(at: 3, live(fix(10, at: 3)))
      #expect($0.demand == .off)
    },
    EngineConformanceCase("a request answered by a known fix leaves the receiver off") {
      $0.handle(at: 0, live(fix(10, at: 0)))
      let effects = $0.handle(at: 1, request(a, .house))
      #expect(!effects.contains { if case .demand = $0 { true } else { false } })
    },
    EngineConformanceCase(
      "the demand is the highest accuracy of all requests and rises with new requests"
    ) {
      $0.handle(at: 0, request(a, .city))
      $0.handle(at: 0, request(b, .house))
      #expect($0.demand == .continuous(Demand.Continuous(accuracy: 15)))
      $0.handle(at: 0, request(c, .block))
      #expect($0.demand == .continuous(Demand.Continuous(accuracy: 15)))
    },
    EngineConformanceCase("the demanded accuracy falls as requests end, without a restart of the source") {
      var demands: [Effect] = []
      $0.handle(at: 0, request(a, .room))
      $0.handle(at: 0, request(b, .block))
      $0.handle(at: 0, request(c, .city))
      for (seconds, input) in [(1.0, Input.cancel(a)), (2, live(fix(90, at: 2)))] {
        demands += $0.handle(at: seconds, input).filter { if case .demand = $0 { true } else { false } }
      }
      #expect(demands == [demandEffect(100), .demand(.off)])
    },
    EngineConformanceCase("subscriptions count like requests in the demand") {
      $0.handle(at: 0, subscribe(s, .block))
      $0.handle(at: 0, request(a, .room))
      #expect($0.demand == .continuous(Demand.Continuous(accuracy: 5)))
      $0.handle(at: 1, .cancel(a))
      #expect($0.demand == .continuous(Demand.Continuous(accuracy: 100)))
      $0.handle(at: 2, .unsubscribe(s))
      #expect($0.demand == .off)
    },
    EngineConformanceCase("the demand carries the activity") {
      for (number, activity) in Activity.allCases.enumerated() {
        let id = RequestID(UInt64(number + 1))
        $0.handle(at: 0, request(id, .house, activity))
        #expect($0.demand == .continuous(Demand.Continuous(accuracy: 15, activity: activity)))
        $0.handle(at: 0, .cancel(id))
      }
    },
    EngineConformanceCase(
      "the demand carries an activity only if all requests agree on it"
    ) {
      $0.handle(at: 0, request(a, .house, .car))
      $0.handle(at: 0, request(b, .block, .car))
      #expect($0.demand == .continuous(Demand.Continuous(accuracy: 15, activity: .car)))
      $0.handle(at: 0, request(c, .block, .walk))
      #expect($0.demand == .continuous(Demand.Continuous(accuracy: 15, activity: .other)))
      $0.handle(at: 0, .cancel(c))
      #expect($0.demand == .continuous(Demand.Continuous(accuracy: 15, activity: .car)))
    },
    EngineConformanceCase("a subscription to significant changes never starts the continuous service") {
      $0.handle(at: 0, .subscribe(s, .significantChanges(SignificantChangeTerms())))
      #expect($0.demand == .significantChanges)
      $0.handle(at: 1, request(a, .house))
      #expect($0.demand.fixes == .continuous(Demand.Continuous(accuracy: 15)))
      $0.handle(at: 2, .cancel(a))
      #expect($0.demand == .significantChanges)
    },
    EngineConformanceCase("significant changes are demanded beside continuous fixes, in any order") {
      $0.handle(at: 0, .subscribe(s, .significantChanges(SignificantChangeTerms())))
      $0.handle(at: 1, request(a, .house))
      var both = Demand.continuous(Demand.Continuous(accuracy: 15))
      both.watchesSignificantChanges = true
      #expect($0.demand == both)
      $0.handle(at: 2, .unsubscribe(s))
      #expect($0.demand == .continuous(Demand.Continuous(accuracy: 15)))
      $0.handle(at: 3, .subscribe(u, .significantChanges(SignificantChangeTerms())))
      #expect($0.demand == both)
      $0.handle(at: 4, .cancel(a))
      #expect($0.demand == .significantChanges)
    },
    EngineConformanceCase("a subscription to headings leaves the receiver off") {
      $0.handle(at: 0, .subscribe(s, .headings(HeadingTerms(filter: 5))))
      #expect($0.demand == Demand(fixes: .off, headings: Demand.Headings(filter: 5)))
    },
  ]
}
