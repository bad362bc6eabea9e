import WhereaboutsGeodesy

/// What one device has seen of the fences in a book: on which side of each it is, and what happened.
///
/// A crossing is told when the fixes are sure of it, with their accuracies and with how long their errors last, and not
/// before: a good fix deep inside is enough; fixes that wander about an edge never are. A device at rest crosses nothing,
/// however its fixes wander. The first side that is found out is no crossing.
///
/// Fixes may come late, twice and in any order within ``FenceSettings/lateness``: what comes out in the end is the same.
///
/// - After a kill: the JSON form is all that must outlive a process. Read back, with the book that it was used with, it
///   goes on as if nothing had happened.
/// - Complexity: far from every fence a fix costs one look at the index. Near some, about a microsecond and a distance
///   to each of them. Where lateness is allowed, twice that.
public struct FenceWatch: Sendable, Codable, Hashable {
  /// What it was made with.
  public let settings: FenceSettings
  /// As of the newest fix.
  private var live: FenceTracker
  /// As of so long ago that no fix can come before it: one, or none where none may come late.
  private var settled: [FenceTracker] = []
  /// The fixes since ``settled``, in the order of their times.
  private var pending: [Fix] = []
  /// What came out of them and was told, in the order it was.
  private var told: [FenceEvent] = []
  /// What came out and waits to be told, likewise.
  private var waiting: [FenceEvent] = []
  private var lastID: UInt64 = 0
  /// The last fixes that came too late in a row, each later than the one before, and the time of the last.
  private var lateFixes = 0
  private var lastLate: UTCTime?

  /// A watch that has seen nothing yet.
  public init(_ settings: FenceSettings = FenceSettings()) {
    self.settings = settings
    live = FenceTracker(gap: settings.gap)
    if settings.reach > .zero { settled = [live] }
  }

  // MARK: Fixes

  /// Takes a fix, in order or late.
  ///
  /// - Parameter notes: what it leads to is appended.
  public mutating func take(_ fix: Fix, in book: FenceBook, into notes: inout [FenceNote]) {
    guard let time = fix.time else { return notes.append(.decided(.timeless)) }
    if live.time.map({ time > $0 }) ?? true {
      lateFixes = 0
      add(fix, at: time, in: book, into: &notes)
    } else {
      takeLate(fix, at: time, in: book, into: &notes)
    }
    tellDue(at: live.time ?? time, in: book, into: &notes)
  }

  private mutating func add(_ fix: Fix, at time: UTCTime, in book: FenceBook, into notes: inout [FenceNote]) {
    var events: [FenceEvent] = []
    live.take(fix, at: time, in: book) { note in
      if case .event(let event) = note { events.append(event) } else { notes.append(note) }
    }
    for event in Self.inOrder(events, book) { take(event, in: book, into: &notes) }
    guard !settled.isEmpty else { return }
    pending.append(fix)
    settle(before: time.advanced(by: .zero - settings.reach), in: book)
  }

  /// Moves on what no fix can change any more.
  private mutating func settle(before bound: UTCTime, in book: FenceBook) {
    var count = 0
    while count < pending.count - 1, let time = pending[count].time, time <= bound {
      settled[0].take(pending[count], at: time, in: book) { _ in }
      count += 1
    }
    guard count > 0 else { return }
    pending.removeFirst(count)
    guard let settledTime = settled[0].time else { return }
    told.removeAll { $0.decided <= settledTime }
  }

  /// Finds out on which side of fences the device is that were added since its last fix.
  ///
  /// - Parameter fix: its last fix, so new that the device is still there.
  mutating func lookAtNew(_ fix: Fix, in book: FenceBook, into notes: inout [FenceNote]) {
    guard let time = fix.time else { return }
    guard let newest = live.time, time <= newest else { return take(fix, in: book, into: &notes) }
    var events: [FenceEvent] = []
    live.lookAtNew(fix, in: book) { note in
      if case .event(let event) = note { events.append(event) } else { notes.append(note) }
    }
    for event in Self.inOrder(events, book) { take(event, in: book, into: &notes) }
  }

  // MARK: Late fixes

