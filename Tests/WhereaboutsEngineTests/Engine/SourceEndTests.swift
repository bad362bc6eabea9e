import WhereaboutsEngine
import Testing
import WhereaboutsModel

@Suite struct SourceEndTests {
  let unreachable = SourceProblem(.unreachable, message: "reach the receiver")

  @Test func repeatedEndSignalsRetainTheProblem() {
    expectSteps([
      (t(0), .signal(.failed(unreachable)), [status(.failed(unreachable))]),
      (t(1), .signal(.ended), [status(.ended(unreachable))]),
      (t(1), .signal(.ended), []),
      (
        t(2), .request(a, RequestTerms(level: .city, timeout: nil)),
        [.finish(a, .sourceFailed(unreachable, best: nil))]
      ),
      (
        t(3), .subscribe(s, .fixes(FixTerms(level: .city))),
        [.notify(s, .problem(unreachable)), .finishSubscription(s)]
      ),
    ])
  }
}
