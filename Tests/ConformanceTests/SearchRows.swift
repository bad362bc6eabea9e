import EngineBench
import Testing
import Whereabouts

extension Row {
  /// One button that searches until it has found, has settled, or gives up.
  static let search: [Row] = [
    Row("what a status line says can be told apart: idle, searching, found, and each way to fail") {
      #expect($0.demand == .off, "idle")
      $0.at(0, searching(a))
      $0.at(0, .follow(a))
      #expect($0.demand != .off && $0.ending(a) == nil && $0.progress[a] == nil, "searching")
      $0.at(1, live(fix(50, at: 1)))
      #expect($0.progress[a] == [answer(fix(50, at: 1), age: 0, .block)], "found")
      $0.at(2, .cancel(a))
      #expect($0.demand == .off && $0.ending(a) == .cancelled, "idle again")
      $0.at(3, permits(.denied))
      $0.at(3, searching(b))
      #expect($0.ending(b) == .unauthorized(Authorization(.denied)), "denied")
      $0.at(4, permits(.servicesDisabled))
      $0.at(4, searching(c))
      #expect($0.ending(c) == .unauthorized(Authorization(.servicesDisabled)), "disabled")
    },
    Row("30 s without any fix end the search with an outcome of its own, and the source off") {
      $0.at(0, searching(a))
      $0.at(29.999, .wake)
      #expect($0.ending(a) == nil)
      $0.at(30, .wake)
      #expect($0.ending(a) == .timedOut(best: nil))
      #expect($0.demand == .off)
    },
    Row("a source that reports trouble meanwhile does not end the search in its place") {
      $0.at(0, searching(a))
      $0.at(10, .signal(.unavailable(noSky)))
      $0.at(30, .wake)
      #expect($0.ending(a) == .timedOut(best: nil))
    },
    Row("a fix of five seconds ago may be what is searched for; an older one is not, however exact") {
      $0.at(100, searching(a))
      $0.at(100, cached(fix(2, at: 94.999)))
      #expect($0.ending(a) == nil)
      $0.at(100, cached(fix(8, at: 95)))
      #expect($0.ending(a) == .reached(answer(fix(8, at: 95), age: 5, .house)))
    },
    Row("old fixes of one place that come one after the other do not settle the search") {
      $0.at(100, searching(a))
      for second in 0..<10 {
        $0.at(100 + Double(second), cached(fix(50, at: 80 + Double(second))))
      }
      #expect($0.ending(a) == nil)
    },
    Row("a negative accuracy is not what is searched for") {
      $0.at(0, searching(a))
      $0.at(0, .follow(a))
      for second in 1...5 { $0.at(Double(second), live(fix(-1, at: Double(second)))) }
      #expect($0.ending(a) == nil)
      #expect($0.progress[a] == nil)
    },
    Row("the first fix is shown, then each that is more accurate, and no other") {
      let shown = [fix(200, at: 1), fix(60, at: 3), fix(20, at: 4)]
      $0.at(0, request(a, .room, timeout: 30))
      $0.at(0, .follow(a))
      for next in [shown[0], fix(400, at: 2), shown[1], shown[2], fix(90, at: 5)] {
        $0.at(next.time?.seconds(since: utc(0)) ?? 0, live(next))
      }
      #expect($0.progress[a]?.map(\.fix) == shown)
      #expect($0.ending(a) == nil)
    },
    Row("a fix clears the trouble that was shown") {
      $0.at(0, searching(a))
      $0.at(1, .signal(.unavailable(noSky)))
      #expect($0.status.source == .unavailable(noSky))
      $0.at(2, live(fix(200, at: 2)))
      #expect($0.status.source == .working)
    },
    Row("10 m reached: the search is over and the receiver off") {
      $0.at(0, searching(a))
      $0.at(1, live(fix(10.01, at: 1)))
      #expect($0.demand != .off)
      $0.at(2, live(fix(10, at: 2)))
      #expect($0.ending(a) == .reached(answer(fix(10, at: 2), age: 0, .house)))
      #expect($0.demand == .off)
    },
    Row("the same place again, no more accurate than before: the search is over and the receiver off") {
      $0.at(0, searching(a))
      $0.at(1, live(fix(40, at: 1)))
      #expect($0.ending(a) == nil)
      $0.at(2, live(fix(40, at: 2)))
      #expect($0.ending(a) == .settled(answer(fix(40, at: 2), age: 0, .block)))
      #expect($0.demand == .off)
    },
    Row("the same place, and more accurate than before: the search goes on") {
      $0.at(0, searching(a))
      for (second, accuracy) in [100.0, 80, 60, 45, 30, 20, 15].enumerated() {
        $0.at(Double(second), live(fix(accuracy, at: Double(second))))
      }
      #expect($0.ending(a) == nil)
    },
    Row("another place, no more accurate than before: the search goes on") {
      $0.at(0, searching(a))
      for second in 1...9 {
        $0.at(Double(second), live(fix(40, at: Double(second), north: 100 * Double(second))))
      }
      #expect($0.ending(a) == nil)
    },
    Row("who does not ask for it is never settled") {
      $0.at(0, request(a, .room))
      for second in 1...600 { $0.at(Double(second), live(fix(40, at: Double(second)))) }
      #expect($0.ending(a) == nil)
    },
    Row("the button pressed again ends the search") {
      $0.at(0, searching(a))
      $0.at(1, .cancel(a))
      #expect($0.ending(a) == .cancelled)
      #expect($0.demand == .off)
    },
  ]
}

/// 10 m of at most five seconds ago, within 30 s, or the best once it stays the same for a second.
private func searching(_ id: RequestID) -> Input {
  request(
    id, AccuracyLevel.custom(worstAccuracy: 10, maxAge: .seconds(5)) ?? .room, timeout: 30, settle: 1)
}
