import Testing
import WhereaboutsEngine
import WhereaboutsModel

@Suite struct SettleTests {
  /// Fixes, and the expected time at which a request with a settling time of 5 s settles.
  struct Course: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Second, accuracy, metres north.
    let fixes: [(Double, Double?, Double)]
    /// The request is made at this second.
    var opened = 0.0
    let settledAt: Double?
  }

  static let courses = [
    Course(
      testDescription: "the same again and again",
      fixes: [(1, 40, 0), (2, 40, 0), (5.9, 40, 0), (6, 40, 0)], settledAt: 6),
    Course(
      testDescription: "better by less than a tenth is no better",
      fixes: [(1, 40, 0), (4, 36.1, 0), (6, 39, 0)], settledAt: 6),
    Course(
      testDescription: "better by a tenth begins anew",
      fixes: [(1, 40, 0), (4, 36, 0), (6, 39, 0), (8.9, 40, 0), (9, 40, 0)], settledAt: 9),
    Course(
      testDescription: "better little by little begins anew in the end",
      fixes: [(1, 40, 0), (3, 38, 0), (5, 36, 0), (7, 36, 0), (10, 36, 0)], settledAt: 10),
    Course(
      testDescription: "worse is no better",
      fixes: [(1, 40, 0), (2, 400, 0), (6, 4000, 0)], settledAt: 6),
    Course(
      testDescription: "moved within both circles is not moved",
      fixes: [(1, 40, 0), (4, 40, 79), (6, 40, -79)], settledAt: 6),
    Course(
      testDescription: "moved out of both circles begins anew",
      fixes: [(1, 40, 0), (4, 40, 81), (6, 40, 81), (9, 40, 81)], settledAt: 9),
    Course(
      testDescription: "a slow walk is no calm",
      fixes: (1...30).map { (Double($0), 40, Double($0) * 20) }, settledAt: nil),
    Course(testDescription: "silence settles nothing", fixes: [(1, 40, 0)], settledAt: nil),
    Course(
      testDescription: "the first fix after a silence may, if it says the same",
      fixes: [(1, 40, 0), (60, 40, 0)], settledAt: 60),
    Course(
      testDescription: "an old calm counts from the request only",
      fixes: [(1, 40, 0), (100, 40, 0), (104.9, 40, 0), (105, 40, 0)], opened: 100, settledAt: 105),
    Course(
      testDescription: "fixes without an accuracy say nothing",
      fixes: [(1, 40, 0), (6, nil, 0), (7, 40, 0)], settledAt: 7),
  ]

  @Test(arguments: courses) func requestSettlesAfterStableFixes(course: Course) {
    var engine = Engine()
    var settledAt: Double?
    var isOpen = false
    func request() -> Input { .request(a, RequestTerms(level: .room, timeout: nil, settle: .seconds(5))) }
    for (second, accuracy, metres) in course.fixes {
      if !isOpen, second > course.opened {
        _ = engine.handle(request(), at: t(course.opened))
        isOpen = true
      }
      let effects = engine.handle(live(fix(accuracy, at: second, north: metres)), at: t(second))
      if case .finish([a], .settled)? = effects.first { settledAt = settledAt ?? second }
    }
    #expect(settledAt == course.settledAt)
  }

  @Test func eachRequestSettlesAfterItsOwnTime() {
    let soon = RequestTerms(level: .room, timeout: nil, settle: .seconds(2))
    let late = RequestTerms(level: .room, timeout: nil, settle: .seconds(4))
    let fixes = (0...4).map { fix(40, at: Double($0)) }
    expectSteps([
      (t(0), .request(a, late), [demandEffect(5)]),
      (t(0), .request(b, soon), []),
      (t(0), .request(c, soon), []),
      (t(0), live(fixes[0]), []),
      (t(1), live(fixes[1]), []),
      (
        t(2), live(fixes[2]),
        [.finish([b, c], .settled(answer(fixes[2], age: 0, .block)))]
      ),
      (t(3), live(fixes[3]), []),
      (t(4), live(fixes[4]), [.finish(a, .settled(answer(fixes[4], age: 0, .block))), .demand(.off)]),
    ])
  }

  @Test func settledAnswerIsTheBestFixNotTheLatest() {
    let best = fix(30, at: 1)
    expectSteps([
      (t(0), .request(a, RequestTerms(level: .room, timeout: nil, settle: .seconds(2))), [demandEffect(5)]),
      (t(1), live(best), []),
      (t(3), live(fix(300, at: 3)), [.finish(a, .settled(answer(best, age: 2, .block))), .demand(.off)]),
    ])
  }

  @Test func reachingTheLevelPrecedesSettling() {
    let good = fix(14, at: 3)
    expectSteps([
      (t(0), live(fix(15, at: 0)), []),
      (
        t(0), .request(a, RequestTerms(level: .custom(14, .seconds(1)), timeout: nil, settle: .zero)),
        [demandEffect(14)]
      ),
      (t(3), live(good), [.finish(a, .reached(answer(good, age: 0, .house))), .demand(.off)]),
    ])
  }

  @Test func zeroAccuracyFixesSettleToo() {
    // Each fix arrives late, so that it never reaches the level.
    var engine = Engine()
    _ = engine.handle(.request(a, RequestTerms(level: .room, timeout: nil, settle: .seconds(2))), at: t(0))
    for second in 1...2 { _ = engine.handle(cached(fix(0, at: Double(second))), at: t(Double(second) + 6)) }
    let last = fix(0, at: 3)
    #expect(
      engine.handle(cached(last), at: t(9)).first == .finish(a, .settled(answer(last, age: 6, .house))))
  }

  @Test func settlingRestartsAfterAccuracyIsReduced() {
    let reduced = Authorization(.always, accuracy: .reduced)
    var engine = Engine()
    _ = engine.handle(.request(a, RequestTerms(level: .room, timeout: nil, settle: .seconds(5))), at: t(0))
    _ = engine.handle(live(fix(40, at: 1)), at: t(1))
    _ = engine.handle(.signal(.authorization(reduced)), at: t(2))
    #expect(engine.handle(live(fix(40, at: 7)), at: t(7)) == [])
    #expect(
      engine.handle(live(fix(40, at: 12)), at: t(12)).first
        == .finish(a, .settled(answer(fix(40, at: 12), age: 0, .block))))
  }
}

extension AccuracyLevel {
  fileprivate static func custom(_ accuracy: Double, _ age: Duration) -> AccuracyLevel {
    custom(worstAccuracy: accuracy, maxAge: age) ?? .room
  }
}
