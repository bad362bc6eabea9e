import Foundation
import Synchronization
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsStore

/// A device whose engine is loaded.
///
/// Requests of one device are processed in their order, so that a repetition is recognised. Requests that wait at the
/// same time are processed together, with one commit.
actor DeviceSession {
  /// The device.
  nonisolated let device: DeviceID
  /// The device's manager.
  nonisolated let manager: LocationManager
  private let store: SQLiteStore
  /// The engine's store with the revision of its fences.
  private let fences: SharedFenceStore
  /// The last change of the engine's fences. Each waits for the one before.
  private var fenceChange: Task<Void, Never>?
  /// The syncer of stored requests; `nil` if each commit is synced.
  private let syncer: StoreSyncer?
  private var tracker: DayTracker
  /// The last begin of a day. Each waits for the one before: a phone may begin a day beside a source of this machine.
  private var dayBegin: Task<Void, Never>?
  /// Requests reach it without waiting for the actor.
  private let arrivals: Mutex<Arrivals>
  /// The fixes that were processed and could not be stored yet. The manager stores them later; sent again, they must
  /// not be processed twice.
  private var unstored: Set<Fix> = []
  /// The last fix that the engine used before the first of the fixes that could not be stored yet.
  private var lastStoredFix: Fix?
  /// Whether the stored data are known to be loaded.
  private var isLoaded = false
  /// Whether the trip of the last fix before this session is resumed.
  private var isTripResumed = false
  /// The time of the newest fix that was processed, used or not.
  private var newestTime: UTCTime?
  /// The requests that wait for a fix.
  private var waits: [RequestID: LocationRequest] = [:]
  /// Called with the newest fix after each commit that has one, and whether the commit has changed it, in the order of
  /// the commits.
  private let onNewestFix: @Sendable (_ fix: Fix, _ isNew: Bool) -> Void

  /// The fixes of a request that waits.
  private struct WaitingRequest {
    var fixes: [Fix]
    var continuation: CheckedContinuation<Result<IngestionResult, IngestionError>, Never>
  }

  /// The state of requests that arrive.
  private struct Arrivals {
    /// The requests that wait for their turn.
    var waiting: [WaitingRequest] = []
    var isIngesting = false
    /// The revision of the fences that the device's phone has.
    var sentFences: UInt64?
    /// The error of a store that could not be loaded.
    var loadError: StoreError?
    var isErasing = false

    /// Returns whether no request is processed, and notes that one is from now on.
    mutating func begin() -> Bool {
      defer { isIngesting = true }
      return !isIngesting
    }
  }

  init(
    _ device: DeviceID, manager: LocationManager, store: SQLiteStore, fences: SharedFenceStore,
    syncer: StoreSyncer?, zone: TimeZone, sentFences: UInt64?,
    onNewestFix: @escaping @Sendable (_ fix: Fix, _ isNew: Bool) -> Void
  ) {
    self.device = device
    self.manager = manager
    self.store = store
    self.fences = fences
    self.syncer = syncer
    arrivals = Mutex(Arrivals(sentFences: sentFences))
    self.onNewestFix = onNewestFix
    tracker = DayTracker(zone: zone)
  }

  /// The error of a store that could not be loaded: the session accepts no fixes, and another one takes its place.
  nonisolated var loadError: StoreError? { arrivals.withLock { $0.loadError } }

  /// Whether data of the device are being erased, so that nobody waits for a fix any more.
  nonisolated var isErasing: Bool { arrivals.withLock { $0.isErasing } }

  /// The revision of the fences that the device's phone has.
  nonisolated var sentFences: UInt64? { arrivals.withLock { $0.sentFences } }

  // MARK: Fixes

  /// Processes fixes in their order and returns once they are on the disk.
  ///
  /// - Throws: ``IngestionError`` if the store can't be written. Fixes that are sent again are recognised.
  nonisolated func ingest(_ fixes: [Fix]) async throws(IngestionError) -> IngestionResult {
    let isFirst = arrivals.withLock { $0.begin() }
    // Without a task of its own: nearly all devices have one request at a time.
    if isFirst { return try await ingestFirst(fixes) }
    let result = await withCheckedContinuation { continuation in
      let isFirst = arrivals.withLock { arrivals in
        arrivals.waiting.append(WaitingRequest(fixes: fixes, continuation: continuation))
        return arrivals.begin()
      }
      if isFirst { Task { await ingestWaiting() } }
    }
    return try result.get()
  }

  /// Processes the fixes of a request without earlier ones. Requests that arrive meanwhile are processed by another task:
  /// this one has its answer.
  ///
  /// The task is that of the request, and is cancelled where the connection to a broker or the server ends. Nothing
  /// beneath ``process(_:)`` may react to that: the store would have fixes that no stream gets, or the trip of the day
  /// would not be resumed.
  private func ingestFirst(_ fixes: [Fix]) async throws(IngestionError) -> IngestionResult {
    defer {
      if continuesIngesting() { Task { await ingestWaiting() } }
    }
    let (results, newest) = try await process([fixes])
    // While the requests still use the device, so that no erased fix follows its erasure.
    if let newest { onNewestFix(newest.fix, newest.isNew) }
    return results[0]
  }

  private func ingestWaiting() async {
    repeat {
      let requests = arrivals.withLock { arrivals in
        defer { arrivals.waiting = [] }
        return arrivals.waiting
      }
      do throws(IngestionError) {
        let (results, newest) = try await process(requests.map(\.fixes))
        // As above.
        if let newest { onNewestFix(newest.fix, newest.isNew) }
        for (request, result) in zip(requests, results) {
          request.continuation.resume(returning: .success(result))
        }
      } catch {
        for request in requests { request.continuation.resume(returning: .failure(error)) }
      }
    } while continuesIngesting()
  }

  /// Returns whether requests wait. Without any, the next one is the first.
  private func continuesIngesting() -> Bool {
    arrivals.withLock { arrivals in
      arrivals.isIngesting = !arrivals.waiting.isEmpty
      return arrivals.isIngesting
    }
  }

  /// - Returns: the result of each request, and the newest fix that the engine uses, with whether it is another one
  ///   than before; `nil` if it used none, and if nothing was stored. Fixes of an earlier request, whose commit failed,
  ///   count once they are stored.
  private func process(
    _ requests: [[Fix]]
  ) async throws(IngestionError) -> (results: [IngestionResult], newest: (fix: Fix, isNew: Bool)?) {
    try await requireStoredData()
    let hasUnstored = !unstored.isEmpty
    try await resumeTrip()
    // A change of the fences that was answered before these fixes came holds for them.
    await applyFences()
    let new = try withoutRepetitions(requests)
    var newest: Fix?
    for run in tracker.days(of: new.flatMap(\.self)) {
      await begin(run.first?.time)
      let signals = run.map { SourceSignal.fix($0, age: .sinceTrustedTime) }
      let areFirstUnstored = unstored.isEmpty
      unstored.formUnion(run)
      newest = try await passToManager(signals, areFirstUnstored: areFirstUnstored)
      for case let time? in run.map(\.time) { newestTime = max(newestTime ?? time, time) }
    }
    if hasUnstored, new.allSatisfy(\.isEmpty) { newest = try await passToManager([]) }
    if let syncer {
      do throws(StoreError) { try await syncer.sync() } catch { throw IngestionError(cause: error) }
    }
    unstored = []
    let results = zip(requests, new).map { all, new in
      IngestionResult(stored: new.count, repeated: all.count - new.count)
    }
    guard let newest, hasUnstored || results.contains(where: { $0.stored > 0 }) else { return (results, nil) }
    return (results, (fix: newest, isNew: newest != lastStoredFix))
  }

  /// Resumes the trip of the last fix that was used before this session. Otherwise late fixes would begin the trip of
  /// their day.
  private func resumeTrip() async throws(IngestionError) {
    guard !isTripResumed, !isOfSource else { return }
    let last: Fix?
    do throws(StoreError) { last = try store.lastUsedFix(of: device) } catch {
      throw IngestionError(cause: error)
    }
    isTripResumed = true
    // A time further ahead of the clock is from a wrong date.
    let bound = UTCTime.now.advanced(by: SourceSignal.AgeRule.futureTolerance)
    guard let time = last?.time, time <= bound else { return }
    var tracker = tracker
    await tracker.resume(time, on: manager)
    self.tracker = tracker
  }

  /// Gives signals to the engine and waits until they are stored.
  ///
  /// - Parameter areFirstUnstored: whether all fixes before them are stored.
  /// - Returns: the last fix that the engine uses.
  private func passToManager(
    _ signals: [SourceSignal], areFirstUnstored: Bool = false
  ) async throws(IngestionError) -> Fix? {
    guard let outcome = await manager.process(signals) else { throw Self.endedError }
    if areFirstUnstored { lastStoredFix = outcome.fixBefore }
    switch outcome.health {
    case .failing(let error), .unusable(let error): throw IngestionError(cause: error, isLogged: true)
    case .none, .working: return outcome.lastFix
    }
  }

  /// The error of fixes that arrive after the end of the manager: nobody stores them.
  private static var endedError: IngestionError {
    IngestionError(cause: StoreError(.failed, message: "store fixes: the server ends; send them again"))
  }

  /// Returns once the engine has the stored data of the device. Nobody would store the fixes of an engine without them,
  /// and it would refuse the same fixes when they are sent again.
  private func requireStoredData() async throws(IngestionError) {
    if let loadError { throw IngestionError(cause: loadError, isLogged: true) }
    guard !isLoaded else { return }
    guard let health = await repeatLoad(isUrgent: true) else { throw Self.endedError }
    guard case .unusable(let error) = health else { return isLoaded = true }
    // A source keeps its session for good.
    if !isOfSource {
      arrivals.withLock { $0.loadError = error }
      // Otherwise a wait for a fix would keep the session until its timeout.
      await manager.close()
    }
    throw IngestionError(cause: error, isLogged: true)
  }

  /// Returns the fixes of each request that are not stored yet. Only fixes that are not newer than all others are
  /// looked up.
  private func withoutRepetitions(_ requests: [[Fix]]) throws(IngestionError) -> [[Fix]] {
    var seen: Set<Fix> = []
    let distinct = requests.map { $0.filter { seen.insert($0).inserted && !unstored.contains($0) } }
    do throws(StoreError) {
      // No engine has processed the fixes of an import: a phone may send the same ones later.
      if newestTime == nil { newestTime = try store.newestProcessedTime(of: device) }
      guard let newestTime else { return distinct }
      let old = distinct.joined().filter { $0.time.map { $0 <= newestTime } ?? true }
      guard !old.isEmpty else { return distinct }
      let unknown = Set(try store.withoutStored(old, of: device))
      return distinct.map { $0.filter { $0.time.map { $0 > newestTime } ?? true || unknown.contains($0) } }
    } catch {
      throw IngestionError(cause: error)
    }
  }

  /// Makes the trip of a time's day the one that counts.
  func begin(_ time: UTCTime?) async {
    if dayBegin == nil, !tracker.needsBegin(time) { return }
    let begin = Task { [dayBegin] in
      await dayBegin?.value
      var tracker = self.tracker
      await tracker.begin(time, on: manager)
      self.tracker = tracker
    }
    dayBegin = begin
    await begin.value
    if dayBegin == begin { dayBegin = nil }
  }
}

