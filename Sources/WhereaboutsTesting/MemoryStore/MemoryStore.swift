public import Whereabouts

/// A store that keeps everything in memory, and fails when a test tells it to.
///
/// It outlives the managers that are made with it, so a second manager on the same store goes on as one in the next
/// process would, and is not refused while the first one ends. What it holds can be looked at; see ``commits``, ``fixes(of:)``, ``trips(of:)``.
///
/// ```swift
/// let store = MemoryStore()
/// let manager = LocationManager(source: source, clock: clock.managerClock, store: store)
/// await store.fail(.full)
/// // The manager tells all the same, and says that it is not kept; until the store works again.
/// await store.recover()
/// ```
public actor MemoryStore: LocationStore {
  /// What can be made to fail.
  public enum Operation: Hashable, Sendable, CaseIterable {
    /// ``Whereabouts/LocationStore/commit(_:)``
    case commit
    /// ``Whereabouts/LocationStore/acknowledge(through:by:device:)``
    case acknowledge
    /// ``Whereabouts/LocationStore/load(_:)``
    case load
    /// Notes and cursors.
    case read
  }

  private struct Failure {
    var trouble: StoreTrouble
    var left: Int
  }

  private var devices: [DeviceID: MemoryDevice] = [:]
  private var failures: [Operation: Failure] = [:]
  private var holding: Set<Operation> = []
  private var held: [CheckedContinuation<Void, Never>] = []
  private nonisolated let attempts = Recorded<StoreCommit>()

  /// Commits that were kept, in order.
  public private(set) var commits: [StoreCommit] = []
  /// How often each operation failed as it was told to.
  public private(set) var failed: [Operation: Int] = [:]

  /// A store with nothing in it.
  public init() {}

  private init(devices: [DeviceID: MemoryDevice]) {
    self.devices = devices
  }

  /// Another store that holds what this one holds now: what a process that is killed at this moment leaves behind.
  public func copy() -> MemoryStore { MemoryStore(devices: devices) }

  // MARK: The store

  /// All that an engine needs to go on with a device.
  public func load(_ device: DeviceID) async throws(StoreTrouble) -> DeviceRecord {
    await waitIfHeld(.load)
    try failIfTold(.load)
    return devices[device]?.record ?? DeviceRecord()
  }

  /// Keeps it, unless it is told to fail; then it keeps nothing of it.
  public func commit(_ commit: StoreCommit) async throws(StoreTrouble) {
    await attempts.note(commit)
    await waitIfHeld(.commit)
    try failIfTold(.commit)
    if let number = devices[commit.device]?.takenNumber(among: commit.notes) {
      throw StoreTrouble(
        .failed, message: "write to the memory store: event \(number) is there already and is another one")
    }
    devices[commit.device, default: MemoryDevice()].take(commit)
    commits.append(commit)
  }

  /// What was told of a device's fences after a note.
  public func notes(of device: DeviceID, after number: UInt64, limit: Int) async throws(StoreTrouble)
    -> [NumberedNote]
  {
    await waitIfHeld(.read)
    try failIfTold(.read)
    return devices[device]?.notes(after: number, limit: limit) ?? []
  }

  /// The number of the last note that a consumer has dealt with.
  public func cursor(of consumer: String, device: DeviceID) async throws(StoreTrouble) -> UInt64 {
    await waitIfHeld(.read)
    try failIfTold(.read)
    return devices[device]?.cursors[consumer] ?? 0
  }

  /// A consumer has dealt with everything up to a note.
  public func acknowledge(through number: UInt64, by consumer: String, device: DeviceID)
    async throws(StoreTrouble)
  {
    await waitIfHeld(.acknowledge)
    try failIfTold(.acknowledge)
    let before = devices[device]?.cursors[consumer] ?? 0
    devices[device, default: MemoryDevice()].cursors[consumer] = max(before, number)
  }

  // MARK: Failing

  /// Makes operations fail.
  ///
  /// - Parameters:
  ///   - code: what kind of trouble it is.
  ///   - count: how many times; without it until ``recover()``.
  ///   - operations: which; both kinds of writing where none are named, as a disk without room would.
  public func fail(
    _ code: StoreTrouble.Code, next count: Int = .max,
    of operations: Set<Operation> = [.commit, .acknowledge]
  ) {
    let trouble = StoreTrouble(code, message: "use the memory store: it was told to fail (\(code.rawValue))")
    for operation in operations { failures[operation] = Failure(trouble: trouble, left: count) }
  }

  /// Nothing fails any more.
  public func recover() { failures = [:] }

  /// From now on operations wait before anything is written or read, until ``release()``, as over a disk that hangs.
  ///
  /// - Parameter operations: which; commits where none are named, whose effects nobody may hear of meanwhile.
  public func hold(_ operations: Set<Operation> = [.commit]) { holding = operations }

  /// Lets operations through, those first that came first.
  public func release() {
    holding = []
    let waiting = held
    held = []
    for one in waiting { one.resume() }
  }

  /// Waits until a commit is tried that is expected (it may have been the last one), kept or not.
  ///
  /// - Cancellation: a task that is cancelled while it waits gets the last one, expected or not.
  public func attempt(_ isExpected: @escaping @Sendable (StoreCommit) -> Bool) async -> StoreCommit {
    if let commit = await attempts.next(isExpected) { return commit }
    return await attempts.all.last ?? StoreCommit(device: .this)
  }

  private func waitIfHeld(_ operation: Operation) async {
    if holding.contains(operation) { await withCheckedContinuation { held.append($0) } }
  }

  private func failIfTold(_ operation: Operation) throws(StoreTrouble) {
    guard var failure = failures[operation], failure.left > 0 else { return }
    failure.left -= 1
    failures[operation] = failure.left > 0 ? failure : nil
    failed[operation, default: 0] += 1
    throw failure.trouble
  }

  // MARK: What it holds

  /// Every fix of a device, in the order in which they were taken.
  public func fixes(of device: DeviceID = .this) -> [SeenFix] { devices[device]?.fixes ?? [] }

  /// Every trip of a device, by their names.
  public func trips(of device: DeviceID = .this) -> [Trip] { devices[device]?.trips ?? [] }

  /// The gaps of a trip, the earliest first.
  public func gaps(of trip: TripID, device: DeviceID = .this) -> [TripGap] {
    devices[device]?.gaps(of: trip) ?? []
  }

  /// Every spell of a device's receiver, in the order of their numbers.
  public func spells(of device: DeviceID = .this) -> [ReceiverSpell] { devices[device]?.spells ?? [] }

  /// Does what another process would do to a device's fences while this one may be watching.
  ///
  /// - Returns: the number of the edit, to be taken over by whoever watches.
  @discardableResult
  public func edit(_ change: FenceEdit.Change, of device: DeviceID = .this) -> UInt64 {
    devices[device, default: MemoryDevice()].edit(change)
  }
}
