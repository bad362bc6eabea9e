import Testing
import Whereabouts
import WhereaboutsTesting

@Suite struct RequestProgressTests {
  let clock = StepClock()
  let source = ScriptedSource()

  @Test func whoeverShowsARequestSeesEachBetterFixAndHowItEnds() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.house, timeout: nil)
    var states = request.progress.makeAsyncIterator()
    #expect(await states.next() == .searching)
    await source.say(fix(90, at: 1))
    #expect(await states.next() == .found(Answer(fix: fix(90, at: 1), age: .zero, level: .block)))
    await source.say(fix(900, at: 2))  // No better, so nothing to show.
    await source.say(fix(60, at: 3))
    #expect(await states.next() == .found(Answer(fix: fix(60, at: 3), age: .zero, level: .block)))
    await source.say(fix(9, at: 4))
    let outcome = await request.outcome
    #expect(await states.next() == .ended(outcome))
    #expect(await states.next() == nil)
  }

  @Test func aRequestThatHasEndedShowsHow() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.house, timeout: nil)
    request.cancel()
    _ = await request.outcome
    var states = request.progress.makeAsyncIterator()
    #expect(await states.next() == .ended(.cancelled))
    #expect(await states.next() == nil)
  }
}
