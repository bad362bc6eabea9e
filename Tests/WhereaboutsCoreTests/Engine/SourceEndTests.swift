import Testing
import WhereaboutsCore

@Suite struct SourceEndTests {
  let gone = SourceTrouble(.unreachable, message: "reach the receiver")

  @Test func whatItEndedWithIsKnownHoweverOftenItSaysThatItHasEnded() {
    expectSteps([
      (t(0), .signal(.failed(gone)), [status(.failed(gone))]),
      (t(1), .signal(.ended), [status(.ended(gone))]),
      (t(1), .signal(.ended), []),
      (
        t(2), .request(a, RequestTerms(level: .city, timeout: nil)),
        [.finish(a, .sourceFailed(gone, best: nil))]
      ),
      (
        t(3), .subscribe(s, .fixes(FixTerms(level: .city))),
        [.tell(s, .trouble(gone)), .finishSubscription(s)]
      ),
    ])
  }
}
