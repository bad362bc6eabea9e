import WhereaboutsGeodesy

/// Follows one device past the fences of a book, by fixes in the order of their times.
///
/// Far from every fence a fix costs one look at the index. Where one comes near, the device is followed from a dozen fixes
/// before on, and what the fixes say of its side gathers until it is sure.
struct FenceTracker: Hashable, Sendable, Codable {
  private let gap: Duration
  private var recent = RecentFixes()
  /// One while a fence is near, else none: most devices are far from every fence, and a follower is large.
  private var followers: [PathFollower] = []
  /// One from the first time on that a fence was near.
  private var habits: [ReceiverHabits] = []
  /// By ascending key.
  private var memories: [FenceMemory] = []
  /// The serial of the last fence that was there when the device was last looked at.
  private var seenSerial: UInt64 = 0
  private var last: BriefFix?
  /// The last fix, where something may yet be told of it: one where there are memories.
  private var lastFixes: [Fix] = []
  /// Where no fence was near for a while around.
  private var quiet: Quiet?
  /// Fixes in a row with no fence near.
  private var farFixes = 0
  /// Nobody looked for a while before the next fix.
  private var isAfterBreak = false
  /// The next fix is of another time than those before.
  private var isTimeNew = false
  private var isCoarse = false
  private var workspace = Workspace()

  init(gap: Duration) { self.gap = gap }

  /// A fix around which there is no fence for so far, of those that were there then.
  private struct Quiet: Hashable, Sendable, Codable {
    var fix: BriefFix
    var metres: Double
    var serial: UInt64
  }

  /// What is used during one fix only; kept for its memory.
  private struct Workspace: Hashable, Sendable, Codable {
    var found: [AreaIndex.Nearby] = []
    var path: [PathPoint] = []
    static func == (left: Self, right: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      try value.encodeNil()
    }
  }

  /// The time of the last fix; `nil` where what comes next is of another.
  var time: UTCTime? { isTimeNew ? nil : last?.time }

  // MARK: Fixes

  /// Takes a fix that comes after all before it.
  mutating func take(_ fix: Fix, at time: UTCTime, in book: FenceBook, say: (FenceNote) -> Void) {
    guard !isTooCoarse(fix, at: time, say: say) else { return }
    if isTimeNew { restartTime(at: time, in: book) }
    let brief = BriefFix(fix, at: time), before = isTimeNew ? nil : last
    isTimeNew = false
    if let before, time.since(before.time) > gap { breakOff() }
    let step = isAfterBreak ? 0 : before.map { min(Self.most($0, to: brief), Self.longestStep) } ?? 0
    last = brief
    defer {
      recent.append(brief)
      seenSerial = book.lastSerial
      isAfterBreak = false
    }
    let reach = Self.leastReach + Self.accuraciesOfReach * brief.usedAccuracy + step
    // Of a fence that is gone nothing is to be followed on: a tracker that was read back does not know it either.
    if !memories.isEmpty { memories.removeAll { book.serial($0.key) != $0.serial } }
    if isQuiet(at: brief, within: reach, in: book) { return }
    if !followers.isEmpty { followers[0].take(habits[0].check.checked(brief.sample(.fences))) }
    look(around: brief, within: reach, in: book)
    guard !workspace.found.isEmpty || !memories.isEmpty else { return goFar() }
    farFixes = 0
    if followers.isEmpty { follow(brief, within: reach, in: book) }
    guard let here = followers[0].here else { return stopFollowing() }
    remember(before: before, in: book)
    keep(fix)
    judge(here, fix, in: book, say: say)
  }

  /// What comes next does not continue what came before.
  ///
  /// - Parameter restartsTime: fixes are of another time than those before.
  mutating func breakOff(restartsTime: Bool) {
    breakOff()
    isTimeNew = restartsTime && last != nil
  }

  /// The times that are remembered say nothing any more.
  private mutating func restartTime(at time: UTCTime, in book: FenceBook) {
    for index in memories.indices {
      memories[index].evidence.restartTime()
      guard entry(of: memories[index], in: book) != nil else { continue }
      memories[index].telling.restartTime(at: time, book.rule(memories[index].key))
    }
  }

