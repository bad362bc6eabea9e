import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsTesting

@Suite struct DecisionLogTests {
  let house10s = RequestTerms(level: .house, timeout: .seconds(10))
  let fixes = SubscriptionTerms.fixes(FixTerms(level: .block))
  let problem = SourceProblem(.unreachable, message: "reach the daemon")

  /// An engine and its log, given one input after the other.
  struct LoggedEngine {
    var engine: Engine
    var log: DecisionLog

    init(_ settings: EngineSettings = EngineSettings()) {
      engine = Engine(settings: settings)
      log = DecisionLog(settings: settings)
    }

    mutating func handle(_ input: Input, at seconds: Double) -> [Decision] {
      log.decisions(after: input, at: t(seconds), effects: engine.handle(input, at: t(seconds)))
    }
  }

  func demand(_ accuracy: Double) -> Demand { .continuous(Demand.Continuous(accuracy: accuracy)) }

  @Test func requestEndReportsTermsAndDuration() {
    var watched = LoggedEngine()
    let best = fix(24, at: 4)
    #expect(
      watched.handle(.request(a, house10s), at: 1) == [
        .demandChanged(from: .off, to: demand(15), because: Decision.DemandCause(came: .request(a)))
      ])
    #expect(watched.handle(live(best), at: 4).isEmpty)
    #expect(
      watched.handle(.wake, at: 11) == [
        .requestEnded(a, house10s, .timedOut(best: answer(best, age: 7, .block)), after: .seconds(10)),
        .demandChanged(from: demand(15), to: .off, because: Decision.DemandCause(left: [.request(a)])),
      ])
  }

  @Test func immediateAnswerReportsZeroDuration() {
    var watched = LoggedEngine()
    let good = fix(5, at: 0)
    _ = watched.handle(.request(a, house10s), at: 0)
    _ = watched.handle(live(good), at: 0)
    #expect(
      watched.handle(.request(b, house10s), at: 2) == [
        .requestEnded(b, house10s, .reached(answer(good, age: 2, .room)), after: .zero)
      ])
  }

  @Test func significantChangesBesideFixesChangeTheDemand() {
    var watched = LoggedEngine()
    _ = watched.handle(.request(a, house10s), at: 0)
    #expect(
      watched.handle(.subscribe(s, .significantChanges(SignificantChangeTerms())), at: 1) == [
        .demandChanged(
          from: demand(15), to: demand(15).merged(with: .significantChanges),
          because: Decision.DemandCause(came: .subscription(s)))
      ])
  }

  @Test func demandChangeReportsAddedAndRemovedConsumers() {
    var watched = LoggedEngine()
    _ = watched.handle(.subscribe(s, fixes), at: 0)
    _ = watched.handle(.request(a, house10s), at: 0)
    // One subscription reaches its deadline as another is added.
    #expect(
      watched.handle(.request(b, RequestTerms(level: .room, timeout: nil)), at: 10) == [
        .requestEnded(a, house10s, .timedOut(best: nil), after: .seconds(10)),
        .demandChanged(
          from: demand(15), to: demand(5),
          because: Decision.DemandCause(came: .request(b), left: [.request(a)])),
      ])
    #expect(
      watched.handle(.cancel(b), at: 11) == [
        .requestEnded(b, RequestTerms(level: .room, timeout: nil), .cancelled, after: .seconds(1)),
        .demandChanged(from: demand(5), to: demand(100), because: Decision.DemandCause(left: [.request(b)])),
      ])
    #expect(
      watched.handle(.unsubscribe(s), at: 12) == [
        .demandChanged(from: demand(100), to: .off, because: Decision.DemandCause(left: [.subscription(s)]))
      ])
    #expect(watched.handle(.unsubscribe(s), at: 13).isEmpty)
  }

  @Test func expiredSubscriptionReportsItsEnd() {
    var watched = LoggedEngine()
    let short = SubscriptionTerms.fixes(FixTerms(level: .block, duration: .seconds(5)))
    let ended = [
      Decision.subscriptionEnded(s, short, after: .seconds(5)),
      .demandChanged(from: demand(100), to: .off, because: Decision.DemandCause(left: [.subscription(s)])),
    ]
    _ = watched.handle(.subscribe(s, short), at: 0)
    #expect(watched.handle(.wake, at: 5) == ended)
    // Also if it is ended at the instant of its deadline.
    var other = LoggedEngine()
    _ = other.handle(.subscribe(s, short), at: 0)
    #expect(other.handle(.unsubscribe(s), at: 5) == ended)
  }

  @Test func trackerThatEndsWithItsSourceIsNamedOnce() {
    var watched = LoggedEngine()
    _ = watched.handle(.subscribe(s, .track(TrackTerms())), at: 0)
    _ = watched.handle(.track(s, .start), at: 0)
    let causes = watched.handle(.signal(.ended), at: 1).compactMap { decision -> Decision.DemandCause? in
      guard case .demandChanged(_, .off, let cause) = decision else { return nil }
      return cause
    }
    #expect(causes == [Decision.DemandCause(left: [.subscription(s)])])
  }

  @Test func refusalsAndRestartsAreDecisions() {
    var watched = LoggedEngine()
    _ = watched.handle(.subscribe(s, fixes), at: 0)
    #expect(watched.handle(live(fix(5, at: 100)), at: 0).isEmpty)
    for (index, late) in [fix(5, at: 1), fix(5, at: 2)].enumerated() {
      #expect(
        watched.handle(live(late), at: 1) == [
          .refused(late, .outOfOrder(by: .seconds(99 - index)))
        ])
    }
    #expect(watched.handle(live(fix(5, at: 3)), at: 1) == [.timelineRestarted(fix(5, at: 3))])
  }

  /// A phone sends fixes buffered without a network: none restarts the timeline, and the newest fix remains the last.
  @Test func earlierFixesOfATrustedClockStayLate() {
    var watched = LoggedEngine()
    func queued(_ fix: Fix) -> Input { .signal(.fix(fix, age: .sinceTrustedTime)) }
    _ = watched.handle(.subscribe(s, fixes), at: 0)
    #expect(watched.handle(queued(fix(5, at: 100)), at: 100).isEmpty)
    for second in 1...20 {
      let late = fix(5, at: Double(second))
      #expect(
        watched.handle(queued(late), at: 101) == [.refused(late, .outOfOrder(by: .seconds(100 - second)))])
    }
    #expect(watched.handle(queued(fix(5, at: 101)), at: 102).isEmpty)
  }

  @Test func retryOfAFailedSourceIsReported() {
    var watched = LoggedEngine()
    _ = watched.handle(.subscribe(s, fixes), at: 0)
    #expect(
      watched.handle(.signal(.failed(problem)), at: 1) == [
        .sourceChanged(from: .working, to: .failed(problem))
      ])
    #expect(
      watched.handle(.request(a, RequestTerms(level: .block, timeout: nil)), at: 2) == [
        .sourceChanged(from: .failed(problem), to: .working),
        .sourceAskedAgain(problem, demand: demand(100)),
      ])
  }

  @Test func authorizationRequestAndChangeAreReported() {
    var watched = LoggedEngine(EngineSettings(authorization: .needed(asking: .whenInUse)))
    #expect(
      watched.handle(.request(a, house10s), at: 0) == [
        .authorizationAsked(.whenInUse),
        .demandChanged(from: .off, to: demand(15), because: Decision.DemandCause(came: .request(a))),
      ])
    let denied = Authorization(.denied)
    #expect(
      watched.handle(.signal(.authorization(denied)), at: 3) == [
        .requestEnded(a, house10s, .unauthorized(denied), after: .seconds(3)),
        .authorizationChanged(from: Authorization(.notDetermined), to: denied),
        .demandChanged(from: demand(15), to: .off, because: Decision.DemandCause(left: [.request(a)])),
      ])
  }
}
