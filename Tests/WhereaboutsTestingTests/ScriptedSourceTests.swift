import Testing
import Whereabouts
import WhereaboutsTesting

@Suite struct ScriptedSourceTests {
  private let place = Fix.test(latitude: 1, longitude: 2, accuracy: 3, time: nil)

  @Test func everyDemandIsRecorded() async {
    let source = ScriptedSource()
    let manager = LocationManager(source: source, clock: StepClock().managerClock)
    let coarse = manager.request(.city, timeout: nil)
    let fine = manager.request(.room, timeout: nil)
    fine.cancel()
    coarse.cancel()
    let streamed = manager.fixes(.block)
    await manager.waitUntilProcessed()
    let demands = [5000.0, 5, 5000, nil, 100].map {
      $0.map { Demand.continuous(Demand.Continuous(accuracy: $0)) } ?? .off
    }
    #expect(await source.demands == demands)
    withExtendedLifetime(streamed) {}
  }

  @Test func retryOfAFailedSourceIsRecorded() async {
    let source = ScriptedSource()
    let manager = LocationManager(source: source, clock: StepClock().managerClock)
    let stream = manager.fixes(.block)
    await source.fail(SourceProblem(.unreachable, message: "reach the receiver"))
    _ = manager.request(.block, timeout: nil)
    await manager.waitUntilProcessed()
    let demand = Demand.continuous(Demand.Continuous(accuracy: 100))
    #expect(await source.demands == [demand, demand])
    withExtendedLifetime(stream) {}
  }

  @Test func authorizationRequestsAreRecorded() async {
    let source = ScriptedSource(authorizationNeeds: .userConsent(requestable: [.whenInUse, .always]))
    let manager = LocationManager(source: source, clock: StepClock().managerClock)
    #expect(await source.authorizationRequests.isEmpty)
    let request = manager.request(.block, timeout: nil)
    #expect(await source.authorizationRequest() == .always)
    #expect(await source.authorizationRequests == [.always])
    await source.emit(Authorization(.denied))
    #expect(await request.outcome == .unauthorized(Authorization(.denied)))
  }

  @Test func signalsAfterTheEndAreIgnored() async {
    let source = ScriptedSource()
    let manager = LocationManager(source: source, clock: StepClock().managerClock)
    let request = manager.request(.room, timeout: nil)
    source.end()
    #expect(await request.outcome == .sourceEnded(best: nil))
    #expect(await source.emit(place) == .ended)
  }
}
