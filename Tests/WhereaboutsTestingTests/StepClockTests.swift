import Testing
@testable import Whereabouts
import WhereaboutsTesting

@Suite struct StepClockTests {
  let clock = StepClock()

  @Test func clockMovesOnlyWhenAdvanced() async {
    let start = clock.now
    #expect(clock.now == start)
    await clock.advance(by: .seconds(3))
    #expect(start.duration(to: clock.now) == .seconds(3))
    #expect(clock.now.duration(to: start) == .seconds(-3))
  }

  @Test func sleeperWakesAtItsDeadline() async throws {
    let sleeper = Task { try await clock.sleep(until: .init(.seconds(5))) }
    #expect(await clock.nextDeadline().offset == .seconds(5))
    await clock.advance(by: .milliseconds(4999))
    #expect(await clock.sleepers == 1)
    await clock.advance(by: .milliseconds(1))
    try await sleeper.value
    #expect(await clock.sleepers == 0)
  }

  @Test func passedDeadlineDoesNotSleep() async throws {
    await clock.advance(by: .seconds(5))
    try await clock.sleep(until: .init(.seconds(5)))
    try await clock.sleep(until: .init(.seconds(1)))
  }

  @Test func cancellingASleeperWakesItWithAnError() async throws {
    let sleeper = Task { try await clock.sleep(until: .init(.seconds(5))) }
    _ = await clock.nextDeadline()
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(await clock.sleepers == 0)
  }

  @Test func waitUntilNoSleepersReturns() async throws {
    await clock.waitUntilNoSleepers()
    let cancelled = Task { try await clock.sleep(until: .init(.seconds(5))) }
    let woken = Task { try await clock.sleep(until: .init(.seconds(6))) }
    while await clock.sleepers < 2 { await Task.yield() }
    async let quiet: Void = clock.waitUntilNoSleepers()
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(await clock.sleepers == 1)
    await clock.advance(by: .seconds(6))
    await quiet
    #expect(await clock.sleepers == 0)
    try await woken.value
  }

  @Test func cancellationBeforeTheSleepDoesNotSleep() async throws {
    let sleeper = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(until: .init(.seconds(5)))
    }
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(await clock.sleepers == 0)
  }

  @Test func wallClockAdvancesAndCanBeSet() async throws {
    let noon = UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000)
    let clock = StepClock(wall: noon)
    await clock.advance(by: .seconds(7))
    let wall = try #require(clock.managerClock.stamp()?.wall)
    #expect(wall.since(noon) == .seconds(7))
    clock.setWall(nil)
    #expect(clock.managerClock.stamp()?.wall == nil)
  }
}
