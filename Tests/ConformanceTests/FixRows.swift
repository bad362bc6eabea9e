import WhereaboutsEngine
import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsTesting

extension EngineConformanceCase {
  /// Validity of fixes.
  static let fixes: [EngineConformanceCase] =
    [-1, -0.001, .nan, .infinity].map(unusableAccuracyCase)
    + [
      ("the equator", 0.0, 8.0), ("the prime meridian", 51.5, 0), ("where the two cross", 0, 0),
      ("the north pole", 90, 0), ("the antimeridian", -17, 180),
    ].map { name, latitude, longitude in
      EngineConformanceCase("a fix at \(name) is used like any other") {
        let there = Fix.test(latitude: latitude, longitude: longitude, accuracy: 3, time: utc(1))
        $0.handle(at: 0, request(a, .room))
        $0.handle(at: 0, subscribe(s))
        $0.handle(at: 1, live(there))
        #expect($0.outcome(a) == .reached(answer(there, age: 0, .room)))
        #expect($0.fixes(s) == [there])
      }
    } + [
      EngineConformanceCase("a fix from the future answers no request, even if accurate") {
        $0.handle(at: 0, request(a, .city))
        $0.handle(at: 1, cached(fix(1, at: 12)))
        #expect($0.outcome(a) == nil)
        #expect($0.refused == [.fromTheFuture: 1])
      },
      EngineConformanceCase("a fix from the future does not answer later requests") {
        $0.handle(at: 1, cached(fix(1, at: 3601)))
        $0.handle(at: 2, request(a, .city, timeout: 0))
        #expect($0.outcome(a) == .timedOut(best: nil))
      },
      EngineConformanceCase("a fix from a clock slightly ahead is used") {
        $0.handle(at: 0, request(a, .room))
        $0.handle(at: 1, cached(fix(1, at: 11)))
        #expect($0.outcome(a) == .reached(answer(fix(1, at: 11), age: 0, .room)))
      },
      EngineConformanceCase("the age of a fix counts from its time, not from its arrival") {
        $0.handle(at: 1000, request(a, .room))
        $0.handle(at: 1000, cached(fix(3, at: 990)))
        #expect($0.outcome(a) == nil)
        $0.handle(at: 1001, .completeNow(a))
        #expect($0.outcome(a) == .completedEarly(best: answer(fix(3, at: 990), age: 11, .house)))
      },
      EngineConformanceCase("a fix with an accuracy of zero is used") {
        $0.handle(at: 0, request(a, .room))
        $0.handle(at: 1, live(fix(0, at: 1)))
        #expect($0.outcome(a) == .reached(answer(fix(0, at: 1), age: 0, .room)))
      },
    ]

  private static func unusableAccuracyCase(_ accuracy: Double) -> EngineConformanceCase {
    EngineConformanceCase("a fix with an accuracy of \(accuracy) m is refused and never delivered") {
      $0.handle(at: 0, request(a, .city, timeout: 5))
      $0.handle(at: 0, subscribe(s))
      $0.handle(at: 1, live(fix(accuracy, at: 1)))
      #expect($0.outcome(a) == nil)
      $0.handle(at: 5, .wake)
      #expect($0.outcome(a) == .timedOut(best: nil))
      #expect($0.fixes(s).isEmpty)
      #expect($0.refused == [.invalidAccuracy: 1])
    }
  }
}
