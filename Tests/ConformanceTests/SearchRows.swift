import EngineTestSupport
import Testing
import WhereaboutsEngine
import Whereabouts

extension EngineConformanceCase {
  /// One button that searches until it has found, has settled, or gives up.
  static let search: [EngineConformanceCase] = [
    EngineConformanceCase(
      "what a status line says can be told apart: idle, searching, found, and each way to fail"
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
      "30 s without any fix end the search with an outcome of its own, and the source off"
    ) {
      $0.handle(at: 0, searchRequest(a))
      $0.handle(at: 29.999, .wake)
      #expect($0.outcome(a) == nil)
      $0.handle(at: 30, .wake)
      #expect($0.outcome(a) == .timedOut(best: nil))
      #expect($0.demand == .off)
    },
    EngineConformanceCase("a source that reports problem meanwhile does not end the search in its place") {
      $0.handle(at: 0, searchRequest(a))
      $0.handle(at: 10, .signal(.unavailable(noSky)))
      $0.handle(at: 30, .wake)
      #expect($0.outcome(a) == .timedOut(best: nil))
    },
    EngineConformanceCase(
      "a fix of five seconds ago may be what is searched for; an older one is not, however exact"
    ) {
      $0.handle(at: 100, searchRequest(a))
      $0.handle(at: 100, cached(fix(2, at: 94.999)))
      #expect($0.outcome(a) == nil)
      $0.handle(at: 100, cached(fix(8, at: 95)))
      #expect($0.outcome(a) == .reached(answer(fix(8, at: 95), age: 5, .house)))
    },
    EngineConformanceCase("old fixes of one place that come one after the other do not settle the search") {
      $0.handle(at: 100, searchRequest(a))
      for second in 0..<10 {
        $0.handle(at: 100 + Double(second), cached(fix(50, at: 80 + Double(second))))
      }
      #expect($0.outcome(a) == nil)
    },
    EngineConformanceCase("a negative accuracy is not what is searched for") {
      $0.handle(at: 0, searchRequest(a))
      $0.handle(at: 0, .follow(a))
      for second in 1...5 { $0.handle(at: Double(second), live(fix(-1, at: Double(second)))) }
      #expect($0.outcome(a) == nil)
      #expect($0.progress[a] == nil)
    },
    EngineConformanceCase("the first fix is shown, then each that is more accurate, and no other") {
      let shown = [fix(200, at: 1), fix(60, at: 3), fix(20, at: 4)]
      $0.handle(at: 0, request(a, .room, timeout: 30))
      $0.handle(at: 0, .follow(a))
      for next in [shown[0], fix(400, at: 2), shown[1], shown[2], fix(90, at: 5)] {
        $0.handle(at: next.time?.seconds(since: utc(0)) ?? 0, live(next))
      }
      #expect($0.progress[a]?.map(\.fix) == shown)
      #expect($0.outcome(a) == nil)
    },
    EngineConformanceCase("a fix clears the problem that was shown") {
      $0.handle(at: 0, searchRequest(a))
      $0.handle(at: 1, .signal(.unavailable(noSky)))
      #expect($0.status.source == .unavailable(noSky))
      $0.handle(at: 2, live(fix(200, at: 2)))
      #expect($0.status.source == .working)
    },
    EngineConformanceCase("10 m reached: the search is over and the receiver off") {
      $0.handle(at: 0, searchRequest(a))
      $0.handle(at: 1, live(fix(10.01, at: 1)))
      #expect($0.demand != .off)
      $0.handle(at: 2, live(fix(10, at: 2)))
      #expect($0.outcome(a) == .reached(answer(fix(10, at: 2), age: 0, .house)))
      #expect($0.demand == .off)
    },
    EngineConformanceCase(
      "the same place again, no more accurate than before: the search is over and the receiver off"
    ) {
      $0.handle(at: 0, searchRequest(a))
      $0.handle(at: 1, live(fix(40, at: 1)))
      #expect($0.outcome(a) == nil)
      $0.handle(at: 2, live(fix(40, at: 2)))
      #expect($0.outcome(a) == .settled(answer(fix(40, at: 2), age: 0, .block)))
      #expect($0.demand == .off)
    },
    EngineConformanceCase("the same place, and more accurate than before: the search goes on") {
      $0.handle(at: 0, searchRequest(a))
      for (second, accuracy) in [100.0, 80, 60, 45, 30, 20, 15].enumerated() {
        $0.handle(at: Double(second), live(fix(accuracy, at: Double(second))))
      }
      #expect($0.outcome(a) == nil)
    },
    EngineConformanceCase("another place, no more accurate than before: the search goes on") {
      $0.handle(at: 0, searchRequest(a))
      for second in 1...9 {
        $0.handle(at: Double(second), live(fix(40, at: Double(second), north: 100 * Double(second))))
      }
      #expect($0.outcome(a) == nil)
    },
    EngineConformanceCase("who does not ask for it is never settled") {
      $0.handle(at: 0, request(a, .room))
      for second in 1...600 { $0.handle(at: Double(second), live(fix(40, at: Double(second)))) }
      #expect($0.outcome(a) == nil)
    },
    EngineConformanceCase("the button pressed again ends the search") {
      $0.handle(at: 0, searchRequest(a))
      $0.handle(at: 1, .cancel(a))
      #expect($0.outcome(a) == .cancelled)
      #expect($0.demand == .off)
    },
  ]
}

/// 10 m of at most five seconds ago, within 30 s, or the best once it stays the same for a second.
private func searchRequest(_ id: RequestID) -> Input {
  request(
    id, AccuracyLevel.custom(worstAccuracy: 10, maxAge: .seconds(5)) ?? .room, timeout: 30, settle: 1)
}
