/// The fences of one engine, what its device has seen of them, and what they need of the source.
///
/// An engine makes one with the first fence, so that one without fences pays nothing.
struct FenceKeeper: Sendable {
  private(set) var book = FenceBook()
  private(set) var watch: FenceWatch
  private(set) var power: FencePowerPolicy
  /// What the watch has said to the present input; kept for its memory.
  var notes: [FenceNote] = []
  /// The last fix that had a time, and the instant at which it was valid: what one clock says of the other.
  private var anchor: (time: UTCTime, instant: Instant)?
  /// The instant of the last fix that the watch has taken as its newest, and what it said of speed.
  private var seen: (instant: Instant, speed: Double?)?
  /// What was needed last may not be what is needed now.
  private var isNeedOld = true
  /// What was due by then has been told.
  private var passed: UTCTime?
  private var outside: (isPossible: Bool, activity: Activity) = (false, .other)
  private var patience = CountedMinimum<Duration>()

  /// Of this run. A watch that was read back keeps those of its own by which it judges; but whether the source may rest
  /// goes by the source that there is now.
  private let settings: FenceSettings

  init(_ settings: FenceSettings) {
    self.settings = settings
    watch = FenceWatch(settings)
    power = FencePowerPolicy(settings)
  }

  /// What the fences need of the source.
  var need: Demand { power.current.need }

  // MARK: Fences

  /// Adds a fence; `nil`, or why not.
  mutating func add(_ fence: Fence) -> FenceProblem? {
    do throws(FenceProblem) {
      try book.add(fence)
    } catch {
      return error
    }
    patience.add(fence.terms.responsiveness)
    isNeedOld = true
    return nil
  }

  mutating func update(_ fence: Fence) {
    if let old = book.fence(fence.id) { patience.remove(old.terms.responsiveness) }
    book.update(fence)
    patience.add(fence.terms.responsiveness)
    isNeedOld = true
  }

  mutating func remove(_ id: FenceID) {
    guard let old = book.remove(id) else { return }
    patience.remove(old.terms.responsiveness)
    isNeedOld = true
  }

  /// Finds out on which side of fences the device is that have just come, where its place is known.
  ///
  /// - Parameter last: the last fix that was used.
  mutating func lookAtNew(_ last: TimedFix?, at now: Instant) {
    guard let last, now.since(last.validAt) <= Self.stillThere, let fix = dated(last) else { return }
    watch.lookAtNew(fix, in: book, into: &notes)
    endFences()
    isNeedOld = true
  }

  /// For how long a fix says where the device is: as long as one is good enough for a fence around it.
  private static let stillThere = Duration.seconds(30)

  mutating func removeAll() {
    for id in book.ids.sorted() { remove(id) }
  }

  /// Goes on with what another has left.
  mutating func restore(_ snapshot: FenceSnapshot) {
    book = snapshot.book
    watch = snapshot.watch
    watch.rejoin(book)
    patience = CountedMinimum()
    for fence in snapshot.fences where book.fence(fence.id) == fence {
      patience.add(fence.terms.responsiveness)
    }
    passed = nil
    // How long ago it was there nobody can say in this run.
    seen = nil
    isNeedOld = true
  }

  /// Takes a fix again that another process had taken, with what was due before it.
  mutating func retake(_ seen: SeenFix) {
    if let time = seen.seen { passTime(until: time) }
    var fix = seen.fix
    fix.time = seen.time
    passed = nil
    watch.take(fix, in: book, into: &notes)
    endFences()
    isNeedOld = true
  }

  /// Events to come have greater ids than one that was told.
  mutating func continueIDs(after id: FenceEvent.ID) {
    watch.continueIDs(after: id)
  }

  // MARK: Fixes and time

  /// Takes a fix that is used.
  mutating func take(_ timed: TimedFix) {
    passed = nil
    guard let fix = dated(timed) else { return notes.append(.decided(.timeless)) }
    watch.take(fix, in: book, into: &notes)
    seen = (timed.validAt, fix.speed)
    endFences()
    isNeedOld = true
  }

