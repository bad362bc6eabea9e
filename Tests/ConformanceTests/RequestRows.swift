import WhereaboutsEngine
import EngineTestSupport
import Testing
import Whereabouts

extension EngineConformanceCase {
  /// Outcomes of requests for one fix.
  static let requests: [EngineConformanceCase] = [
    EngineConformanceCase(
      "requests wait side by side, each with its own level, timeout and outcome"
    ) {
      let fair = fix(60, at: 2)
      $0.handle(at: 0, request(a, .block, timeout: 10))
      $0.handle(at: 0, request(b, .house, timeout: 4))
      $0.handle(at: 0, request(c, .room, timeout: 20))
      $0.handle(at: 2, live(fair))
      $0.handle(at: 4, .wake)
      #expect($0.endings.map(\.id) == [a, b])
      #expect($0.outcome(a) == .reached(answer(fair, age: 0, .block)))
      #expect($0.outcome(b) == .timedOut(best: answer(fair, age: 2, .block)))
      $0.handle(at: 20, .wake)
      #expect($0.outcome(c) == .timedOut(best: answer(fair, age: 18, .block)))
    },
    EngineConformanceCase("one fix answers every request whose level it reaches") {
      let good = fix(4, at: 1)
      $0.handle(at: 0, request(a, .room))
      $0.handle(at: 0, request(b, .city))
      $0.handle(at: 1, live(good))
      #expect($0.endings.map(\.id) == [a, b])
      #expect($0.endings.allSatisfy { $0.outcome == .reached(answer(good, age: 0, .room)) })
    },
    EngineConformanceCase("a successful outcome carries the reached level") {
      let good = fix(80, at: 1)
      $0.handle(at: 0, request(a, .city))
      $0.handle(at: 1, live(good))
      #expect($0.outcome(a) == .reached(answer(good, age: 0, .block)))
    },
    EngineConformanceCase("a failed source ends a request with its own error and the best fix") {
      let known = fix(400, at: 1)
      $0.handle(at: 0, request(a, .room))
      $0.handle(at: 1, live(known))
      $0.handle(at: 2, .signal(.failed(unreachable)))
      #expect($0.outcome(a) == .sourceFailed(unreachable, best: answer(known, age: 1, .neighborhood)))
    },
    EngineConformanceCase("a known fix within the level answers a new request at once") {
      let known = fix(12, at: 0)
      $0.handle(at: 0, live(known))
      let effects = $0.handle(at: 15, request(a, .house))
      #expect(effects == [.finish(a, .reached(answer(known, age: 15, .house)))])
      $0.handle(at: 15.001, request(b, .house))
      #expect($0.outcome(b) == nil)
    },
    EngineConformanceCase(
      "a known fix within the level answers a request: the last one if the best is too old"
    ) {
      // On foot an exact fix of 61 s ago is still the best, but too old for the block level.
      let exact = fix(5, at: 0), last = fix(95, at: 60)
      $0.handle(at: 0, request(a, .room, .walk))
      $0.handle(at: 0, live(exact))
      $0.handle(at: 0, request(b, AccuracyLevel.custom(worstAccuracy: 1, maxAge: .zero) ?? .room, .walk))
      $0.handle(at: 60, live(last))
      $0.handle(at: 61, request(c, .block, .walk))
      #expect($0.outcome(c) == .reached(answer(last, age: 1, .block)))
    },
    EngineConformanceCase("a request completed early returns the best fix") {
      let known = fix(700, at: 0)
      $0.handle(at: 0, request(a, .room))
      $0.handle(at: 0, live(known))
      $0.handle(at: 2, .completeNow(a))
      #expect($0.outcome(a) == .completedEarly(best: answer(known, age: 2, .neighborhood)))
    },
    EngineConformanceCase("a request completed early without a fix returns no fix") {
      $0.handle(at: 0, request(a, .room))
      $0.handle(at: 0, .completeNow(a))
      #expect($0.outcome(a) == .completedEarly(best: nil))
    },
    EngineConformanceCase("a cancelled request receives no fix, then or later") {
      $0.handle(at: 0, live(fix(700, at: 0)))
      $0.handle(at: 0, request(a, .room, timeout: 5))
      $0.handle(at: 1, .cancel(a))
      #expect($0.outcome(a) == .cancelled)
      $0.handle(at: 2, live(fix(2, at: 2)))
      $0.handle(at: 5, .wake)
      #expect($0.endings.count == 1)
    },
    EngineConformanceCase("unknown and ended ids have no effect") {
      #expect($0.handle(at: 0, .cancel(a)).isEmpty)
      #expect($0.handle(at: 0, .completeNow(a)).isEmpty)
      #expect($0.handle(at: 0, .follow(a)).isEmpty)
      #expect($0.handle(at: 0, .unsubscribe(s)).isEmpty)
      $0.handle(at: 0, request(a, .room))
      $0.handle(at: 1, .cancel(a))
      #expect($0.handle(at: 2, .cancel(a)).isEmpty)
      #expect($0.handle(at: 2, .completeNow(a)).isEmpty)
      #expect($0.endings.count == 1)
    },
    EngineConformanceCase(
      "cancelling a request after the end of another leaves the rest unchanged"
    ) {
      // The reaction of the first request's caller arrives as the next input.
      let good = fix(12, at: 1)
      $0.handle(at: 0, request(a, .house))
      $0.handle(at: 0, request(b, .room))
      $0.handle(at: 0, request(c, .room))
      $0.handle(at: 1, live(good))
      $0.handle(at: 1, .cancel(b))
      #expect($0.endings.map(\.id) == [a, b])
      #expect($0.outcome(b) == .cancelled)
      $0.handle(at: 2, live(fix(3, at: 2)))
      #expect($0.outcome(c) == .reached(answer(fix(3, at: 2), age: 0, .room)))
      #expect($0.demand == .off)
    },
    EngineConformanceCase("ending twenty thousand requests together costs no more for each than ending one") {
      // If each end cost a pass over all other requests, this test would exceed the suite's time limit.
      let number = UInt64(20_000)
      for id in 1...number { $0.handle(at: 0, request(RequestID(id), .house, timeout: 10)) }
      $0.handle(at: 1, live(fix(500, at: 1)))
      $0.handle(at: 2, live(fix(10, at: 2)))
      #expect($0.endings.map(\.id.number) == Array(1...number))
    },
  ]