extension DeviceSession {
  /// Whether the device has a source of this machine, whose manager loads its stored data again after a failure.
  private var isOfSource: Bool { syncer != nil }

  /// Loads the stored data of a device with a source again if that has failed. The manager itself does not as long as
  /// another process has claimed the device, because it waits for the claim each time.
  ///
  /// - Parameter isUrgent: whether the manager's pause after another failure is left out.
  /// - Returns: the health of the store; `nil` after the manager's end.
  @discardableResult
  func repeatLoad(isUrgent: Bool = false) async -> StoreHealth? {
    let health = await manager.process([])?.health
    guard isOfSource, case .unusable(let error)? = health else { return health }
    var claim: DeviceClaim?
    if error.code == .locked {
      do throws(StoreError) { claim = try store.claim(device, as: "whereabouts serve") } catch {
        // The manager meets another cause itself, so that its health, which is logged, states that one.
        if error.code == .locked { return .unusable(error) }
      }
    } else if !isUrgent {
      return health
    }
    // The manager uses this claim.
    defer { withExtendedLifetime(claim) {} }
    return await manager.repeatLoad()
  }

  /// Waits for a fix.
  ///
  /// - Returns: the outcome, which is ``RequestOutcome/cancelled`` as soon as data of the device are erased.
  func fix(_ level: AccuracyLevel, within timeout: Duration) async -> RequestOutcome {
    guard !isErasing, loadError == nil, !Task.isCancelled else { return .cancelled }
    let request = manager.request(level, timeout: timeout)
    waits[request.id] = request
    defer { waits[request.id] = nil }
    return await request.outcome
  }

