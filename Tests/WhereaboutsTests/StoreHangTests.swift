import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsTesting

/// Stores that do not answer.
@Suite struct StoreHangTests {
  private let clock = StepClock(wall: utc(0))
  private let source = ScriptedSource()
  private let store = MemoryStore()

  private func makeManager() -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock, store: store)
  }

  @Test func requestTimesOutWhileACommitHangs() async throws {
    let manager = makeManager()
    await manager.waitUntilProcessed()
    await store.hold()
    let saying = Task { await source.emit(fix(60, at: 1)) }
    _ = await store.commitAttempt { !$0.fixes.isEmpty }
    let request = manager.request(.house, timeout: .seconds(5))
    await clock.advance(by: .seconds(5))
    await clock.expireStoreTimeouts()
    _ = await saying.value
    guard case .timedOut(let best?) = await request.outcome else {
      Issue.record("no timeout")
      return
    }
    #expect(best.fix == fix(60, at: 1))
    guard case .failing(let problem) = await manager.storeHealth.first(where: { _ in true }) else {
      Issue.record("the store is reported as working")
      return
    }
    #expect(problem.code == .unresponsive)
    // The store gets no further commit until it answers, and then one commit with all changes.
    await source.emit(fix(50, at: 2))
    await store.release()
    while await store.fixes().count < 2 { await manager.waitUntilProcessed() }
    await source.emit(fix(40, at: 3))
    #expect(await store.fixes().map(\.fix) == [fix(60, at: 1), fix(50, at: 2), fix(40, at: 3)])
    #expect(await manager.save() == .working)
  }

  @Test func lateFailedCommitIsRetriedWithLaterChanges() async throws {
    let manager = makeManager()
    await manager.waitUntilProcessed()
    await store.hold()
    let saying = Task { await source.emit(fix(60, at: 1)) }
    _ = await store.commitAttempt { !$0.fixes.isEmpty }
    await clock.expireStoreTimeouts()
    _ = await saying.value
    await source.emit(fix(50, at: 2))
    await store.fail(.full, next: 1)
    await store.release()
    while await store.failed[.commit] == nil { await manager.waitUntilProcessed() }
    await manager.waitUntilProcessed()
    await clock.advance(by: .seconds(1))
    while await store.fixes().count < 2 { await manager.waitUntilProcessed() }
    #expect(await store.fixes().map(\.fix) == [fix(60, at: 1), fix(50, at: 2)])
  }

  @Test func pauseBeginsAtTheEndOfACommit() async throws {
    let manager = makeManager()
    await manager.waitUntilProcessed()
    await store.hold()
    await store.fail(.full)
    let saying = Task { await source.emit(fix(60, at: 1)) }
    _ = await store.commitAttempt { !$0.fixes.isEmpty }
    await clock.advance(by: .seconds(5))
    await store.release()
    _ = await saying.value
    await source.emit(fix(50, at: 5))
    #expect(await store.failed[.commit] == 1)
    withExtendedLifetime(manager) {}
  }

  @Test func storeThatHangsWhileItIsReadIsNotUsed() async throws {
    await store.hold([.load])
    let manager = makeManager()
    let request = manager.request(.house, timeout: .seconds(5))
    await clock.advance(by: .seconds(5))
    await clock.expireStoreTimeouts()
    #expect(await request.outcome == .timedOut(best: nil))
    guard case .unusable(let problem) = await manager.storeHealth.first(where: { _ in true }) else {
      Issue.record("the store is reported as usable")
      return
    }
    #expect(problem.code == .unresponsive)
    await source.emit(fix(5, at: 1))
    await store.release()
    #expect(await store.fixes().isEmpty)
  }

  @Test func acknowledgementThatHangsIsRefusedAndTheNextAtOnce() async throws {
    var earlier = StoreCommit(device: .this)
    earlier.fenceRecords = (1...3).map {
      NumberedFenceRecord(number: $0, record: .removed("home", because: .expired))
    }
    try await store.commit(earlier)
    let manager = makeManager()
    await manager.waitUntilProcessed()
    await store.hold([.acknowledge])
    let first = Task { try await manager.fences.acknowledge(through: 1, by: "one") }
    await clock.expireStoreTimeouts()
    await #expect(throws: StoreError.self) { try await first.value }
    await #expect(throws: StoreError.self) { try await manager.fences.acknowledge(through: 2, by: "one") }
    await store.release()
    while (try? await manager.fences.acknowledge(through: 3, by: "one")) == nil { await Task.yield() }
    #expect(try await store.cursor(of: "one", device: .this) == 3)
  }
}
