import Whereabouts
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsUploadQueue

/// A scheduler of an uploader's workers, which run only while they have work.
///
/// One timer checks once per interval whether the store has changed, and only then surveys the work of all workers at
/// once. A waiting worker is a stored value and costs nothing.
struct UploadScheduler {
  private enum Event: Sendable {
    case tick(Instant)
    case workerStopped(Key, UploadWorker, UploadWorker.StopCause)
    case cancelled
  }

  /// The key of a worker. A device that was erased and added again has another key.
  private struct Key: Hashable {
    var endpoint: Int64
    var device: UploadDevice
  }

  /// The state of a started worker.
  private struct State {
    /// The waiting worker; `nil` while the worker runs.
    var worker: UploadWorker?
    /// The time of the next run, without new data.
    var wake: Instant?
    /// The survey entry at the start of the last run.
    var lastEntry: UploadSurvey.Entry
  }

  /// The least pause of a worker between two runs without new data.
  private static let minimumIdle = Duration.milliseconds(10)

  private typealias Events = TaskGroup<Event>

  private let uploader: Uploader
  private let sender: HTTPSender
  private var lock: SendingLock?
  private var hasReportedOtherProcess = false
  private var changeToken: StoreChangeToken?
  private var entries: [Key: UploadSurvey.Entry] = [:]
  private var hasEndpoints = false
  private var states: [Key: State] = [:]
  /// The time of the next check for new data.
  private var nextCheck: Instant
  /// The time of the next timer.
  private var timer: Instant?

  init(uploader: Uploader, sender: HTTPSender) {
    self.uploader = uploader
    self.sender = sender
    nextCheck = sender.clock.now
  }

  private var now: Instant { sender.clock.now }

  /// Runs until the task is cancelled.
  mutating func run() async {
    await withTaskGroup(of: Event.self) { group in
      advance(&group)
      while let event = await group.next(), !Task.isCancelled {
        switch event {
        case .tick(let instant): if timer == instant { timer = nil }
        case .workerStopped(let key, let worker, let cause): handleStop(cause, of: worker, key)
        case .cancelled: break
        }
        advance(&group)
      }
      group.cancelAll()
    }
  }

  /// Performs all due work and sets the timer.
  private mutating func advance(_ group: inout Events) {
    if nextCheck <= now { checkStore() }
    if acquireLock() {
      for (key, entry) in entries where isDue(entry, states[key]) { start(key, entry, &group) }
    }
    let next = states.values.reduce(nextCheck) { min($0, $1.worker == nil ? $0 : $1.wake ?? $0) }
    guard timer.map({ next < $0 }) ?? true else { return }
    timer = next
    let clock = sender.clock
    group.addTask {
      do { try await clock.sleep(until: next) } catch { return .cancelled }
      return .tick(next)
    }
  }

  // MARK: Surveys

  private mutating func checkStore() {
    nextCheck = now.advanced(by: Uploader.checkInterval)
    do {
      // Read the token first: later writes are noticed by the next check.
      let mark = try uploader.store.changeToken()
      guard mark != self.changeToken else { return }
      let known = Dictionary(entries.values.map { ($0.row.id, $0.row) }) { first, _ in first }
      let survey = try uploader.store.uploadSurvey(known: known)
      hasEndpoints = survey.hasEndpoints
      entries = Dictionary(
        survey.entries.map { (Key(endpoint: $0.row.id, device: $0.device), $0) }
      ) { first, _ in first }
      // A running worker of a removed entry ends by itself at its next step.
      states = states.filter { entries[$0.key] != nil || $0.value.worker == nil }
      self.changeToken = mark
    } catch {
      uploader.report(UploadEvent(endpoint: "", kind: .storeFailed(error)))
      nextCheck = now.advanced(by: Uploader.checkInterval * 10)
    }
  }

  /// Acquires the sending lock, and returns whether no other process sends.
  private mutating func acquireLock() -> Bool {
    guard hasEndpoints else { return lock != nil }
    if lock == nil { lock = SendingLock(store: uploader.store.path) }
    if lock == nil, !hasReportedOtherProcess {
      hasReportedOtherProcess = true
      uploader.report(UploadEvent(endpoint: "", kind: .anotherProcessSends))
    }
    return lock != nil
  }

  // MARK: Workers

  /// Returns whether a worker has work that was unknown at its last run.
  private func isDue(_ entry: UploadSurvey.Entry, _ state: State?) -> Bool {
    guard let state else { return true }
    guard let worker = state.worker else { return false }
    if let wake = state.wake, wake <= now { return true }
    let (row, seen) = (entry.row, state.lastEntry)
    if row.stopReason != seen.row.stopReason || row.flushRequestedAt != seen.row.flushRequestedAt
      || row.settings != seen.row.settings
    {
      return true
    }
    // The worker itself schedules a waiting request.
    guard row.stopReason == nil, !entry.hasWaiting else { return false }
    if row.endpoint.sendsCrossings, entry.lastRecord > max(seen.lastRecord, entry.readRecord) { return true }
    guard row.endpoint.sendsFixes, entry.lastFix > max(seen.lastFix, entry.readFix) else { return false }
    return worker.isBuildDue(unread: Int(clamping: entry.lastFix - entry.readFix), row.endpoint)
  }

  private mutating func start(_ key: Key, _ entry: UploadSurvey.Entry, _ group: inout Events) {
    let worker = states[key]?.worker ?? uploader.worker(entry.row, entry.device, by: sender)
    states[key] = State(worker: nil, wake: nil, lastEntry: entry)
    group.addTask {
      var worker = worker
      let cause = await worker.run()
      return .workerStopped(key, worker, cause)
    }
  }

  private mutating func handleStop(_ cause: UploadWorker.StopCause, of worker: UploadWorker, _ key: Key) {
    let now = now
    states[key]?.worker = worker
    switch cause {
    case .idle(let until):
      // An interval of zero must not cause an endless loop.
      states[key]?.wake = until.map { max($0, now.advanced(by: Self.minimumIdle)) }
    case .removed:
      states[key] = nil
      entries[key] = nil
    case .storeFailed(let problem):
      let name = entries[key]?.row.endpoint.name ?? ""
      uploader.report(UploadEvent(endpoint: name, kind: .storeFailed(problem)))
      states[key]?.wake = now.advanced(by: Uploader.checkInterval * 10)
    case .cancelled: break
    }
  }
}