  /// Ends the waits for a fix, also later ones, because data of the device are erased.
  func endWaits() {
    arrivals.withLock { $0.isErasing = true }
    for request in waits.values { request.cancel() }
  }

  /// Gives the engine the present fences unless it has them, and returns once it has.
  func applyFences() async {
    guard fences.newerFences != nil else { return }
    let change = Task { [fenceChange, fences, manager, isOfSource] in
      await fenceChange?.value
      // The manager loads its fences before anything else.
      await manager.waitUntilProcessed()
      guard let newer = fences.newerFences else { return }
      // The states that the command changes are stored again with the next fix.
      try? await manager.fences.apply(.share(newer.registry))
      // The last fix decides the side of a new fence now, and is too old for it after a kill. The next fix of a phone may
      // be the one that leaves the fence. Fixes that the stored state does not have would be replayed with the new fences.
      if !isOfSource { _ = await manager.save() }
      fences.setLoadedRevision(newer.revision)
    }
    fenceChange = change
    await change.value
  }

  /// Returns whether the device's phone does not have a revision of the fences yet, and records its delivery.
  ///
  /// - Parameter isRepeated: whether the phone repeats a request, because it has not got the answer.
  nonisolated func needsFences(of revision: UInt64, isRepeated: Bool) -> Bool {
    arrivals.withLock { arrivals in
      defer { arrivals.sentFences = revision }
      return isRepeated || arrivals.sentFences != revision
    }
  }
}