  private mutating func takeLate(
    _ fix: Fix, at time: UTCTime, in book: FenceBook, into notes: inout [FenceNote]
  ) {
    guard !settled.isEmpty, settled[0].time.map({ time > $0 }) ?? true, let newest = live.time,
      newest.since(time) <= settings.reach
    else { return refuse(fix, at: time, in: book, into: &notes) }
    guard insert(fix, at: time) else { return }
    var anew = settled[0]
    var events: [FenceEvent] = [], decisions: [FenceNote] = []
    for fix in pending {
      guard let time = fix.time else { continue }
      anew.take(fix, at: time, in: book) { note in
        if case .event(let event) = note { events.append(event) } else { decisions.append(note) }
      }
    }
    live = anew
    revise(to: Self.inOrder(events, book), in: book, into: &notes)
  }

  /// Puts a fix in its place.
  ///
  /// - Returns: whether that makes a difference: of two for one time the better is kept.
  private mutating func insert(_ fix: Fix, at time: UTCTime) -> Bool {
    var place = pending.count
    while place > 0, let before = pending[place - 1].time, before > time { place -= 1 }
    guard place > 0, pending[place - 1].time == time else {
      pending.insert(fix, at: place)
      return true
    }
    guard OrderedFixes.isBetter(fix, than: pending[place - 1]) else { return false }
    pending[place - 1] = fix
    return true
  }

  private mutating func refuse(
    _ fix: Fix, at time: UTCTime, in book: FenceBook, into notes: inout [FenceNote]
  ) {
    guard let newest = live.time, time != newest else { return }
    lateFixes = if let lastLate, time > lastLate { lateFixes + 1 } else { 1 }
    lastLate = time
    notes.append(.decided(.tooLate(at: time, by: newest.since(time))))
  }

  /// Compares what comes out now with what was told, and tells what differs.
  private mutating func revise(to events: [FenceEvent], in book: FenceBook, into notes: inout [FenceNote]) {
    var before = told, fresh: [FenceEvent] = []
    waiting.removeAll()
    told.removeAll()
    for var event in events {
      let match = before.firstIndex {
        $0.fence == event.fence && $0.kind == event.kind
          && $0.time.seconds(since: event.time).magnitude <= Self.sameEvent
      }
      guard let match else {
        fresh.append(event)
        continue
      }
      let old = before.remove(at: match)
      event.id = old.id
      told.append(event)
      if event != old { notes.append(.revised(old.id, event)) }
    }
    for old in before { notes.append(.revised(old.id, nil)) }
    for event in fresh { take(event, in: book, into: &notes) }
  }

  /// Seconds between two crossings that are the same one.
  private static let sameEvent = 60.0

  // MARK: Telling

  /// What was settled at one time in the order in which the fences came: a book that was made anew may find them in
  /// another, and events are known by their number.
  private static func inOrder(_ events: [FenceEvent], _ book: FenceBook) -> [FenceEvent] {
    guard events.count > 1 else { return events }
    let keyed = events.enumerated().map { place, event in
      (decided: event.decided, serial: book.numbered(event.fence)?.serial ?? 0, place: place, event: event)
    }
    return keyed.sorted { ($0.decided, $0.serial, $0.place) < ($1.decided, $1.serial, $1.place) }.map(\.event)
  }

  private mutating func take(_ event: FenceEvent, in book: FenceBook, into notes: inout [FenceNote]) {
    waiting.append(event)
    tellDue(at: event.decided, in: book, into: &notes)
  }

  /// Tells what has waited for as long as it may.
  private mutating func tellDue(at time: UTCTime, in book: FenceBook, into notes: inout [FenceNote]) {
    guard !waiting.isEmpty else { return }
    var kept: [FenceEvent] = []
    for event in waiting {
      if time >= due(event, in: book) { tell(event, in: book, into: &notes) } else { kept.append(event) }
    }
    waiting = kept
  }

  private mutating func tell(_ event: FenceEvent, in book: FenceBook, into notes: inout [FenceNote]) {
    // It may have been taken away while the event waited, or be over with another that was told just now.
    guard let fence = book.fence(event.fence), !notes.contains(.removed(event.fence, because: .once)) else {
      return
    }
    lastID += 1
    var event = event
    event.id = FenceEvent.ID(lastID)
    notes.append(.event(event))
    if !settled.isEmpty { told.append(event) }
    if fence.terms.once { notes.append(.removed(event.fence, because: .once)) }
  }

