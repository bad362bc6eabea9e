import Testing
import WhereaboutsCore

@Suite struct TimeoutStartTests {
  let patient = RequestTerms(level: .room, timeout: .seconds(10), timeoutStarts: .whenAuthorized)
  let asking = Engine(settings: EngineSettings(authorization: .needed(asking: nil)))

  private func permits(_ status: Authorization.Status, _ remedy: String? = nil) -> Input {
    .signal(.authorization(Authorization(status, remedy: remedy)))
  }

  private func status(_ authorization: Authorization.Status, _ remedy: String? = nil) -> Effect {
    .status(ServiceStatus(authorization: Authorization(authorization, remedy: remedy)))
  }

  @Test func theTimeoutCountsFromTheAnswer() {
    expectSteps(
      [
        (t(0), .request(a, patient), [wants(5)]),
        (t(500), .wake, []),
        (t(600), permits(.whenInUse), [status(.whenInUse), .wake(at: t(610).instant)]),
        // More of the same does not begin it anew.
        (t(605), permits(.always), [status(.always)]),
        (t(610), .wake, [.finish(a, .timedOut(best: nil)), .demand(.off), .wake(at: nil)]),
      ], engine: asking)
  }

  @Test func aTimeoutThatRunsRunsOnWhenTheAnswerIsTakenBack() {
    expectSteps(
      [
        (t(0), .request(a, patient), [wants(5)]),
        (t(1), permits(.always), [status(.always), .wake(at: t(11).instant)]),
        (t(2), permits(.notDetermined), [status(.notDetermined)]),
        // One that comes now waits for the next answer.
        (t(3), .request(b, patient), []),
        (
          t(11), .wake, [.finish(a, .unauthorized(Authorization(.notDetermined))), .wake(at: nil)]
        ),
        (t(20), permits(.always), [status(.always), .wake(at: t(30).instant)]),
      ], engine: asking)
  }

  @Test func whoIsCancelledWhileWaitingHasNoTimeoutLater() {
    expectSteps(
      [
        (t(0), .request(a, patient), [wants(5)]),
        (t(0), .request(b, RequestTerms(level: .room, timeout: nil, timeoutStarts: .whenAuthorized)), []),
        (t(1), .cancel(a), [.finish(a, .cancelled)]),
        (t(2), permits(.always), [status(.always)]),
      ], engine: asking)
  }

  @Test func aTimeoutOfNothingIsUpWithTheAnswer() {
    let now = RequestTerms(level: .room, timeout: .zero, timeoutStarts: .whenAuthorized)
    expectSteps(
      [
        (t(0), .request(a, now), [wants(5)]),
        (
          t(2), permits(.always), [.finish(a, .timedOut(best: nil)), status(.always), .demand(.off)]
        ),
      ], engine: asking)
  }

  @Test func newsAboutAnOpenQuestionStartsNothingAndForgetsNothing() {
    let known = fix(40, at: 1)
    expectSteps(
      [
        (t(0), .request(a, patient), [wants(5)]),
        // Some sources have something before anybody has said yes.
        (t(1), live(known), []),
        (t(2), permits(.notDetermined, "answer it"), [status(.notDetermined, "answer it")]),
        (
          t(3), .completeNow(a),
          [.finish(a, .completedEarly(best: answer(known, age: 2, .block))), .demand(.off)]
        ),
      ], engine: asking)
  }
}
