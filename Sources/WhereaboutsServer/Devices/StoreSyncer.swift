import Dispatch
import Whereabouts
import WhereaboutsStore

/// The syncs of a store: tasks that wait at the same time share one sync.
///
/// A sync blocks a thread, so it runs on a queue of its own.
actor StoreSyncer {
  private let store: SQLiteStore
  private let queue = DispatchQueue(label: "whereabouts.sync")
  private var waiting: [CheckedContinuation<Result<Void, StoreError>, Never>] = []
  private var isSyncing = false

  init(store: SQLiteStore) { self.store = store }

  /// Returns once every commit made before the call survives a power cut.
  func sync() async throws(StoreError) {
    let result = await withCheckedContinuation { continuation in
      waiting.append(continuation)
      if !isSyncing { begin() }
    }
    try result.get()
  }

  /// Begins a sync for all waiting tasks. Later tasks wait for the next sync.
  private func begin() {
    isSyncing = true
    let served = waiting
    waiting = []
    queue.async { [store] in
      let result: Result<Void, StoreError>
      do throws(StoreError) {
        try store.sync()
        result = .success(())
      } catch {
        result = .failure(error)
      }
      for continuation in served { continuation.resume(returning: result) }
      Task { await self.end() }
    }
  }

  private func end() {
    isSyncing = false
    if !waiting.isEmpty { begin() }
  }
}
