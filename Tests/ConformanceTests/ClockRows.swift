import WhereaboutsEngine
import EngineTestSupport
import Testing
import Whereabouts

extension EngineConformanceCase {
  /// Wrong, stepped and missing wall clocks, which change nothing.
  static let clocks: [EngineConformanceCase] =
    [("forward", year), ("back", -year)].flatMap { name, step in
      [
        EngineConformanceCase("the wall clock stepped \(name) by a year neither fires nor delays a timeout") {
          $0.handle(at: 0, request(a, .room, timeout: 10))
          $0.handle(at: 1, wallOff: step, .wake)
          $0.handle(at: 9.999, wallOff: step, .wake)
          #expect($0.outcome(a) == nil)
          #expect($0.wake == t(10).instant)
          $0.handle(at: 10, wallOff: step, .wake)
          #expect($0.outcome(a) == .timedOut(best: nil))
        },
        EngineConformanceCase("the wall clock stepped \(name) by a year delays no live fix") {
          $0.handle(at: 0, request(a, .room))
          $0.handle(at: 1, live(fix(90, at: 1)))
          $0.handle(at: 2, wallOff: step, live(fix(3, at: 2)))
          #expect($0.outcome(a) == .reached(answer(fix(3, at: 2), age: 0, .room)))
        },
        EngineConformanceCase(
          "the wall clock stepped \(name) by a year does not age a known live fix"
        ) {
          $0.handle(at: 1, live(fix(12, at: 1)))
          $0.handle(at: 9, wallOff: step, request(a, .house))
          #expect($0.outcome(a) == .reached(answer(fix(12, at: 1), age: 8, .house)))
        },
        EngineConformanceCase(
          "the wall clock stepped \(name) by a year delays no fix stamped by the wall clock"
        ) {
          let next = fix(3, at: 2 + step)
          $0.handle(at: 0, request(a, .room))
          $0.handle(at: 1, cached(fix(90, at: 1)))
          $0.handle(at: 2, wallOff: step, cached(next))
          #expect($0.outcome(a) == .reached(answer(next, age: 0, .room)))
        },
        EngineConformanceCase(
          "the wall clock stepped \(name) by a year delays no cached fix stamped by satellites"
        ) {
          $0.handle(at: 0, request(a, .room))
          $0.handle(at: 1, cached(fix(90, at: 1)))
          $0.handle(at: 2, wallOff: step, cached(fix(3, at: 2)))
          #expect($0.outcome(a) == .reached(answer(fix(3, at: 2), age: 0, .room)))
        },
        EngineConformanceCase(
          "the wall clock stepped \(name) by a year before the first fix delays no cached fix"
        ) {
          $0.handle(at: 0, request(a, .room))
          $0.handle(at: 1, wallOff: step, cached(fix(3, at: 1)))
          #expect($0.outcome(a) == .reached(answer(fix(3, at: 1), age: 0, .room)))
        },
        EngineConformanceCase(
          "the wall clock stepped \(name) by a year does not age a known cached fix"
        ) {
          $0.handle(at: 1, cached(fix(12, at: 0)))
          $0.handle(at: 9, wallOff: step, request(a, .house))
          #expect($0.outcome(a) == .reached(answer(fix(12, at: 0), age: 9, .house)))
        },
      ]
    }
    + [("believes it is 1970", -utc(0).secondsSince1970), ("does not know the time", nil)].flatMap {
      name, off in
      [
        EngineConformanceCase("a host that \(name) answers requests from a live source") {
          $0.handle(at: 5, wallOff: off, request(a, .room))
          $0.handle(at: 6, wallOff: off, live(fix(3, at: 6)))
          #expect($0.outcome(a) == .reached(answer(fix(3, at: 6), age: 0, .room)))
        },
        EngineConformanceCase("a host that \(name) answers requests from a source of cached fixes") {
          $0.handle(at: 5, wallOff: off, request(a, .room))
          $0.handle(at: 6, wallOff: off, cached(fix(3, at: 6)))
          #expect($0.outcome(a) == .reached(answer(fix(3, at: 6), age: 0, .room)))
        },
        EngineConformanceCase("a host that \(name) fires its timeouts on time") {
          $0.handle(at: 5, wallOff: off, request(a, .room, timeout: 10))
          $0.handle(at: 15, wallOff: off, .wake)
          #expect($0.outcome(a) == .timedOut(best: nil))
        },
        EngineConformanceCase("a host that \(name) and then receives the time loses no fix or timeout") {
          $0.handle(at: 5, wallOff: off, request(a, .room, timeout: 10))
          $0.handle(at: 6, wallOff: off, cached(fix(90, at: 6)))
          $0.handle(at: 7, cached(fix(40, at: 7)))
          $0.handle(at: 15, .wake)
          #expect($0.outcome(a) == .timedOut(best: answer(fix(40, at: 7), age: 8, .block)))
        },
      ]
    }

  private static let year = 31_536_000.0
}