  private func due(_ event: FenceEvent, in book: FenceBook) -> UTCTime {
    let responsiveness = book.fence(event.fence)?.terms.responsiveness ?? .zero
    let wait = settings.waitsForLate ? settings.lateness : min(responsiveness, settings.lateness)
    return event.decided.advanced(by: max(.zero, wait))
  }

  // MARK: Time

  /// Tells what is due by a time without a fix: stays that have lasted, events that have waited, hours that begin.
  ///
  /// - Parameter time: now, by the clock of the fixes.
  public mutating func passTime(to time: UTCTime, in book: FenceBook, into notes: inout [FenceNote]) {
    var events: [FenceEvent] = []
    live.passTime(to: time, in: book) { note in
      if case .event(let event) = note { events.append(event) } else { notes.append(note) }
    }
    for event in Self.inOrder(events, book) { take(event, in: book, into: &notes) }
    tellDue(at: time, in: book, into: &notes)
  }

  /// When something is due without a fix, by the clock of the fixes; `nil` where nothing is.
  public func nextTime(in book: FenceBook) -> UTCTime? {
    let event = waiting.map { due($0, in: book) }.min()
    guard let event, let other = live.nextTime(in: book) else { return event ?? live.nextTime(in: book) }
    return min(event, other)
  }

  /// What comes next does not continue what came before: a new segment of a recording, a source that starts anew, a clock
  /// that was put back. What waits is told.
  ///
  /// - Parameter restartsTime: fixes are of another time than those before, and may well be earlier.
  public mutating func breakOff(
    restartsTime: Bool = false, in book: FenceBook, into notes: inout [FenceNote]
  ) {
    settle(in: book, into: &notes)
    live.breakOff(restartsTime: restartsTime)
    if !settled.isEmpty { settled[0] = live }
  }

  /// No fix before the newest will come: what waits is told.
  public mutating func settle(in book: FenceBook, into notes: inout [FenceNote]) {
    for event in waiting { tell(event, in: book, into: &notes) }
    waiting.removeAll()
    told.removeAll()
    pending.removeAll()
    if !settled.isEmpty { settled[0] = live }
  }

  /// To be called with the book that a watch is used with from now on, where that was read back or made anew from the
  /// same fences: it may number them otherwise.
  mutating func rejoin(_ book: FenceBook) {
    let keys = book.keysBySerial
    live.rejoin(keys)
    if !settled.isEmpty { settled[0].rejoin(keys) }
  }

  /// Events to come have greater ids than one that was told.
  mutating func continueIDs(after id: FenceEvent.ID) {
    lastID = max(lastID, id.number)
  }

  // MARK: Asking

  /// How things stand with a fence; ``FenceSide/unknown`` where there is none of that id.
  public func state(of id: FenceID, in book: FenceBook) -> FenceState {
    guard let key = book.key(of: id) else { return FenceState(side: .unknown) }
    var state = live.state(of: key, in: book)
    state.deviation = live.standing(in: book)?.deviation
    return state
  }

  /// How far the device is from all boundaries; `nil` before the first fix.
  ///
  /// - Parameter limit: metres; boundaries farther off are not looked for.
  public func clearance(in book: FenceBook, upTo limit: Double = 50_000) -> FenceClearance? {
    guard let standing = live.standing(in: book) else { return nil }
    let nearest = book.index.clearance(from: standing.place, upTo: limit)
    let doubt = Self.deviationsOfDoubt * standing.deviation
    return FenceClearance(
      metres: max(0, (nearest?.metres ?? limit) - doubt),
      fence: nearest.flatMap { book.entries[Int($0.key)]?.fence.id }, time: standing.time,
      isPending: standing.isPending, isDoubtful: live.isDoubtful,
      isInside: nearest.map { live.state(of: $0.key, in: book).side == .inside } ?? false,
      rested: live.rested)
  }

  /// So many standard deviations the device may be nearer than it seems.
  private static let deviationsOfDoubt = 4.0
}

extension FenceSettings {
  /// How far back a fix may come and still make a difference.
  fileprivate var reach: Duration {
    latePolicy == .revise ? max(lateness, Self.longestRevision) : max(.zero, lateness)
  }

  private static var longestRevision: Duration { .seconds(600) }
}