  private mutating func breakOff() {
    guard last != nil else { return }
    stopFollowing()
    recent.removeAll()
    if !habits.isEmpty { habits[0].check.breakOff() }
    isAfterBreak = true
    for index in memories.indices { memories[index].evidence.missTime() }
  }

  private mutating func isTooCoarse(_ fix: Fix, at time: UTCTime, say: (FenceNote) -> Void) -> Bool {
    guard let accuracy = fix.horizontalAccuracy, !(accuracy <= Self.worstAccuracy) else {
      isCoarse = false
      return false
    }
    if !isCoarse { say(.decided(.tooCoarse(at: time, accuracy: accuracy))) }
    isCoarse = true
    return true
  }

  /// Metres at 68 %: what a cell tower in the country gives. A fix that is poorer says nothing of fences.
  private static let worstAccuracy = 5000.0

  // MARK: Following

  /// Whether no fence can be within a distance, as far as is known from before.
  private func isQuiet(at fix: BriefFix, within reach: Double, in book: FenceBook) -> Bool {
    guard let quiet, quiet.serial == book.lastSerial, followers.isEmpty, memories.isEmpty else {
      return false
    }
    return Self.most(quiet.fix, to: fix) + reach <= quiet.metres
  }

  /// Finds the fences that matter for where the device is.
  private mutating func look(around fix: BriefFix, within reach: Double, in book: FenceBook) {
    if !followers.isEmpty, let here = followers[0].here {
      let reach = Self.leastReach + Self.deviationsOfReach * here.deviation + followers[0].lastStep
      book.near(here.place, within: reach, into: &workspace.found)
      return
    }
    book.near(fix.coordinate, within: reach + Self.quietReach, into: &workspace.found)
    let nearest = workspace.found.reduce(reach + Self.quietReach) { min($0, $1.distance.metres) }
    workspace.found.removeAll { $0.distance.metres > reach }
    quiet = workspace.found.isEmpty ? Quiet(fix: fix, metres: nearest, serial: book.lastSerial) : nil
  }

  /// Metres farther than need be that are looked around for fences, so as not to look again with every fix.
  private static let quietReach = 500.0

  /// Metres around the device within which fences matter, at least.
  private static let leastReach = 60.0
  /// Beyond so many standard deviations nothing matters,
  private static let deviationsOfReach = 6.0
  /// or so many accuracies, where the device is not followed.
  private static let accuraciesOfReach = 6.0

  /// Metres that two fixes are apart at most: along a parallel and a meridian, with degrees a little longer than any
  /// are. Where φ is in degrees, cos φ is nowhere more than 1 − (φ/90°)².
  private static func most(_ one: BriefFix, to other: BriefFix) -> Double {
    let Δφ = (other.coordinate.latitude - one.coordinate.latitude).magnitude
    let Δλ = (other.coordinate.longitude - one.coordinate.longitude).magnitude
    let φ = min(one.coordinate.latitude.magnitude, other.coordinate.latitude.magnitude) / 90
    return metresByDegree * (Δφ + min(Δλ, 360 - Δλ) * (1 - φ * φ))
  }

  /// More than any degree of latitude is long, and any of longitude by the cosine.
  private static let metresByDegree = 111_700.0

  /// Metres between two fixes; what lies within a longer one can't be told.
  private static let longestStep = 2000.0

  private mutating func follow(_ brief: BriefFix, within reach: Double, in book: FenceBook) {
    if habits.isEmpty { habits.append(ReceiverHabits()) }
    func take(_ fix: BriefFix) {
      let sample = habits[0].check.checked(fix.sample(.fences))
      if followers.isEmpty {
        followers.append(PathFollower(at: sample, noise: habits[0].noise))
      } else {
        followers[0].take(sample)
      }
    }
    recent.forEach(take)
    take(brief)
    // Where the filter sees the device may be nearer to a fence than the fix.
    look(around: brief, within: reach, in: book)
  }

  private mutating func goFar() {
    guard !followers.isEmpty else { return }
    farFixes += 1
    if farFixes > Self.fixesToGo { stopFollowing() }
  }

  /// So many fixes far from every fence, and the device is not followed any more.
  private static let fixesToGo = 8

  private mutating func stopFollowing() {
    guard !followers.isEmpty else { return }
    habits[0].noise = followers[0].noise
    followers.removeAll()
    farFixes = 0
  }

  // MARK: Fences

