public import WhereaboutsEngine
public import Whereabouts

/// A store that keeps everything in memory, and fails on request.
///
/// The store outlives its managers. A second manager on the same store resumes like one in the next process. The
/// store accepts the second manager while the first one ends. A test can inspect the contents; see ``commits``,
/// ``fixes(of:)`` and ``trips(of:)``.
///
/// ```swift
/// let store = MemoryStore()
/// let manager = LocationManager(source: source, clock: clock.managerClock, store: store)
/// await store.fail(.full)
/// // The manager still reports everything, and that nothing is stored, until the store works again.
/// await store.recover()
/// ```
public actor MemoryStore: LocationStore {
  /// An operation that can fail on request.
  public enum Operation: Hashable, Sendable, CaseIterable {
    /// ``Whereabouts/LocationStore/commit(_:)``
    case commit
    /// ``Whereabouts/LocationStore/acknowledge(through:by:device:)``
    case acknowledge
    /// ``Whereabouts/LocationStore/load(_:)``
    case load
    /// Reading fence records and cursors.
    case read
  }

  private struct Failure {
    var error: StoreError
    var remaining: Int
  }

  private var devices: [DeviceID: MemoryDevice] = [:]
  private var failures: [Operation: Failure] = [:]
  private var heldOperations: Set<Operation> = []
  private var heldContinuations: [CheckedContinuation<Void, Never>] = []
  private nonisolated let attempts = Recorded<StoreCommit>()

  /// The successful commits, in order.
  public private(set) var commits: [StoreCommit] = []
  /// The number of requested failures that took place, by operation.
  public private(set) var failed: [Operation: Int] = [:]

  /// Creates an empty store.
  public init() {}

  private init(devices: [DeviceID: MemoryDevice]) {
    self.devices = devices
  }

  /// Returns a new store with the current contents: the state that a process killed now would leave behind.
  public func copy() -> MemoryStore { MemoryStore(devices: devices) }

  // MARK: LocationStore

  /// Returns the record that an engine needs to resume a device.
  public func load(_ device: DeviceID) async throws(StoreError) -> DeviceRecord {
    await waitIfHeld(.load)
    try failIfScheduled(.load)
    return devices[device]?.record ?? DeviceRecord()
  }

  /// Stores a commit as a whole, or nothing of it on a requested failure.
  public func commit(_ commit: StoreCommit) async throws(StoreError) {
    await attempts.record(commit)
    await waitIfHeld(.commit)
    try failIfScheduled(.commit)
    if let number = devices[commit.device]?.conflictingNumber(among: commit.fenceRecords) {
      throw StoreError(
        .failed, message: "write to the memory store: event \(number) is stored already with other content")
    }
    devices[commit.device, default: MemoryDevice()].apply(commit)
    commits.append(commit)
  }

  /// Returns the fence records of a device after a number.
  public func fenceRecords(of device: DeviceID, after number: UInt64, limit: Int) async throws(StoreError)
    -> [NumberedFenceRecord]
  {
    await waitIfHeld(.read)
    try failIfScheduled(.read)
    return devices[device]?.fenceRecords(after: number, limit: limit) ?? []
  }

  /// Returns the number of the last record that a consumer has acknowledged.
  public func cursor(of consumer: String, device: DeviceID) async throws(StoreError) -> UInt64 {
    await waitIfHeld(.read)
    try failIfScheduled(.read)
    return devices[device]?.cursors[consumer] ?? 0
  }

  /// Acknowledges every record up to a number for a consumer.
  public func acknowledge(through number: UInt64, by consumer: String, device: DeviceID)
    async throws(StoreError)
  {
    await waitIfHeld(.acknowledge)
    try failIfScheduled(.acknowledge)
    let before = devices[device]?.cursors[consumer] ?? 0
    devices[device, default: MemoryDevice()].cursors[consumer] = max(before, number)
  }

  // MARK: Failures

  /// Makes operations fail.
  ///
  /// - Parameters:
  ///   - code: the code of the error.
  ///   - count: the number of failures; by default every call fails until ``recover()``.
  ///   - operations: the operations that fail; by default both kinds of writing, as on a full disk.
  public func fail(
    _ code: StoreError.Code, next count: Int = .max,
    of operations: Set<Operation> = [.commit, .acknowledge]
  ) {
    let problem = StoreError(code, message: "use the memory store: a test made it fail (\(code.rawValue))")
    for operation in operations { failures[operation] = Failure(error: problem, remaining: count) }
  }

  /// Ends all requested failures.
  public func recover() { failures = [:] }

  /// Makes operations wait before any reading or writing, until ``release()``, as on a disk that hangs.
  ///
  /// - Parameter operations: the operations to hold; by default commits, whose effects stay invisible meanwhile.
  public func hold(_ operations: Set<Operation> = [.commit]) { heldOperations = operations }

  /// Releases the held operations in the order of their arrival.
  public func release() {
    heldOperations = []
    let waiting = heldContinuations
    heldContinuations = []
    for one in waiting { one.resume() }
  }

  /// Waits until an expected commit is attempted, successful or not; the last attempt counts too.
  ///
  /// - Cancellation: A task that is cancelled while it waits gets the last attempt, expected or not.
  public func commitAttempt(_ isExpected: @escaping @Sendable (StoreCommit) -> Bool) async -> StoreCommit {
    if let commit = await attempts.next(isExpected) { return commit }
    return await attempts.all.last ?? StoreCommit(device: .this)
  }

  private func waitIfHeld(_ operation: Operation) async {
    if heldOperations.contains(operation) { await withCheckedContinuation { heldContinuations.append($0) } }
  }

  private func failIfScheduled(_ operation: Operation) throws(StoreError) {
    guard var failure = failures[operation], failure.remaining > 0 else { return }
    failure.remaining -= 1
    failures[operation] = failure.remaining > 0 ? failure : nil
    failed[operation, default: 0] += 1
    throw failure.error
  }

  // MARK: Contents

  /// Returns every fix of a device, in the order of processing.
  public func fixes(of device: DeviceID = .this) -> [LoggedFix] { devices[device]?.fixes ?? [] }

  /// Returns every trip of a device, ordered by id.
  public func trips(of device: DeviceID = .this) -> [Trip] { devices[device]?.trips ?? [] }

  /// Returns the gaps of a trip, the earliest first.
  public func gaps(of trip: TripID, device: DeviceID = .this) -> [Trip.Gap] {
    devices[device]?.gaps(of: trip) ?? []
  }

  /// Returns every receiver usage of a device, in the order of their numbers.
  public func receiverUsages(of device: DeviceID = .this) -> [ReceiverUsage] {
    devices[device]?.receiverUsages ?? []
  }

  /// Edits a device's fences as another process would, while this process may be watching.
  ///
  /// - Returns: the number of the edit, for the watching process to apply.
  @discardableResult
  public func edit(_ change: DeviceRecord.FenceEdit.Change, of device: DeviceID = .this) -> UInt64 {
    devices[device, default: MemoryDevice()].edit(change)
  }
}
