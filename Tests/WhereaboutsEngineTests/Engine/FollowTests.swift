import Testing
import WhereaboutsEngine
import WhereaboutsModel

@Suite struct FollowTests {
  let room = RequestTerms(level: .room, timeout: nil)

  @Test func progressReportsEachBetterFixUntilTheEnd() {
    let first = fix(200, at: 1), better = fix(60, at: 3), last = fix(4, at: 5)
    expectSteps([
      (t(0), .request(a, room), [demandEffect(5)]),
      (t(0), .follow(a), []),
      (t(1), live(first), [.progress(a, answer(first, age: 0, .neighborhood))]),
      (t(2), live(fix(4000, at: 2)), []),
      (t(3), live(better), [.progress(a, answer(better, age: 0, .block))]),
      (t(5), live(last), [.finish(a, .reached(answer(last, age: 0, .room))), .demand(.off)]),
      (t(6), live(fix(2, at: 6)), []),
    ])
  }

  @Test func lateFollowerReceivesTheBestFixAtOnce() {
    let known = fix(60, at: 1)
    expectSteps([
      (t(0), .request(a, room), [demandEffect(5)]),
      (t(1), live(known), []),
      (t(4), .follow(a), [.progress(a, answer(known, age: 3, .block))]),
    ])
  }

  @Test func followingTwiceReportsOnceAndRepeatsTheBestFix() {
    let known = fix(60, at: 1)
    expectSteps([
      (t(0), .request(a, room), [demandEffect(5)]),
      (t(0), .follow(a), []),
      (t(0), .follow(a), []),
      (t(1), live(known), [.progress(a, answer(known, age: 0, .block))]),
      (t(3), .follow(a), [.progress(a, answer(known, age: 2, .block))]),
    ])
  }

  @Test func endedOrUnknownRequestCannotBeFollowed() {
    expectSteps([
      (t(0), .follow(a), []),
      (t(0), .request(a, room), [demandEffect(5)]),
      (t(0), .cancel(a), [.finish(a, .cancelled), .demand(.off)]),
      (t(0), .follow(a), []),
      (t(1), live(fix(60, at: 1)), []),
    ])
  }

  @Test func progressIsReportedInRequestOrder() {
    let known = fix(60, at: 1), better = fix(30, at: 2)
    expectSteps([
      (t(0), .request(a, room), [demandEffect(5)]),
      (t(0), .request(b, room), []),
      (t(0), .request(c, room), []),
      (t(0), .follow(c), []),
      (t(0), .follow(a), []),
      (
        t(1), live(known),
        [.progress(a, answer(known, age: 0, .block)), .progress(c, answer(known, age: 0, .block))]
      ),
      (t(1), .cancel(a), [.finish(a, .cancelled)]),
      (t(2), live(better), [.progress(c, answer(better, age: 0, .block))]),
    ])
  }

  @Test func nextFixIsProgressAfterAccuracyIsReduced() {
    let exact = fix(10, at: 1), coarse = fix(3000, at: 3)
    let reduced = Authorization(.always, accuracy: .reduced)
    expectSteps([
      (t(0), .request(a, room), [demandEffect(5)]),
      (t(0), .follow(a), []),
      (t(1), live(exact), [.progress(a, answer(exact, age: 0, .house))]),
      (t(2), .signal(.authorization(reduced)), [.status(ServiceStatus(authorization: reduced))]),
      (t(3), live(coarse), [.progress(a, answer(coarse, age: 0, .city))]),
    ])
  }

  @Test func endingManyFollowedRequestsTakesLinearTime() {
    // If each end cost a pass over all followed requests, this would take minutes.
    var engine = Engine()
    let number: UInt64 = 20_000
    for id in (1...number).map({ RequestID($0) }) {
      _ = engine.handle(.request(id, room), at: t(0))
      _ = engine.handle(.follow(id), at: t(0))
    }
    #expect(engine.handle(live(fix(60, at: 1)), at: t(1)).count == Int(number))
    let all = (1...number).map { RequestID($0) }
    let ended = answer(fix(4, at: 2), age: 0, .room)
    #expect(engine.handle(live(fix(4, at: 2)), at: t(2)) == [.finish(all, .reached(ended)), .demand(.off)])
    _ = engine.handle(.request(RequestID(number + 1), RequestTerms(level: .room, timeout: nil)), at: t(60))
    #expect(engine.handle(live(fix(1, at: 60)), at: t(61)).count == 2)
  }
}