  /// The keys of fences are those of another book with the same areas. What is not in it is forgotten.
  mutating func rejoin(_ keys: [UInt64: UInt32]) {
    memories = memories.compactMap { memory in
      keys[memory.serial].map {
        FenceMemory(key: $0, serial: memory.serial, evidence: memory.evidence, telling: memory.telling)
      }
    }
    memories.sort { $0.key < $1.key }
  }

  /// Makes the memories those of the fences that were found, and keeps those that are not done with.
  private mutating func remember(before lastSeen: BriefFix?, in book: FenceBook) {
    var index = 0
    for nearby in workspace.found {
      while index < memories.count, memories[index].key < nearby.key { index += 1 }
      if index < memories.count, memories[index].key == nearby.key { continue }
      memories.insert(memory(of: nearby, book.serial(nearby.key), before: lastSeen, in: book), at: index)
    }
  }

  /// Keeps a fix for what may yet be told of it.
  private mutating func keep(_ fix: Fix) {
    if memories.isEmpty {
      lastFixes.removeAll()
    } else if lastFixes.isEmpty {
      lastFixes.append(fix)
    } else {
      lastFixes[0] = fix
    }
  }

  /// A fence that was there before and is not remembered was far away.
  private func memory(
    of nearby: AreaIndex.Nearby, _ serial: UInt64, before lastSeen: BriefFix?, in book: FenceBook
  ) -> FenceMemory {
    let wasThere = serial <= seenSerial
    var before: SideEvidence.Moment?
    if wasThere, let lastSeen {
      let distance = book.index.signedDistance(nearby.key, to: lastSeen.coordinate).metres
      before = SideEvidence.Moment(
        time: lastSeen.time, distance: max(0, distance), deviation: lastSeen.deviation,
        travelled: followers.first?.travelledBefore ?? 0)
    }
    let side: FenceSide = wasThere ? .outside : .unknown
    var evidence = SideEvidence(side: side, before: before)
    if wasThere, isAfterBreak { evidence.missTime() }
    return FenceMemory(
      key: nearby.key, serial: serial, evidence: evidence, telling: FenceTelling(side: side))
  }

  private mutating func judge(
    _ here: PathPoint, _ fix: Fix, in book: FenceBook, say: (FenceNote) -> Void
  ) {
    let travelled = followers[0].movement.travelled, step = followers[0].lastStep
    workspace.path.removeAll(keepingCapacity: true)
    var cursor = 0
    for index in memories.indices {
      let key = memories[index].key
      while cursor < workspace.found.count, workspace.found[cursor].key < key { cursor += 1 }
      let isFound = cursor < workspace.found.count && workspace.found[cursor].key == key
      let distance =
        isFound ? workspace.found[cursor].distance : book.index.signedDistance(key, to: here.place)
      judge(index, here, distance.metres, travelled, step, fix, in: book, say: say)
    }
    cursor = 0
    memories.removeAll { memory in
      while cursor < workspace.found.count, workspace.found[cursor].key < memory.key { cursor += 1 }
      let isFound = cursor < workspace.found.count && workspace.found[cursor].key == memory.key
      return !isFound && memory.isForgettable
    }
  }

  private mutating func judge(
    _ index: Int, _ here: PathPoint, _ distance: Double, _ travelled: Double, _ step: Double, _ fix: Fix,
    in book: FenceBook, say: (FenceNote) -> Void
  ) {
    let key = memories[index].key
    let rule = book.rule(key)
    guard rule.expiry.map({ here.time < $0 }) ?? true else { return }
    let look = SideEvidence.Look(rule: rule, travelled: travelled, step: step)
    if !memories[index].evidence.needsPath(to: distance, deviation: here.deviation, look) {
      memories[index].evidence.stay(at: here, distance: distance, look)
      guard !memories[index].telling.isIdle, let entry = book.entries[Int(key)] else { return }
      let now = FenceTelling.Now(here.time, entry.fence, rule, fix)
      memories[index].telling.passTime(now: now, say: say)
      return
    }
    if workspace.path.isEmpty { followers[0].appendPath(since: nil, to: &workspace.path) }
    guard let entry = book.entries[Int(key)] else { return }
    let now = FenceTelling.Now(here.time, entry.fence, rule, fix)
    var memory = memories[index]
    var telling = memory.telling
    memory.evidence.walk(workspace.path, look) {
      book.index.signedDistance(key, to: $0).metres
    } say: { saying in
      Self.tell(saying, now, &telling, say: say)
    }
    telling.passTime(now: now, say: say)
    memory.telling = telling
    memories[index] = memory
  }

