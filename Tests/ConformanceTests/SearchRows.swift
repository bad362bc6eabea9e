import EngineTestSupport
import Testing
import WhereaboutsEngine
import Whereabouts

extension EngineConformanceCase {
  /// A search button: a search ends when it reaches its level, settles or times out.
  static let search: [EngineConformanceCase] = [
    EngineConformanceCase(
      "the states of a search are distinct: idle, searching, found, and each failure"
    ) {
      #expect($0.demand == .off, "idle")
      $0.handle(at: 0, searchRequest(a))
      $0.handle(at: 0, .follow(a))
      #expect($0.demand != .off && $0.outcome(a) == nil && $0.progress[a] == nil, "searching")
      $0.handle(at: 1, live(fix(50, at: 1)))
      #expect($0.progress[a] == [answer(fix(50, at: 1), age: 0, .block)], "found")
      $0.handle(at: 2, .cancel(a))
      #expect($0.demand == .off && $0.outcome(a) == .cancelled, "idle again")
      $0.handle(at: 3, authorizationSignal(.denied))
      $0.handle(at: 3, searchRequest(b))
      #expect($0.outcome(b) == .unauthorized(Authorization(.denied)), "denied")
      $0.handle(at: 4, authorizationSignal(.servicesDisabled))
      $0.handle(at: 4, searchRequest(c))
      #expect($0.outcome(c) == .unauthorized(Authorization(.servicesDisabled)), "disabled")
    },
    EngineConformanceCase(
      "a search times out after 30 s without a fix, and the source is off"
    ) {
      $0.handle(at: 0, searchRequest(a))
      $0.handle(at: 29.999, .wake)
      #expect($0.outcome(a) == nil)
      $0.handle(at: 30, .wake)
      #expect($0.outcome(a) == .timedOut(best: nil))
      #expect($0.demand == .off)
    },
    EngineConformanceCase("a temporary source problem does not end the search") {
      $0.handle(at: 0, searchRequest(a))
      $0.handle(at: 10, .signal(.unavailable(noSky)))
      $0.handle(at: 30, .wake)
      #expect($0.outcome(a) == .timedOut(best: nil))
    },
    EngineConformanceCase(
      "a fix of five seconds ago ends the search; an older one does not, even if accurate"
    ) {
      $0.handle(at: 100, searchRequest(a))
      $0.handle(at: 100, cached(fix(2, at: 94.999)))
      #expect($0.outcome(a) == nil)
      $0.handle(at: 100, cached(fix(8, at: 95)))
      #expect($0.outcome(a) == .reached(answer(fix(8, at: 95), age: 5, .house)))
    },
    EngineConformanceCase("successive old fixes at one place do not settle the search") {
      $0.handle(at: 100, searchRequest(a))
      for second in 0..<10 {
        $0.handle(at: 100 + Double(second), cached(fix(50, at: 80 + Double(second))))
      }
      #expect($0.outcome(a) == nil)
    },
    EngineConformanceCase("fixes with a negative accuracy do not end the search") {
      $0.handle(at: 0, searchRequest(a))
      $0.handle(at: 0, .follow(a))
      for second in 1...5 { $0.handle(at: Double(second), live(fix(-1, at: Double(second)))) }
      #expect($0.outcome(a) == nil)
      #expect($0.progress[a] == nil)
    },
    EngineConformanceCase("the progress reports the first fix, and then each more accurate fix only") {
      let shown = [fix(200, at: 1), fix(60, at: 3), fix(20, at: 4)]
      $0.handle(at: 0, request(a, .room, timeout: 30))
      $0.handle(at: 0, .follow(a))
      for next in [shown[0], fix(400, at: 2), shown[1], shown[2], fix(90, at: 5)] {
        $0.handle(at: next.time?.seconds(since: utc(0)) ?? 0, live(next))
      }
      #expect($0.progress[a]?.map(\.fix) == shown)
      #expect($0.outcome(a) == nil)
    },
    EngineConformanceCase("a fix clears the reported source problem") {
      $0.handle(at: 0, searchRequest(a))
      $0.handle(at: 1, .signal(.unavailable(noSky)))
      #expect($0.status.source == .unavailable(noSky))
      $0.handle(at: 2, live(fix(200, at: 2)))
      #expect($0.status.source == .working)
    },
    EngineConformanceCase("a fix of 10 m ends the search and the receiver is off") {
      $0.handle(at: 0, searchRequest(a))
      $0.handle(at: 1, live(fix(10.01, at: 1)))
      #expect($0.demand != .off)
      $0.handle(at: 2, live(fix(10, at: 2)))
      #expect($0.outcome(a) == .reached(answer(fix(10, at: 2), age: 0, .house)))
      #expect($0.demand == .off)
    },
    EngineConformanceCase(
      "a fix at the same place without better accuracy settles the search, and the receiver is off"
    ) {
      $0.handle(at: 0, searchRequest(a))
      $0.handle(at: 1, live(fix(40, at: 1)))
      #expect($0.outcome(a) == nil)
      $0.handle(at: 2, live(fix(40, at: 2)))
      #expect($0.outcome(a) == .settled(answer(fix(40, at: 2), age: 0, .block)))
      #expect($0.demand == .off)
    },
    EngineConformanceCase("a fix at the same place with better accuracy continues the search") {
      $0.handle(at: 0, searchRequest(a))
      for (second, accuracy) in [100.0, 80, 60, 45, 30, 20, 15].enumerated() {
        $0.handle(at: Double(second), live(fix(accuracy, at: Double(second))))
      }
      #expect($0.outcome(a) == nil)
    },
    EngineConformanceCase("a fix at another place without better accuracy continues the search") {
      $0.handle(at: 0, searchRequest(a))
      for second in 1...9 {
        $0.handle(at: Double(second), live(fix(40, at: Double(second), north: 100 * Double(second))))
      }
      #expect($0.outcome(a) == nil)
    },
    EngineConformanceCase("a request without a settling time never settles") {
      $0.handle(at: 0, request(a, .room))
      for second in 1...600 { $0.handle(at: Double(second), live(fix(40, at: Double(second)))) }
      #expect($0.outcome(a) == nil)
    },
    EngineConformanceCase("cancelling ends the search") {
      $0.handle(at: 0, searchRequest(a))
      $0.handle(at: 1, .cancel(a))
      #expect($0.outcome(a) == .cancelled)
      #expect($0.demand == .off)
    },
  ]
}

/// A request for 10 m and 5 s, with a timeout of 30 s and a settling time of 1 s.
private func searchRequest(_ id: RequestID) -> Input {
  request(
    id, AccuracyLevel.custom(worstAccuracy: 10, maxAge: .seconds(5)) ?? .room, timeout: 30, settle: 1)
}
