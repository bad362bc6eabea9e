import Whereabouts

/// A store that is opened when the manager first needs it, and again after a failure.
///
/// Before the first unlock of the phone, the system may launch the app for a region, and the store's file can't be
/// opened. The manager then reports an unusable store, keeps the regions, and tries again with later wakes.
actor LateStore: LocationStore {
  private let open: @Sendable () throws(StoreError) -> any LocationStore
  private var opened: (any LocationStore)?

  /// - Parameter open: opens the store.
  init(_ open: @escaping @Sendable () throws(StoreError) -> any LocationStore) {
    self.open = open
  }

  private func store() throws(StoreError) -> any LocationStore {
    if let opened { return opened }
    let store = try open()
    opened = store
    return store
  }

  func claim(_ device: DeviceID) async throws(StoreError) -> any StoreClaim {
    try await store().claim(device)
  }

  func load(_ device: DeviceID) async throws(StoreError) -> DeviceRecord {
    try await store().load(device)
  }

  func commit(_ commit: StoreCommit) async throws(StoreError) {
    try await store().commit(commit)
  }

  func fenceRecords(
    of device: DeviceID, after number: UInt64, limit: Int
  ) async throws(StoreError) -> [NumberedFenceRecord] {
    try await store().fenceRecords(of: device, after: number, limit: limit)
  }

  func cursor(of consumer: String, device: DeviceID) async throws(StoreError) -> UInt64 {
    try await store().cursor(of: consumer, device: device)
  }

  func acknowledge(
    through number: UInt64, by consumer: String, device: DeviceID
  ) async throws(StoreError) {
    try await store().acknowledge(through: number, by: consumer, device: device)
  }
}