  private static func tell(
    _ saying: SideEvidence.Saying, _ now: FenceTelling.Now, _ telling: inout FenceTelling,
    say: (FenceNote) -> Void
  ) {
    let id = now.fence.id
    switch saying {
    case .crossed(let crossing): telling.take(crossing, now: now, say: say)
    case .determined(let side, let point, let weight):
      say(.decided(.determined(id, side, FenceEvidence(weight))))
      let initial = Crossing(
        kind: side == .inside ? .enter : .exit, manner: .initial, time: point.time, uncertainty: 0,
        lastBefore: nil, firstAfter: point.time, place: point.place, confidence: weight.probability)
      telling.determine(side, initial, now: now, say: say)
    case .suspected(let weight):
      say(.decided(.suspected(id, telling.nextKind, FenceEvidence(weight))))
    case .dismissed(let weight, let since):
      say(.decided(.dismissed(id, telling.nextKind, FenceEvidence(weight), since: since)))
    case .atRest(let weight):
      say(.decided(.atRest(id, telling.nextKind, FenceEvidence(weight))))
    }
  }

  // MARK: Time

  /// Tells what is due by a time without a fix.
  mutating func passTime(to time: UTCTime, in book: FenceBook, say: (FenceNote) -> Void) {
    guard let last = lastFixes.first else { return }
    for index in memories.indices {
      guard let entry = self.entry(of: memories[index], in: book), !memories[index].telling.isIdle
      else { continue }
      let now = FenceTelling.Now(time, entry.fence, book.rule(memories[index].key), last)
      memories[index].telling.passTime(now: now, say: say)
    }
  }

  /// When something is due without a fix; `nil` where nothing is.
  func nextTime(in book: FenceBook) -> UTCTime? {
    var next: UTCTime?
    for memory in memories where !memory.telling.isIdle {
      guard let entry = entry(of: memory, in: book),
        let time = memory.telling.nextTime(book.rule(memory.key), entry.fence.terms.activeHours)
      else { continue }
      next = min(next ?? time, time)
    }
    return next
  }

  private func entry(of memory: FenceMemory, in book: FenceBook) -> FenceBook.Entry? {
    guard book.entries.indices.contains(Int(memory.key)), let entry = book.entries[Int(memory.key)],
      entry.serial == memory.serial
    else { return nil }
    return entry
  }

  // MARK: Asking

  /// How things stand with a fence.
  func state(of key: UInt32, in book: FenceBook) -> FenceState {
    guard let entry = book.entries[Int(key)] else { return FenceState(side: .unknown) }
    if let memory = memories.first(where: { $0.key == key && $0.serial == entry.serial }) {
      return FenceState(
        side: memory.telling.confirmed, since: memory.telling.confirmedSince,
        probabilityInside: memory.evidence.probabilityInside)
    }
    return FenceState(side: last != nil && entry.serial <= seenSerial ? .outside : .unknown)
  }

  /// Where the device was last, how sure that is in metres (one standard deviation), and whether more fixes are needed
  /// to tell something.
  func standing(in book: FenceBook) -> (place: Coordinate, deviation: Double, time: UTCTime, isPending: Bool)?
  {
    guard let last else { return nil }
    let isPending =
      seenSerial < book.lastSerial || memories.contains { !$0.evidence.isCalm || $0.telling.isWaiting }
    if let here = followers.first?.here { return (here.place, here.deviation, last.time, isPending) }
    return (last.coordinate, last.deviation, last.time, isPending)
  }
}

extension FenceEvidence {
  init(_ weight: SideEvidence.Weight) {
    self.init(
      time: weight.time, probability: weight.probability, needed: weight.needed, distance: weight.distance,
      deviation: weight.deviation)
  }
}

/// What was learned of a receiver, and is true of it the next time that a fence is near.
struct ReceiverHabits: Hashable, Sendable, Codable {
  var check = SpeedCheck(model: .fences)
  var noise: OwnNoiseMeter?
}
