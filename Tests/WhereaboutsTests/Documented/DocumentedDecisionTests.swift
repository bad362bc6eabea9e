import Testing
import Whereabouts
import WhereaboutsTesting

/// Decisions, as "Decisions and journals" documents them.
@Suite struct DocumentedDecisionTests {
  private let clock = StepClock(wall: startOfTest)
  private let source = ScriptedSource()

  private func makeManager() -> LocationManager { LocationManager(source: source, clock: clock.managerClock) }

  /// Returns the decisions of a stream so far, and ends it.
  private func decisions(_ stream: EventStream<Decision.Entry>, of manager: LocationManager) async
    -> [Decision]
  {
    await manager.waitUntilProcessed()
    stream.end()
    return await allElements(of: stream).map(\.decision)
  }

  @Test func eachEndOfARequestIsADecisionWithItsDuration() async {
    let manager = makeManager()
    let stream = manager.decisions()
    let timedOut = manager.request(.house, timeout: .seconds(2))
    let cancelled = manager.request(.house, timeout: nil)
    let early = manager.request(.block, timeout: nil)
    let reached = manager.request(.room, timeout: nil)
    await manager.waitUntilProcessed()
    await clock.advance(by: .seconds(1))
    cancelled.cancel()
    await manager.waitUntilProcessed()
    await clock.advance(by: .seconds(2))
    early.completeNow()
    await manager.waitUntilProcessed()
    await clock.advance(by: .seconds(1))
    await source.emit(fix(5, at: 4))
    var ends: [RequestID: Duration] = [:]
    for case .requestEnded(let id, _, _, after: let duration) in await decisions(stream, of: manager) {
      let before = ends.updateValue(duration, forKey: id)
      #expect(before == nil, "request \(id.number) ended twice")
    }
    let expected: [RequestID: Duration] = [
      cancelled.id: .seconds(1), timedOut.id: .seconds(2), early.id: .seconds(3), reached.id: .seconds(4),
    ]
    #expect(ends == expected)
  }

  @Test func eachRefusedFixHasItsReason() async {
    let manager = makeManager()
    let stream = manager.decisions()
    for second in 8...10 { await source.emit(fix(5, at: Double(second))) }
    await source.emit(fix(5, at: 10))
    await source.emit(fix(5, at: 7))
    await source.emit(fix(-1, at: 11))
    await source.emit(.test(latitude: 47, longitude: 8, accuracy: 5, time: nil), age: .sinceFixTime)
    await source.emit(fix(5, at: 3600), age: .sinceFixTime)
    await source.emit(fix(5, at: 12, north: 90_000))
    await source.emit(Authorization(.denied))
    await source.emit(fix(5, at: 13))
    var reasons: [Refusal.Reason] = [], withheld = 0
    for decision in await decisions(stream, of: manager) {
      switch decision {
      case .refused(_, let refusal): reasons.append(refusal.reason)
      case .fixWithheld: withheld += 1
      default: break
      }
    }
    #expect(
      reasons == [.duplicate, .outOfOrder, .invalidAccuracy, .withoutTime, .fromTheFuture, .outlier])
    #expect(withheld == 1)
    let counts = await manager.fixCounts()
    #expect(counts.accepted == 3)
    #expect(
      counts.refused == [
        .duplicate: 1, .outOfOrder: 1, .invalidAccuracy: 1, .withoutTime: 1, .fromTheFuture: 1, .outlier: 1,
        .unauthorized: 1,
      ])
  }

  @Test func listeningMakesNoDemand() async {
    let manager = makeManager()
    let stream = manager.decisions(), fences = manager.fences.updates()
    var statuses = manager.statuses.makeAsyncIterator()
    _ = await statuses.next()
    #expect(await source.emit(fix(5, at: 1)).demand == .off)
    #expect(await source.demands == [])
    withExtendedLifetime((stream, fences)) {}
  }

  @Test(arguments: [EventBuffering.newest(2), .all(upTo: 2)]) func droppedDecisionsAreCounted(
    buffering: EventBuffering
  ) async {
    let manager = makeManager()
    let stream = manager.decisions(keeping: buffering)
    for second in 1...5 { await source.emit(fix(-Double(second), at: Double(second))) }
    #expect(await stream.dropped == 3)
    let kept = buffering == .newest(2) ? [4.0, 5] : [1.0, 2]
    let expected = kept.map { Decision.refused(fix(-$0, at: $0), .invalidAccuracy) }
    #expect(await decisions(stream, of: manager) == expected)
  }

  @Test(arguments: [Int.min, 0]) func bufferOfDecisionsHoldsAtLeastOne(count: Int) async {
    let manager = makeManager()
    let stream = manager.decisions(keeping: .newest(count))
    for second in 1...3 { await source.emit(fix(-1, at: Double(second))) }
    #expect(await decisions(stream, of: manager) == [.refused(fix(-1, at: 3), .invalidAccuracy)])
  }
}
