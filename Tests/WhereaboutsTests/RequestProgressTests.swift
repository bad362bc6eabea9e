import Testing
import Whereabouts
import WhereaboutsTesting

@Suite struct RequestProgressTests {
  let clock = StepClock()
  let source = ScriptedSource()

  @Test func progressReportsEachBetterFixAndTheEnd() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.house, timeout: nil)
    var states = request.progress.makeAsyncIterator()
    #expect(await states.next() == .searching)
    await source.emit(fix(90, at: 1))
    #expect(await states.next() == .found(Answer(fix: fix(90, at: 1), age: .zero, level: .block)))
    await source.emit(fix(900, at: 2))  // Not better, so no progress.
    await source.emit(fix(60, at: 3))
    #expect(await states.next() == .found(Answer(fix: fix(60, at: 3), age: .zero, level: .block)))
    await source.emit(fix(9, at: 4))
    let outcome = await request.outcome
    #expect(await states.next() == .ended(outcome))
    #expect(await states.next() == nil)
  }

  @Test func secondObserverReceivesTheCurrentBestFixOnly() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.house, timeout: nil)
    var first = request.progress.makeAsyncIterator()
    await source.emit(fix(90, at: 1))
    let found = Answer(fix: fix(90, at: 1), age: .zero, level: .block)
    #expect(await first.next() == .found(found))
    await clock.advance(by: .seconds(2))
    let progress = request.progress
    await manager.waitUntilProcessed()
    var second = progress.makeAsyncIterator()
    #expect(await second.next() == .found(Answer(fix: found.fix, age: .seconds(2), level: .block)))
    await source.emit(fix(60, at: 3))
    let better = Answer(fix: fix(60, at: 3), age: .zero, level: .block)
    #expect(await first.next() == .found(better))
    #expect(await second.next() == .found(better))
  }

  @Test func observerJoiningAtTheTimeoutEndsToo() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    // The wake and the second observer may arrive in either order, with the same result.
    for _ in 0..<50 {
      let request = manager.request(.house, timeout: .seconds(1))
      let early = request.progress
      await manager.waitUntilProcessed()
      await clock.advance(by: .seconds(1))
      let late = request.progress
      await manager.waitUntilProcessed()
      for stream in [early, late] {
        var states = stream.makeAsyncIterator()
        #expect(await states.next() == .ended(.timedOut(best: nil)))
        #expect(await states.next() == nil)
      }
    }
  }

  @Test func progressOfAnEndedRequestIsItsOutcome() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.house, timeout: nil)
    request.cancel()
    _ = await request.outcome
    var states = request.progress.makeAsyncIterator()
    #expect(await states.next() == .ended(.cancelled))
    #expect(await states.next() == nil)
  }

  @Test func requestWhoseProgressIsFollowedContinuesWithoutItsHandle() async {
    let states: AsyncStream<LocationRequest.Progress>
    do {
      let manager = LocationManager(source: source, clock: clock.managerClock)
      states = manager.request(.house, timeout: nil).progress
    }
    await source.emit(fix(9, at: 1))
    var last: LocationRequest.Progress?
    for await state in states { last = state }
    #expect(last == .ended(.reached(Answer(fix: fix(9, at: 1), age: .zero, level: .house))))
  }

  @Test func managerEndsWithTheProgressStream() async {
    do {
      let manager = LocationManager(source: source, clock: clock.managerClock)
      for await state in manager.request(.house, timeout: nil).progress {
        #expect(state == .searching)
        break
      }
    }
    // The source is not needed any more as soon as the manager is gone.
    while await source.emit(fix(900, at: 1)) != .ended { await Task.yield() }
  }
}
