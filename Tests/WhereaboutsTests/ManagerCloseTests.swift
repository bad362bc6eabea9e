import EngineTestSupport
import Testing
import WhereaboutsTesting

@testable import Whereabouts

/// Inputs between the last commit of a manager and the end of its inbox.
@Suite struct ManagerCloseTests {
  private let clock = StepClock(wall: utc(0))
  private let source = ScriptedSource()
  private let store = MemoryStore()

  @Test func nothingIsWrittenAfterTheClaimIsGivenBack() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock, store: store)
    let request = manager.request(.room, timeout: nil)
    await source.emit(fix(60, at: 1))
    let health = await manager.inbox.perform { await $0.saveAll(isEnding: true) }
    #expect(health == .working)
    let commits = await store.commits.count
    await source.emit(fix(4, at: 2))
    let isEnded = await manager.process([.fix(fix(4, at: 3), age: .sinceFixTime)]) == nil
    #expect(isEnded)
    #expect(await manager.save() == .working)
    #expect(await store.commits.count == commits)
    #expect(await store.fixes().map(\.fix) == [fix(60, at: 1)])
    await manager.close()
    #expect(await request.outcome == .cancelled)
  }

  @Test func requestsAndStreamsAfterTheEndEndAtOnce() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    await manager.close()
    #expect(await manager.request(.room, timeout: nil).outcome == .cancelled)
    for await _ in manager.fixes() { Issue.record("a fix was delivered") }
    for await _ in manager.fences.updates() { Issue.record("a fence update was delivered") }
    for await _ in manager.decisions() { Issue.record("a decision was delivered") }
    let tracker = manager.tracker()
    for await _ in tracker.updates { Issue.record("an update was delivered") }
    await #expect(throws: TrackError(cause: .released)) { try await tracker.start() }
  }
}
