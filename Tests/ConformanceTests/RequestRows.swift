import EngineBench
import Testing
import Whereabouts

extension Row {
  /// What becomes of a request for one fix.
  static let requests: [Row] = [
    Row("any number of requests wait side by side, each with its own level, timeout and end") {
      let fair = fix(60, at: 2)
      $0.at(0, request(a, .block, timeout: 10))
      $0.at(0, request(b, .house, timeout: 4))
      $0.at(0, request(c, .room, timeout: 20))
      $0.at(2, live(fair))
      $0.at(4, .wake)
      #expect($0.endings.map(\.id) == [a, b])
      #expect($0.ending(a) == .reached(answer(fair, age: 0, .block)))
      #expect($0.ending(b) == .timedOut(best: answer(fair, age: 2, .block)))
      $0.at(20, .wake)
      #expect($0.ending(c) == .timedOut(best: answer(fair, age: 18, .block)))
    },
    Row("one fix answers every request that it is good enough for") {
      let good = fix(4, at: 1)
      $0.at(0, request(a, .room))
      $0.at(0, request(b, .city))
      $0.at(1, live(good))
      #expect($0.endings.map(\.id) == [a, b])
      #expect($0.endings.allSatisfy { $0.outcome == .reached(answer(good, age: 0, .room)) })
    },
    Row("success says which level was reached") {
      let good = fix(80, at: 1)
      $0.at(0, request(a, .city))
      $0.at(1, live(good))
      #expect($0.ending(a) == .reached(answer(good, age: 0, .block)))
    },
    Row("a source that gives up is an error of its own, with the best there was") {
      let known = fix(400, at: 1)
      $0.at(0, request(a, .room))
      $0.at(1, live(known))
      $0.at(2, .signal(.failed(gone)))
      #expect($0.ending(a) == .sourceFailed(gone, best: answer(known, age: 1, .neighborhood)))
    },
    Row("a fix that is known and still good enough answers a new request at once") {
      let known = fix(12, at: 0)
      $0.at(0, live(known))
      let effects = $0.at(15, request(a, .house))
      #expect(effects == [.finish(a, .reached(answer(known, age: 15, .house)))])
      $0.at(15.001, request(b, .house))
      #expect($0.ending(b) == nil)
    },
    Row("of what is known, whatever is good enough answers: where the best is too old, the last") {
      // On foot an exact fix of 61 s ago still says most about where the device is, but it is no block any more.
      let exact = fix(5, at: 0), last = fix(95, at: 60)
      $0.at(0, request(a, .room, .walk))
      $0.at(0, live(exact))
      $0.at(0, request(b, AccuracyLevel.custom(worstAccuracy: 1, maxAge: .zero) ?? .room, .walk))
      $0.at(60, live(last))
      $0.at(61, request(c, .block, .walk))
      #expect($0.ending(c) == .reached(answer(last, age: 1, .block)))
    },
    Row("forced to an end, a request gives what there is") {
      let known = fix(700, at: 0)
      $0.at(0, request(a, .room))
      $0.at(0, live(known))
      $0.at(2, .completeNow(a))
      #expect($0.ending(a) == .completedEarly(best: answer(known, age: 2, .neighborhood)))
    },
    Row("forced to an end before anything is known, a request says that nothing is") {
      $0.at(0, request(a, .room))
      $0.at(0, .completeNow(a))
      #expect($0.ending(a) == .completedEarly(best: nil))
    },
    Row("a cancelled request is given nothing, then or later") {
      $0.at(0, live(fix(700, at: 0)))
      $0.at(0, request(a, .room, timeout: 5))
      $0.at(1, .cancel(a))
      #expect($0.ending(a) == .cancelled)
      $0.at(2, live(fix(2, at: 2)))
      $0.at(5, .wake)
      #expect($0.endings.count == 1)
    },
    Row("ids that are unknown, or have ended, do no harm") {
      #expect($0.at(0, .cancel(a)).isEmpty)
      #expect($0.at(0, .completeNow(a)).isEmpty)
      #expect($0.at(0, .follow(a)).isEmpty)
      #expect($0.at(0, .unsubscribe(s)).isEmpty)
      $0.at(0, request(a, .room))
      $0.at(1, .cancel(a))
      #expect($0.at(2, .cancel(a)).isEmpty)
      #expect($0.at(2, .completeNow(a)).isEmpty)
      #expect($0.endings.count == 1)
    },
    Row("a request that is cancelled because another one ended is cancelled, and the rest go on") {
      // What the caller of the first does the moment it is told comes in as the very next input.
      let good = fix(12, at: 1)
      $0.at(0, request(a, .house))
      $0.at(0, request(b, .room))
      $0.at(0, request(c, .room))
      $0.at(1, live(good))
      $0.at(1, .cancel(b))
      #expect($0.endings.map(\.id) == [a, b])
      #expect($0.ending(b) == .cancelled)
      $0.at(2, live(fix(3, at: 2)))
      #expect($0.ending(c) == .reached(answer(fix(3, at: 2), age: 0, .room)))
      #expect($0.demand == .off)
    },
    Row("twenty thousand requests that end together are no more work each than one") {
      // Where each end costs a walk over all the others, this does not come to an end before the suite's time is up.
      let number = UInt64(20_000)
      for id in 1...number { $0.at(0, request(RequestID(id), .house, timeout: 10)) }
      $0.at(1, live(fix(500, at: 1)))
      $0.at(2, live(fix(10, at: 2)))
      #expect($0.endings.map(\.id.number) == Array(1...number))
    },
  ]

