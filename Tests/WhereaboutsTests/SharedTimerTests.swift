import Foundation
import Testing
import Whereabouts
import WhereaboutsTesting

/// One sleeper for many deadlines.
@Suite struct SharedTimerTests {
  private let clock = StepClock()
  private let fired = Fired()

  /// The numbers of the actions that were called. `lock` guards them: Apple's least systems have no `Mutex`.
  private final class Fired: @unchecked Sendable {
    private let lock = NSLock()
    private var numbers: [Int] = []
    func append(_ number: Int) { lock.withLock { numbers.append(number) } }
    var all: [Int] { lock.withLock { numbers } }
  }

  private func add(_ number: Int, after seconds: Int, to timer: SharedTimer<StepClock>) async
    -> SharedTimer<StepClock>.Entry
  {
    await timer.add(after: .seconds(seconds)) { [fired] in fired.append(number) }
  }

  @Test func eachDeadlineIsMetOnceByOneSleeper() async {
    let timer = SharedTimer(clock)
    for number in 1...100 { _ = await add(number, after: number, to: timer) }
    await waitForSleeper(until: 1)
    #expect(await clock.sleepers == 1)
    for second in 1...100 {
      await waitForSleeper(until: second)
      await clock.advance(by: .seconds(1))
      while await timer.count > 100 - second { await Task.yield() }
      #expect(fired.all == Array(1...second))
    }
    #expect(await clock.sleepers == 0)
  }

  @Test func removedDeadlineIsNotMet() async {
    let timer = SharedTimer(clock)
    let first = await add(1, after: 5, to: timer)
    _ = await add(2, after: 9, to: timer)
    await timer.remove(first)
    await waitForSleeper(until: 5)
    await clock.advance(by: .seconds(5))
    // The sleeper wakes for the removed deadline and sleeps on.
    await waitForSleeper(until: 9)
    #expect(fired.all.isEmpty)
    await clock.advance(by: .seconds(4))
    while await timer.count > 0 { await Task.yield() }
    #expect(fired.all == [2])
  }

  @Test func earlierDeadlineReplacesTheSleeper() async {
    let timer = SharedTimer(clock)
    _ = await add(1, after: 60, to: timer)
    await waitForSleeper(until: 60)
    _ = await add(2, after: 10, to: timer)
    await waitForSleeper(until: 10)
    await clock.advance(by: .seconds(10))
    while await timer.count > 1 { await Task.yield() }
    #expect(fired.all == [2])
    // The replaced sleeper ends on a task of its own.
    await waitForSleeper(until: 60)
    while await clock.sleepers > 1 { await Task.yield() }
  }

  private func waitForSleeper(until second: Int) async {
    while await clock.nextDeadline() != StepClock.Instant(.seconds(second)) { await Task.yield() }
  }
}
