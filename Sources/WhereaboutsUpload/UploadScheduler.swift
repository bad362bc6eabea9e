import Whereabouts
import WhereaboutsCore
import WhereaboutsStore

/// Runs the lanes of an uploader: each only while there is something to do for it.
///
/// One timer looks once in a pace whether anybody has written the store, and only then what there is to do, for all lanes
/// in one go. A lane that waits is a value here and costs nothing.
struct UploadScheduler {
  private enum Event: Sendable {
    case tick(Instant)
    case rested(Key, Lane, Lane.Rest)
    case cancelled
  }

  /// Names a lane. Who is forgotten and comes again is somebody else.
  private struct Key: Hashable {
    var endpoint: Int64
    var device: UploadDevice
  }

  /// A lane that was begun.
  private struct State {
    /// `nil` while it runs.
    var lane: Lane?
    /// When it is to run again, whatever comes.
    var wake: Instant?
    /// What it knew when it was run.
    var seen: UploadSurvey.Entry
  }

  /// No lane that came to rest runs again before this, unless something comes.
  private static let shortestRest = Duration.milliseconds(10)

  private typealias Events = TaskGroup<Event>

  private let uploader: Uploader
  private let sender: HTTPSender
  private var lock: SendingLock?
  private var knowsOther = false
  private var mark: StoreChangeMark?
  private var entries: [Key: UploadSurvey.Entry] = [:]
  private var hasEndpoints = false
  private var states: [Key: State] = [:]
  /// When is looked for something new.
  private var look: Instant
  /// For when the next timer is set.
  private var timer: Instant?

  init(uploader: Uploader, sender: HTTPSender) {
    self.uploader = uploader
    self.sender = sender
    look = sender.clock.now
  }

  private var now: Instant { sender.clock.now }

  /// Goes on until the task is cancelled.
  mutating func run() async {
    await withTaskGroup(of: Event.self) { group in
      advance(&group)
      while let event = await group.next(), !Task.isCancelled {
        switch event {
        case .tick(let instant): if timer == instant { timer = nil }
        case .rested(let key, let lane, let rest): note(rest, of: lane, key)
        case .cancelled: break
        }
        advance(&group)
      }
      group.cancelAll()
    }
  }

  /// Does everything that is due, and sets the timer.
  private mutating func advance(_ group: inout Events) {
    if look <= now { survey() }
    if maySend() {
      for (key, entry) in entries where isDue(entry, states[key]) { start(key, entry, &group) }
    }
    let next = states.values.reduce(look) { min($0, $1.lane == nil ? $0 : $1.wake ?? $0) }
    guard timer.map({ next < $0 }) ?? true else { return }
    timer = next
    let clock = sender.clock
    group.addTask {
      do { try await clock.sleep(until: next) } catch { return .cancelled }
      return .tick(next)
    }
  }

  // MARK: Looking

  private mutating func survey() {
    look = now.advanced(by: Uploader.pace)
    do {
      // The mark first: what is written after it is seen next time.
      let mark = try uploader.store.changeMark()
      guard mark != self.mark else { return }
      let known = Dictionary(entries.values.map { ($0.row.id, $0.row) }) { first, _ in first }
      let survey = try uploader.store.uploadSurvey(known: known)
      hasEndpoints = survey.hasEndpoints
      entries = Dictionary(
        survey.entries.map { (Key(endpoint: $0.row.id, device: $0.device), $0) }
      ) { first, _ in first }
      // One that runs ends by itself, since it asks at each step whether it is still wanted.
      states = states.filter { entries[$0.key] != nil || $0.value.lane == nil }
      self.mark = mark
    } catch {
      uploader.tell(UploadNews(endpoint: "", event: .storeTrouble(error)))
      look = now.advanced(by: Uploader.pace * 10)
    }
  }

  /// Whether nobody else sends.
  private mutating func maySend() -> Bool {
    guard hasEndpoints else { return lock != nil }
    if lock == nil { lock = SendingLock(store: uploader.store.path) }
    if lock == nil, !knowsOther {
      knowsOther = true
      uploader.tell(UploadNews(endpoint: "", event: .otherSends))
    }
    return lock != nil
  }

  // MARK: Lanes

  /// Whether there is something to do for a lane that it did not know of when it ran last.
  private func isDue(_ entry: UploadSurvey.Entry, _ state: State?) -> Bool {
    guard let state else { return true }
    guard let lane = state.lane else { return false }
    if let wake = state.wake, wake <= now { return true }
    let (row, seen) = (entry.row, state.seen)
    if row.stopped != seen.row.stopped || row.asked != seen.row.asked || row.settings != seen.row.settings {
      return true
    }
    // While a request waits, its turn is the lane's own affair.
    guard row.stopped == nil, !entry.hasWaiting else { return false }
    if row.endpoint.sendsCrossings, entry.lastNote > max(seen.lastNote, entry.readNote) { return true }
    guard row.endpoint.sendsFixes, entry.lastFix > max(seen.lastFix, entry.readFix) else { return false }
    return lane.formsFixes(unread: Int(clamping: entry.lastFix - entry.readFix), row.endpoint)
  }

  private mutating func start(_ key: Key, _ entry: UploadSurvey.Entry, _ group: inout Events) {
    let lane = states[key]?.lane ?? uploader.lane(entry.row, entry.device, by: sender)
    states[key] = State(lane: nil, wake: nil, seen: entry)
    group.addTask {
      var lane = lane
      let rest = await lane.work()
      return .rested(key, lane, rest)
    }
  }

  private mutating func note(_ rest: Lane.Rest, of lane: Lane, _ key: Key) {
    let now = now
    states[key]?.lane = lane
    switch rest {
    case .idle(let until):
      // An interval of nothing must not make it run without end.
      states[key]?.wake = until.map { max($0, now.advanced(by: Self.shortestRest)) }
    case .gone:
      states[key] = nil
      entries[key] = nil
    case .trouble(let trouble):
      let name = entries[key]?.row.endpoint.name ?? ""
      uploader.tell(UploadNews(endpoint: name, event: .storeTrouble(trouble)))
      states[key]?.wake = now.advanced(by: Uploader.pace * 10)
    case .cancelled: break
    }
  }
}