  /// Takes a fix that came late or twice.
  mutating func take(late fix: Fix) {
    guard fix.time != nil else { return }
    watch.take(fix, in: book, into: &notes)
    endFences()
    isNeedOld = true
  }

  /// A fix without a time was made when it came, by the last fix that had one.
  private mutating func dated(_ timed: TimedFix) -> Fix? {
    if let time = timed.fix.time {
      anchor = (time, timed.validAt)
      return timed.fix
    }
    guard let time = fixTime(at: timed.validAt) else { return nil }
    var fix = timed.fix
    fix.time = time
    return fix
  }

  /// Sees both clocks: before the first fix that has a time there is the wall clock.
  mutating func see(_ now: Moment) {
    guard anchor == nil, let wall = now.wall else { return }
    anchor = (wall, now.instant)
  }

  /// The time of fixes at an instant; `nil` where nobody knows it yet.
  func fixTime(at instant: Instant) -> UTCTime? {
    anchor.map { $0.time.advanced(by: instant.since($0.instant)) }
  }

  /// Tells what is due by now without a fix.
  mutating func passTime(to now: Instant) {
    guard let time = fixTime(at: now) else { return }
    passTime(until: time)
  }

  /// Tells what is due by a time without a fix.
  mutating func passTime(until time: UTCTime) {
    guard let first = nextTime(), first <= time, passed.map({ first > $0 }) ?? true else { return }
    // One after the other, so that it makes no difference how often there is a wake.
    var next = first
    while next <= time {
      watch.passTime(to: next, in: book, into: &notes)
      endFences()
      for fence in book.removeExpired(by: next) {
        patience.remove(fence.terms.responsiveness)
        notes.append(.removed(fence.id, because: .expired))
      }
      passed = next
      guard let after = nextTime(), after > next else { break }
      next = after
    }
    isNeedOld = true
  }

  /// When something is due, by the time of fixes.
  private mutating func nextTime() -> UTCTime? {
    guard let expiry = book.nextExpiry() else { return watch.nextTime(in: book) }
    return watch.nextTime(in: book).map { min($0, expiry) } ?? expiry
  }

  /// When something will be due.
  ///
  /// - Parameter tellsDue: whether events that are due without a fix may be told.
  mutating func nextWake(tellsDue: Bool = true) -> Instant? {
    var due: Instant?
    // What should have been done with and is not waits for the next fix.
    if tellsDue, let anchor, let next = nextTime(), passed.map({ next > $0 }) ?? true {
      due = anchor.instant.advanced(by: next.since(anchor.time))
    }
    guard let look = power.nextLook else { return due }
    return due.map { min($0, look) } ?? look
  }

  /// What comes next does not continue what came before.
  ///
  /// - Parameter restartsTime: fixes are of another time than those before.
  mutating func breakOff(restartsTime: Bool) {
    watch.breakOff(restartsTime: restartsTime, in: book, into: &notes)
    if restartsTime {
      anchor = nil
      passed = nil
    }
    endFences()
    isNeedOld = true
  }

  /// Fences that are over, by what was said, are taken out.
  private mutating func endFences() {
    for case .removed(let id, _) in notes { remove(id) }
  }

  // MARK: Power

  /// Finds out what is needed, where anything has happened that could change it.
  ///
  /// - Parameters:
  ///   - isPossible: whether fixes may be had and may come.
  ///   - activity: what others ask for.
  /// - Returns: the numbers, where that is something else than before.
  mutating func decideNeed(isPossible: Bool, activity: Activity, at now: Instant) -> FencePower? {
    if let look = power.nextLook, look <= now { isNeedOld = true }
    guard isNeedOld || outside != (isPossible, activity) else { return nil }
    outside = (isPossible, activity)
    isNeedOld = false
    power.responsiveness = patience.least?.inSeconds ?? 0
    let isNeeded = isPossible && book.count > 0
    let situation = FencePowerPolicy.Situation(
      isNeeded: isNeeded,
      clearance: isNeeded && settings.savesPower ? watch.clearance(in: book) : nil,
      seen: seen?.instant, activity: activity, speed: seen?.speed)
    return power.decide(situation, at: now) ? power.current : nil
  }
}