  /// Timeouts of requests.
  static let timeouts: [EngineConformanceCase] = [
    EngineConformanceCase(
      "the timeout counts from the request, also during the permission prompt",
      settings: .needingAuthorization()
    ) {
      $0.handle(at: 3, request(a, .room, timeout: 10))
      #expect($0.wake == t(13).instant)
      $0.handle(at: 13, .wake)
      #expect($0.outcome(a) == .unauthorized(Authorization(.notDetermined)))
    },
    EngineConformanceCase(
      "a timeout that waits for permission starts when permission is granted",
      settings: .needingAuthorization()
    ) {
      $0.handle(at: 0, request(a, .room, timeout: 10, starts: .whenAuthorized))
      #expect($0.wake == nil)
      $0.handle(at: 100, .wake)
      #expect($0.outcome(a) == nil)
      $0.handle(at: 100, authorizationSignal(.whenInUse))
      #expect($0.wake == t(110).instant)
      $0.handle(at: 109.999, .wake)
      #expect($0.outcome(a) == nil)
      $0.handle(at: 110, .wake)
      #expect($0.outcome(a) == .timedOut(best: nil))
    },
    EngineConformanceCase(
      "a timeout that waits for permission ends with a denial",
      settings: .needingAuthorization()
    ) {
      $0.handle(at: 0, request(a, .room, timeout: 10, starts: .whenAuthorized))
      $0.handle(at: 5, authorizationSignal(.denied))
      #expect($0.outcome(a) == .unauthorized(Authorization(.denied)))
      #expect($0.wake == nil)
    },
    EngineConformanceCase(
      "a timeout that waits for permission starts at once if permission is known",
      settings: .needingAuthorization()
    ) {
      $0.handle(at: 0, authorizationSignal(.always))
      $0.handle(at: 1, request(a, .room, timeout: 10, starts: .whenAuthorized))
      #expect($0.wake == t(11).instant)
      $0.handle(at: 2, authorizationSignal(.denied))
      $0.handle(at: 3, request(b, .room, timeout: 10, starts: .whenAuthorized))
      #expect($0.outcome(b) == .unauthorized(Authorization(.denied)))
    },
    EngineConformanceCase("a timeout that waits for permission starts at once if no permission is needed") {
      $0.handle(at: 1, request(a, .room, timeout: 10, starts: .whenAuthorized))
      #expect($0.wake == t(11).instant)
    },
    EngineConformanceCase("a request without a timeout waits indefinitely") {
      $0.handle(at: 0, request(a, .room))
      #expect($0.wake == nil)
      $0.handle(at: 1e9, .wake)
      #expect($0.outcome(a) == nil)
    },
    EngineConformanceCase("a timeout returns the best fix, not the latest") {
      let best = fix(30, at: 4)
      $0.handle(at: 0, request(a, .room, timeout: 8))
      $0.handle(at: 2, live(fix(300, at: 2)))
      $0.handle(at: 4, live(best))
      $0.handle(at: 6, live(fix(200, at: 6)))
      $0.handle(at: 8, .wake)
      #expect($0.outcome(a) == .timedOut(best: answer(best, age: 4, .block)))
    },
    EngineConformanceCase("the best fix of a batch is found at any position") {
      let best = fix(20, at: 2)
      $0.handle(at: 5, request(a, .room, timeout: 5))
      for made in [fix(90, at: 1), best, fix(70, at: 3), fix(300, at: 4)] { $0.handle(at: 5, cached(made)) }
      $0.handle(at: 10, .wake)
      #expect($0.outcome(a) == .timedOut(best: answer(best, age: 8, .block)))
    },
    EngineConformanceCase("a fix in the middle of a batch answers a request") {
      let good = fix(4, at: 3)
      $0.handle(at: 5, request(a, .room, timeout: 5))
      for made in [fix(90, at: 1), fix(40, at: 2), good, fix(70, at: 4)] { $0.handle(at: 5, cached(made)) }
      #expect($0.outcome(a) == .reached(answer(good, age: 2, .room)))
    },
    EngineConformanceCase("a new and fair fix is preferred to an old and accurate one") {
      let fair = fix(60, at: 60)
      $0.handle(
        at: 0, request(a, AccuracyLevel.custom(worstAccuracy: 1, maxAge: .zero) ?? .room, timeout: 70))
      $0.handle(at: 0, live(fix(3, at: 0)))
      $0.handle(at: 60, live(fair))
      $0.handle(at: 70, .wake)
      #expect($0.outcome(a) == .timedOut(best: answer(fair, age: 10, .block)))
    },
  ]
}
