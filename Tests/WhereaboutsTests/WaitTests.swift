import Testing
import WhereaboutsTesting

@testable import Whereabouts

/// The end of a wait for a request's outcome when the waiting task is cancelled.
@Suite struct WaitTests {
  private let clock = StepClock()
  private let source = ScriptedSource()

  @Test func cancellingTheLastWaitCancelsTheRequest() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.room, timeout: nil)
    let waiting = Task { await request.outcome }
    _ = await source.demand { $0 != .off }
    waiting.cancel()
    #expect(await waiting.value == .cancelled)
    #expect(await source.demand { $0 == .off } == .off)
    #expect(await request.outcome == .cancelled)
  }

  @Test func waitingInACancelledTaskCancelsTheRequest() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await manager.request(.room, timeout: nil).outcome
    }
    #expect(await waiting.value == .cancelled)
    await manager.waitUntilProcessed()
    #expect(await source.demands.last == .off)
  }

  @Test func requestContinuesForAnotherWaitingTask() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.house, timeout: nil)
    let promise = request.promise
    let one = Task { await request.outcome }, other = Task { await request.outcome }
    while await promise.waiterCount < 2 { await Task.yield() }
    one.cancel()
    #expect(await one.value == .cancelled)
    await source.emit(fix(5, at: 1))
    #expect(await other.value == .reached(Answer(fix: fix(5, at: 1), age: .zero, level: .room)))
    #expect(await request.outcome == other.value)
  }

  @Test func cancelledTaskReceivesAnExistingOutcome() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.house, timeout: nil)
    await source.emit(fix(5, at: 1))
    let expected = await request.outcome
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await request.outcome
    }
    #expect(await waiting.value == expected)
  }
}
