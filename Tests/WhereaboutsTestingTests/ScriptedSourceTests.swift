import Testing
import Whereabouts
import WhereaboutsTesting

@Suite struct ScriptedSourceTests {
  private let place = Fix.test(latitude: 1, longitude: 2, accuracy: 3, time: nil)

  @Test func itRemembersWhatWasAskedInOrder() async {
    let source = ScriptedSource()
    let manager = LocationManager(source: source, clock: StepClock().managerClock)
    let coarse = manager.request(.city, timeout: nil)
    _ = await source.demand { $0 == .continuous(ContinuousDemand(accuracy: 5000)) }
    let fine = manager.request(.room, timeout: nil)
    _ = await source.demand { $0 == .continuous(ContinuousDemand(accuracy: 5)) }
    fine.cancel()
    coarse.cancel()
    _ = await source.demand { $0 == .off }
    #expect(await source.demands.first == .continuous(ContinuousDemand(accuracy: 5000)))
  }

  @Test func whatItSaysAfterItsEndIsHeardByNobody() async {
    let source = ScriptedSource()
    let manager = LocationManager(source: source, clock: StepClock().managerClock)
    let request = manager.request(.room, timeout: nil)
    source.end()
    #expect(await request.outcome == .sourceEnded(best: nil))
    #expect(await source.say(place) == .over)
  }
}
