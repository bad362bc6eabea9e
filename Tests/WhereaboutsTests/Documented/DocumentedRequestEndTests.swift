import Testing
import Whereabouts
import WhereaboutsTesting

/// The ends of requests, as "Location requests" documents them.
@Suite struct DocumentedRequestEndTests {
  private let clock = StepClock()
  private let source = ScriptedSource()
  private let problem = SourceProblem(.unreachable, message: "reach the receiver")

  private func makeManager() -> LocationManager { LocationManager(source: source, clock: clock.managerClock) }

  private func answer(_ fix: Fix, age: Duration = .zero, _ level: AccuracyLevel?) -> Answer {
    Answer(fix: fix, age: age, level: level)
  }

  // MARK: Cancellation

  @Test func requestCanBeCancelledAtEachMoment() async {
    let manager = makeManager()
    let atOnce = manager.request(.house, timeout: .seconds(10))
    atOnce.cancel()
    atOnce.cancel()
    #expect(await atOnce.outcome == .cancelled)
    #expect(await atOnce.answer == nil)

    let withAFix = manager.request(.house, timeout: .seconds(10))
    await source.emit(fix(60, at: 1))
    withAFix.cancel()
    #expect(await withAFix.outcome == .cancelled)

    let atTheDeadline = manager.request(.house, timeout: .seconds(10))
    await manager.waitUntilProcessed()
    await clock.advance(by: .seconds(10))
    atTheDeadline.cancel()
    let best = answer(fix(60, at: 1), age: .seconds(10), .block)
    #expect(await atTheDeadline.outcome == .timedOut(best: best), "the deadline was first")

    let afterTheEnd = manager.request(.house, timeout: nil)
    await source.emit(fix(5, at: 11))
    afterTheEnd.cancel()
    afterTheEnd.completeNow()
    await manager.waitUntilProcessed()
    #expect(await afterTheEnd.outcome == .reached(answer(fix(5, at: 11), .room)))
    #expect(await source.demands.last == .off)
  }

  @Test func cancellingSomeRequestsDoesNotAffectOthers() async {
    let manager = makeManager()
    let requests = (0..<1000).map { _ in manager.request(.house, timeout: .seconds(10)) }
    for (index, request) in requests.enumerated() where index.isMultiple(of: 2) { request.cancel() }
    await source.emit(fix(5, at: 1))
    for (index, request) in requests.enumerated() {
      let expected =
        index.isMultiple(of: 2) ? RequestOutcome.cancelled : .reached(answer(fix(5, at: 1), .room))
      #expect(await request.outcome == expected, "request \(index)")
    }
    #expect(Set(requests.map(\.id)).count == 1000)
    #expect(await source.demands.last == .off)
    await clock.waitUntilNoSleepers()
  }

  // MARK: Lifetime

  @Test func requestKeepsAReleasedManagerAlive() async {
    let request: LocationRequest
    do {
      let manager = makeManager()
      request = manager.request(.house, timeout: nil)
    }
    await source.emit(fix(5, at: 1))
    #expect(await request.outcome == .reached(answer(fix(5, at: 1), .room)))
  }

  @Test func releasedHandleCancelsNothing() async {
    let manager = makeManager()
    let decisions = manager.decisions()
    _ = manager.request(.house, timeout: .seconds(10))
    await source.emit(fix(5, at: 1))
    await manager.waitUntilProcessed()
    decisions.end()
    var outcomes: [RequestOutcome] = []
    for await entry in decisions {
      if case .requestEnded(_, _, let outcome, after: _) = entry.decision { outcomes.append(outcome) }
    }
    #expect(outcomes == [.reached(answer(fix(5, at: 1), .room))])
  }

  @Test func progressThatNobodyReadsKeepsTheNewestStateOnly() async {
    let manager = makeManager()
    let request = manager.request(.house, timeout: nil)
    let early = request.progress, late = request.progress
    for second in 1...9 { await source.emit(fix(Double(100 - second * 8), at: Double(second))) }
    var first = early.makeAsyncIterator()
    #expect(await first.next() == .found(answer(fix(28, at: 9), .block)))
    await source.emit(fix(5, at: 10))
    var states: [LocationRequest.Progress] = []
    for await state in late { states.append(state) }
    #expect(states == [.ended(.reached(answer(fix(5, at: 10), .room)))])
  }

  // MARK: The source

  @Test func failedSourceEndsAllRequestsAndIsRetriedForTheNext() async {
    let manager = makeManager()
    let requests = [AccuracyLevel.room, .house, .block].map { manager.request($0, timeout: .seconds(10)) }
    await source.emit(fix(600, at: 1))
    await source.fail(problem)
    let best = answer(fix(600, at: 1), .neighborhood)
    for request in requests { #expect(await request.outcome == .sourceFailed(problem, best: best)) }
    #expect(await source.demands.last == .off)
    let next = manager.request(.house, timeout: .seconds(10))
    _ = await source.demand { $0 != .off }
    await source.emit(fix(5, at: 2))
    #expect(await next.outcome == .reached(answer(fix(5, at: 2), .room)))
  }
}