  /// When a request's time is up.
  static let timeouts: [Row] = [
    Row("the timeout counts from the request, also while the person is being asked", asking: .person()) {
      $0.at(3, request(a, .room, timeout: 10))
      #expect($0.wake == t(13).instant)
      $0.at(13, .wake)
      #expect($0.ending(a) == .unauthorized(Authorization(.notDetermined)))
    },
    Row("a timeout that waits for the person begins when they allow it", asking: .person()) {
      $0.at(0, request(a, .room, timeout: 10, starts: .whenAuthorized))
      #expect($0.wake == nil)
      $0.at(100, .wake)
      #expect($0.ending(a) == nil)
      $0.at(100, permits(.whenInUse))
      #expect($0.wake == t(110).instant)
      $0.at(109.999, .wake)
      #expect($0.ending(a) == nil)
      $0.at(110, .wake)
      #expect($0.ending(a) == .timedOut(best: nil))
    },
    Row("a timeout that waits for a person who says no does not wait any longer", asking: .person()) {
      $0.at(0, request(a, .room, timeout: 10, starts: .whenAuthorized))
      $0.at(5, permits(.denied))
      #expect($0.ending(a) == .unauthorized(Authorization(.denied)))
      #expect($0.wake == nil)
    },
    Row("where permission is settled there is nothing to wait for", asking: .person()) {
      $0.at(0, permits(.always))
      $0.at(1, request(a, .room, timeout: 10, starts: .whenAuthorized))
      #expect($0.wake == t(11).instant)
      $0.at(2, permits(.denied))
      $0.at(3, request(b, .room, timeout: 10, starts: .whenAuthorized))
      #expect($0.ending(b) == .unauthorized(Authorization(.denied)))
    },
    Row("where no permission is needed there is nothing to wait for") {
      $0.at(1, request(a, .room, timeout: 10, starts: .whenAuthorized))
      #expect($0.wake == t(11).instant)
    },
    Row("without a timeout a request waits for ever") {
      $0.at(0, request(a, .room))
      #expect($0.wake == nil)
      $0.at(1e9, .wake)
      #expect($0.ending(a) == nil)
    },
    Row("when the time is up the best fix is given, which need not be the latest") {
      let best = fix(30, at: 4)
      $0.at(0, request(a, .room, timeout: 8))
      $0.at(2, live(fix(300, at: 2)))
      $0.at(4, live(best))
      $0.at(6, live(fix(200, at: 6)))
      $0.at(8, .wake)
      #expect($0.ending(a) == .timedOut(best: answer(best, age: 4, .block)))
    },
    Row("the best of a batch is found wherever in it the best is") {
      let best = fix(20, at: 2)
      $0.at(5, request(a, .room, timeout: 5))
      for made in [fix(90, at: 1), best, fix(70, at: 3), fix(300, at: 4)] { $0.at(5, cached(made)) }
      $0.at(10, .wake)
      #expect($0.ending(a) == .timedOut(best: answer(best, age: 8, .block)))
    },
    Row("a batch answers with the fix in its middle that is good enough") {
      let good = fix(4, at: 3)
      $0.at(5, request(a, .room, timeout: 5))
      for made in [fix(90, at: 1), fix(40, at: 2), good, fix(70, at: 4)] { $0.at(5, cached(made)) }
      #expect($0.ending(a) == .reached(answer(good, age: 2, .room)))
    },
    Row("a best fix that is old and exact loses to one that is new and fair") {
      let fair = fix(60, at: 60)
      $0.at(0, request(a, AccuracyLevel.custom(worstAccuracy: 1, maxAge: .zero) ?? .room, timeout: 70))
      $0.at(0, live(fix(3, at: 0)))
      $0.at(60, live(fair))
      $0.at(70, .wake)
      #expect($0.ending(a) == .timedOut(best: answer(fair, age: 10, .block)))
    },
  ]
}
