import Testing
import Whereabouts
import WhereaboutsTesting

/// Failures and delays of a memory store. Its content is tested with all other stores.
@Suite struct MemoryStoreTests {
  private let store = MemoryStore()

  private func commit(_ second: Int64) -> StoreCommit {
    let time = UTCTime(nanosecondsSince1970: second * 1_000_000_000)
    var commit = StoreCommit(device: .this)
    commit.fixes = [LoggedFix(.test(latitude: 1, longitude: 2, accuracy: 5, time: time), seen: time)]
    return commit
  }

  private func storeErrorCode(_ body: () async throws -> Void) async -> StoreError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? StoreError)?.code
    }
  }

  @Test func requestedFailuresStoreNothing() async throws {
    await store.fail(.full, next: 2)
    #expect(await storeErrorCode { try await store.commit(commit(1)) } == .full)
    #expect(await storeErrorCode { try await store.commit(commit(2)) } == .full)
    try await store.commit(commit(3))
    #expect(await store.fixes() == commit(3).fixes)
    #expect(await store.failed[.commit] == 2)
  }

  @Test func storeFailsUntilRecovered() async throws {
    await store.fail(.locked)
    for second in 1...50 {
      #expect(await storeErrorCode { try await store.commit(commit(Int64(second))) } == .locked)
    }
    #expect(
      await storeErrorCode { try await store.acknowledge(through: 1, by: "a", device: .this) } == .locked)
    _ = try await store.load(.this)
    await store.recover()
    try await store.commit(commit(1))
    #expect(await store.commits.count == 1)
  }

  @Test func onlyNamedOperationsFail() async throws {
    await store.fail(.corrupt, of: [.load, .read])
    #expect(await storeErrorCode { _ = try await store.load(.this) } == .corrupt)
    #expect(await storeErrorCode { _ = try await store.cursor(of: "a", device: .this) } == .corrupt)
    #expect(
      await storeErrorCode { _ = try await store.fenceRecords(of: .this, after: 0, limit: 1) } == .corrupt)
    try await store.commit(commit(1))
  }

  @Test func heldCommitsAreWrittenInOrderOnRelease() async throws {
    await store.hold()
    let first = Task { [store] in try await store.commit(commit(1)) }
    _ = await store.commitAttempt { $0.fixes == commit(1).fixes }
    let second = Task { [store] in try await store.commit(commit(2)) }
    _ = await store.commitAttempt { $0.fixes == commit(2).fixes }
    #expect(await store.commits.isEmpty)
    await store.release()
    try await first.value
    try await second.value
    #expect(await store.fixes() == commit(1).fixes + commit(2).fixes)
  }
}
