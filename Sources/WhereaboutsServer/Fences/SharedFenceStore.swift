import Synchronization
import Whereabouts
import WhereaboutsStore

/// The store of one device that uses the server's shared fences.
///
/// The device's engine loads the shared fences and stores its own states. Changes of fences are stored by
/// ``SharedFences`` alone.
final class SharedFenceStore: LocationStore {
  private let base: SQLiteStore
  private let fences: SharedFences
  /// Whether the fixes are those of a phone, which sends none again once it has the answer.
  private let isOfPhone: Bool
  private let onFenceRecords: @Sendable () -> Void
  private let revision = Mutex<UInt64>(0)

  /// - Parameters:
  ///   - isOfPhone: whether the fixes are those of a phone. Each of its commits survives a power cut when it returns, and
  ///     commits of many devices share one sync. A receiver's fix each second is not worth one, and neither is a state
  ///     that follows from the stored fixes.
  ///   - onFenceRecords: called after fence records were stored.
  init(
    _ base: SQLiteStore, fences: SharedFences, isOfPhone: Bool,
    onFenceRecords: @escaping @Sendable () -> Void
  ) {
    self.base = base
    self.fences = fences
    self.isOfPhone = isOfPhone
    self.onFenceRecords = onFenceRecords
  }

  /// The revision of the fences that the engine has; 0 before they are loaded.
  var loadedRevision: UInt64 { revision.withLock { $0 } }

  /// The present fences if the engine does not have them yet; `nil` otherwise.
  var newerFences: SharedFences.Snapshot? {
    let snapshot = fences.snapshot
    return snapshot.revision > loadedRevision ? snapshot : nil
  }

  /// Records the revision of the fences that the engine was given.
  func setLoadedRevision(_ new: UInt64) { revision.withLock { $0 = max($0, new) } }

  func claim(_ device: DeviceID) async throws(StoreError) -> any StoreClaim {
    try await base.claim(device, forManagerOf: "whereabouts serve")
  }

  func load(_ device: DeviceID) async throws(StoreError) -> DeviceRecord {
    var record = try await base.load(device)
    let shared = fences.snapshot
    record.sharedFences = shared.registry
    record.edits = []
    revision.withLock { $0 = shared.revision }
    return record
  }

  func commit(_ commit: StoreCommit) async throws(StoreError) {
    var commit = commit
    commit.sharesFences = true
    if isOfPhone { commit.durability = commit.hasStateAlone ? .process : .power }
    try await base.commit(commit)
    // Fences that ended for one device end for all, before a client learns of the end and adds a fence again.
    if !commit.fences.ended.isEmpty { await fences.removeEnded(commit.fences.ended) }
    if !commit.fenceRecords.isEmpty { onFenceRecords() }
  }

  func fenceRecords(
    of device: DeviceID, after number: UInt64, limit: Int
  ) async throws(StoreError) -> [NumberedFenceRecord] {
    try await base.fenceRecords(of: device, after: number, limit: limit)
  }

  func cursor(of consumer: String, device: DeviceID) async throws(StoreError) -> UInt64 {
    try await base.cursor(of: consumer, device: device)
  }

  func acknowledge(
    through number: UInt64, by consumer: String, device: DeviceID
  ) async throws(StoreError) {
    try await base.acknowledge(through: number, by: consumer, device: device)
  }
}

extension StoreCommit {
  /// Whether the commit has the engine's state alone. After a power cut that takes it, the engine derives the state again
  /// from the snapshot before and the stored fixes. Only the side of a device towards a fence of the last seconds is then
  /// unknown until its next fix.
  fileprivate var hasStateAlone: Bool {
    fixes.isEmpty && fenceRecords.isEmpty && processedUntil == nil && fences.isEmpty && gaps.isEmpty
      && receiverUsages.isEmpty && lastAppliedEdit == nil && !trips.contains { $0.ended != nil }
  }
}
