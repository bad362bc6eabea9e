import Testing
import WhereaboutsEngine
import WhereaboutsModel

@Suite struct TimeoutStartTests {
  let waitingForAuthorization = RequestTerms(
    level: .room, timeout: .seconds(10), timeoutStarts: .whenAuthorized)
  let authorizingEngine = Engine(settings: EngineSettings(authorization: .needed(asking: nil)))

  private func authorizationSignal(_ status: Authorization.Status, _ remedy: String? = nil) -> Input {
    .signal(.authorization(Authorization(status, remedy: remedy)))
  }

  private func status(_ authorization: Authorization.Status, _ remedy: String? = nil) -> Effect {
    .status(ServiceStatus(authorization: Authorization(authorization, remedy: remedy)))
  }

  @Test func timeoutCountsFromAuthorization() {
    expectSteps(
      [
        (t(0), .request(a, waitingForAuthorization), [demandEffect(5)]),
        (t(500), .wake, []),
        (t(600), authorizationSignal(.whenInUse), [status(.whenInUse), .wake(at: t(610).instant)]),
        // A repeated authorization does not restart the timeout.
        (t(605), authorizationSignal(.always), [status(.always)]),
        (t(610), .wake, [.finish(a, .timedOut(best: nil)), .demand(.off), .wake(at: nil)]),
      ], engine: authorizingEngine)
  }

  @Test func runningTimeoutContinuesAfterAuthorizationIsRevoked() {
    expectSteps(
      [
        (t(0), .request(a, waitingForAuthorization), [demandEffect(5)]),
        (t(1), authorizationSignal(.always), [status(.always), .wake(at: t(11).instant)]),
        (t(2), authorizationSignal(.notDetermined), [status(.notDetermined)]),
        // A request made now waits for the next answer.
        (t(3), .request(b, waitingForAuthorization), []),
        (
          t(11), .wake, [.finish(a, .unauthorized(Authorization(.notDetermined))), .wake(at: nil)]
        ),
        (t(20), authorizationSignal(.always), [status(.always), .wake(at: t(30).instant)]),
      ], engine: authorizingEngine)
  }

  @Test func cancelledRequestHasNoTimeoutAfterAuthorization() {
    expectSteps(
      [
        (t(0), .request(a, waitingForAuthorization), [demandEffect(5)]),
        (t(0), .request(b, RequestTerms(level: .room, timeout: nil, timeoutStarts: .whenAuthorized)), []),
        (t(1), .cancel(a), [.finish(a, .cancelled)]),
        (t(2), authorizationSignal(.always), [status(.always)]),
      ], engine: authorizingEngine)
  }

  @Test func zeroTimeoutEndsAtAuthorization() {
    let now = RequestTerms(level: .room, timeout: .zero, timeoutStarts: .whenAuthorized)
    expectSteps(
      [
        (t(0), .request(a, now), [demandEffect(5)]),
        (
          t(2), authorizationSignal(.always),
          [.finish(a, .timedOut(best: nil)), status(.always), .demand(.off)]
        ),
      ], engine: authorizingEngine)
  }

  @Test func undeterminedAuthorizationUpdateChangesNoRequest() {
    let known = fix(40, at: 1)
    expectSteps(
      [
        (t(0), .request(a, waitingForAuthorization), [demandEffect(5)]),
        // Some sources send fixes before permission is granted.
        (t(1), live(known), []),
        (t(2), authorizationSignal(.notDetermined, "answer it"), [status(.notDetermined, "answer it")]),
        (
          t(3), .completeNow(a),
          [.finish(a, .completedEarly(best: answer(known, age: 2, .block))), .demand(.off)]
        ),
      ], engine: authorizingEngine)
  }
}
