import Testing
import Whereabouts
import WhereaboutsTesting

@Suite struct ManagerStateStreamTests {
  let clock = StepClock()
  let source = ScriptedSource()

  @Test func authorizationStreamReportsTheCurrentValueAndEachChange() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    var states = manager.authorizations.makeAsyncIterator()
    #expect(await states.next() == Authorization(.always))
    let denied = Authorization(.denied, remedy: "Join the group dialout.")
    await source.emit(.authorization(denied))
    #expect(await states.next() == denied)
    #expect(await manager.status == ServiceStatus(authorization: denied))
    await source.emit(.authorization(Authorization(.whenInUse)))
    #expect(await states.next() == Authorization(.whenInUse))
  }

  @Test func readingTheLastFixStartsNoSource() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    #expect(await manager.lastFix == nil)
    await source.emit(fix(900, at: 1))
    await clock.advance(by: .seconds(60))
    #expect(await manager.lastFix == Answer(fix: fix(900, at: 1), age: .seconds(60), level: .neighborhood))
    #expect(await source.demands.isEmpty)
  }

  @Test func decisionsHaveNumbersAndTimes() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.house, timeout: .seconds(5))
    _ = await source.demand { $0 != .off }
    var decisions = manager.decisions().makeAsyncIterator()
    let bad = fix(-1, at: 1)
    await source.emit(bad)
    #expect(await decisions.next()?.decision == .refused(bad, .invalidAccuracy))
    _ = await clock.nextDeadline()
    await clock.advance(by: .seconds(5))
    let ended = try #require(await decisions.next())
    // The request was made before the stream was opened, but its end is reported.
    #expect(
      ended.decision
        == .requestEnded(
          request.id, RequestTerms(level: .house, timeout: .seconds(5)), .timedOut(best: nil),
          after: .seconds(5)))
    #expect(ended.moment.instant == Instant(.seconds(5)))
    let house = Demand.continuous(Demand.Continuous(accuracy: 15))
    #expect(
      await decisions.next()?.decision
        == .demandChanged(from: house, to: .off, because: Decision.DemandCause(left: [.request(request.id)])))
  }
}
