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
  /// Where the device rests, as of the last fix that something near was looked at with. Optional, as are the next ones, for
  /// states that were kept before there were any.
  private var resting: RestingPlace?
  /// Fixes that are probably outliers and wait for the next.
  private var doubted: DoubtedFixes?
  /// How many fixes have been believed, up to two; absent before the first.
  private var believed: Int?
  private var workspace = Workspace()

  init(gap: Duration) {
    self.gap = gap
  }

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
  var time: UTCTime? { isTimeNew ? nil : doubted?.last?.time ?? last?.time }

  /// Whether a fix waits for the next one, being probably an outlier.
  var isDoubtful: Bool { !(doubted?.isEmpty ?? true) }

  /// How long the device has been seen to rest, in seconds; `nil` where it has not.
  var rested: Double? {
    guard let resting, let last, !isTimeNew, resting.last == last.time, resting.count >= 3 else { return nil }
    return resting.seenResting
  }

  // MARK: Fixes

  /// Takes a fix that comes after all before it.
  mutating func take(_ fix: Fix, at time: UTCTime, in book: FenceBook, say: (FenceNote) -> Void) {
    guard !isTooCoarse(fix, at: time, say: say) else { return }
    if isTimeNew { restartTime(at: time, in: book) }
    let brief = BriefFix(fix, at: time)
    // Of a fence that is gone nothing is to be followed on: a tracker that was read back does not know it either.
    if !memories.isEmpty { memories.removeAll { book.serial($0.key) != $0.serial } }
    guard isBelieved(brief, in: book, say: say), advance(to: brief, in: book), let here = followers[0].here
    else { return }
    keep(fix)
    judge(here, fix, in: book, say: say)
  }

  /// Goes on to a fix that is believed, and remembers the fences near it.
  ///
  /// - Returns: whether any is, or is not done with, so that there is something to be judged.
  private mutating func advance(to brief: BriefFix, in book: FenceBook, isLearned: Bool = false) -> Bool {
    let before = isTimeNew ? nil : last
    isTimeNew = false
    if let before, brief.time.since(before.time) > gap { breakOff() }
    let step = isAfterBreak ? 0 : before.map { min(Self.most($0, to: brief), Self.longestStep) } ?? 0
    last = brief
    believed = min(2, (believed ?? 0) + 1)
    defer {
      recent.append(brief)
      seenSerial = book.lastSerial
      isAfterBreak = false
    }
    let reach = reach(of: brief, step: step)
    if isQuiet(at: brief, within: reach, in: book) { return false }
    noteRest(at: brief, before: before)
    if !followers.isEmpty { followers[0].take(checked(brief), isLearned: isLearned) }
    look(around: brief, within: reach, in: book)
    guard !workspace.found.isEmpty || !memories.isEmpty else {
      goFar()
      return false
    }
    farFixes = 0
    if followers.isEmpty { follow(brief, within: reach, in: book) }
    guard followers[0].here != nil else {
      stopFollowing()
      return false
    }
    remember(before: before, in: book)
    return true
  }

  /// How far around a fix fences matter, in metres.
  private func reach(of fix: BriefFix, step: Double) -> Double {
    Self.leastReach + Self.accuraciesOfReach * fix.usedAccuracy + step
  }

  // MARK: Outliers

  /// Keeps where the device rests.
  private mutating func noteRest(at fix: BriefFix, before: BriefFix?) {
    guard resting == nil || resting?.last != fix.time else { return }
    knowRest(by: before)
    let rounding = rounding
    if resting == nil {
      resting = RestingPlace(fix, rounding: rounding)
    } else {
      resting?.take(fix, rounding: rounding)
    }
  }

  /// What rounding adds to the variance of fixes, in m² an axis.
  private var rounding: Double { habits.first?.grid?.rounding ?? 0 }

  /// Where nothing was near for a while nobody kept where the device rests: the last few fixes say it.
  private mutating func knowRest(by last: BriefFix?) {
    guard resting == nil || resting?.last != last?.time else { return }
    let rounding = rounding
    var place: RestingPlace?
    recent.forEach { fix in
      if place == nil {
        place = RestingPlace(fix, rounding: rounding)
      } else {
        place?.take(fix, rounding: rounding)
      }
    }
    resting = place
  }

  /// Whether a fix is to be gone on with, and not held back because it is probably an outlier. Where it says that those
  /// held back were none, they are gone on with first.
  private mutating func isBelieved(_ fix: BriefFix, in book: FenceBook, say: (FenceNote) -> Void) -> Bool {
    guard !isTimeNew, let last else { return true }
    if !isDoubtful {
      // Where no fence is near an outlier does no harm.
      let step = min(Self.most(last, to: fix), Self.longestStep)
      if isQuiet(at: fix, within: reach(of: fix, step: step), in: book) { return true }
      knowRest(by: last)
      let (here, outlier) = weight(of: fix)
      let doubt = outlier / (outlier + here)
      guard doubt > OutlierModel.doubtful else { return true }
      guard wouldCross(fix, in: book) else {
        // Nothing hangs on it. The device rests where it did, as far as anybody knows.
        resting?.pass(to: fix.time)
        return true
      }
      if doubted == nil { doubted = DoubtedFixes() }
      doubted?.begin(with: fix, odds: (1 - doubt) / doubt)
      learn(fix)
      say(.decided(.doubted(at: fix.time, probability: doubt)))
      return false
    }
    guard let held = doubted?.last else { return true }
    let (here, outlier) = weight(of: fix)
    let there = weight(of: fix, from: held)
    doubted?.weigh(there: there + outlier, here: here + outlier)
    if doubted?.isBelieved ?? false {
      believeDoubted(in: book)
      return true
    }
    if doubted?.isDismissed ?? false {
      doubted?.removeAll()
      return isBelieved(fix, in: book, say: say)
    }
    doubted?.append(fix)
    learn(fix)
    return false
  }

  /// Whether a fix is on another side of a boundary than the device is known to be.
  private mutating func wouldCross(_ fix: BriefFix, in book: FenceBook) -> Bool {
    book.near(fix.coordinate, within: 0, into: &workspace.found)
    func isIn(_ key: UInt32) -> Bool { workspace.found.contains { $0.key == key } }
    for memory in memories where memory.evidence.side != .unknown {
      if (memory.evidence.side == .inside) != isIn(memory.key) { return true }
    }
    // What is not remembered was far away.
    return workspace.found.contains { nearby in !memories.contains { $0.key == nearby.key } }
  }

  /// Fixes that jump to and fro say how far the receiver is to be believed, used or not.
  private mutating func learn(_ fix: BriefFix) {
    if !followers.isEmpty { followers[0].learn(fix.sample(.fences)) }
  }

  /// Goes on to the fixes that were held back, which were none of an error.
  private mutating func believeDoubted(in book: FenceBook) {
    guard let held = doubted?.fixes else { return }
    // It may as well be that the one fix before was the outlier, and the device has crossed nothing.
    let isFirstWrong = believed == 1 && doubted.map { $0.oddsAtFirst < Self.oddsOfMovement } ?? false
    doubted?.removeAll()
    for (place, fix) in held.enumerated() {
      if place == 0, isFirstWrong || cannotFollow(to: fix) { breakOff() }
      _ = advance(to: fix, in: book, isLearned: true)
    }
    guard isFirstWrong else { return }
    for index in memories.indices { memories[index].evidence.restsOnOneFix() }
  }

  /// Whether the way to a fix can't be followed on: it ends then, and another begins.
  private func cannotFollow(to fix: BriefFix) -> Bool {
    guard let last, fix.time.seconds(since: last.time) > Self.longestWay, !followers.isEmpty else {
      return false
    }
    return followers[0].refuses(fix.sample(.fences))
  }

  /// That a device has moved must be so many times more probable than that its first fix was an outlier: 95 %.
  private static let oddsOfMovement = 19.0
  /// Over more seconds than this a velocity changes too much to be followed on.
  private static let longestWay = 11.0

  /// How probable a fix is: of a device that rests where it was or has gone on as it could, and of a receiver that errs.
  private func weight(of fix: BriefFix) -> (here: Double, outlier: Double) {
    let place = EarthCentred(fix.coordinate).place
    let own = ((fix.deviation * fix.deviation + rounding) * (followers.first?.doubt ?? 1)).squareRoot()
    guard let last else { return (1, 0) }
    let seconds = fix.time.seconds(since: last.time)
    let from = EarthCentred(last.coordinate).place, speed = Double(max(last.speed ?? 0, fix.speed ?? 0))
    var off = place - from
    let around = (own * own + last.deviation * last.deviation).squareRoot()
    var gone = OutlierModel.departed(
      square: (off * off).sum(), seconds: seconds, deviation: around, speed: speed)
    if !followers.isEmpty, seconds <= gap.inSeconds {
      let surprise = followers[0].surprise(of: fix.sample(.fences))
      gone = (gone + OutlierModel.normal(square: surprise.square, variance: surprise.variance)) / 2
    }
    var rested = OutlierModel.unseenRest, variance = around * around
    if let resting, resting.last == last.time {
      rested = resting.rested
      variance = resting.variance + own * own
      off = place - resting.place
    }
    let stays = OutlierModel.stays(after: rested, for: seconds)
    let square = (off * off).sum()
    let here = stays * OutlierModel.normal(square: square, variance: variance) + (1 - stays) * gone
    return ((1 - OutlierModel.rate) * here, OutlierModel.outlier(square: square, deviation: own))
  }

  /// How probable a fix is of a device that was where another says.
  private func weight(of fix: BriefFix, from held: BriefFix) -> Double {
    let off = EarthCentred(fix.coordinate).place - EarthCentred(held.coordinate).place
    let square = (off * off).sum()
    let variance = fix.deviation * fix.deviation + held.deviation * held.deviation + 2 * rounding
    let seconds = fix.time.seconds(since: held.time)
    let stays = OutlierModel.stays(after: OutlierModel.newRest, for: seconds)
    let gone = OutlierModel.departed(
      square: square, seconds: seconds, deviation: variance.squareRoot(),
      speed: Double(max(held.speed ?? 0, fix.speed ?? 0)))
    return (1 - OutlierModel.rate)
      * (stays * OutlierModel.normal(square: square, variance: variance) + (1 - stays) * gone)
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
    resting = nil
    doubted?.removeAll()
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
    followRecent()
    follow(brief)
    // Where the filter sees the device may be nearer to a fence than the fix.
    look(around: brief, within: reach, in: book)
  }

  private mutating func followRecent() {
    let fixes = recent
    fixes.forEach { follow($0) }
  }

  /// Follows the device to a fix. There are habits.
  private mutating func follow(_ fix: BriefFix) {
    let sample = checked(fix)
    if followers.isEmpty {
      followers.append(PathFollower(at: sample, noise: habits[0].noise))
    } else {
      followers[0].take(sample)
    }
  }

  /// A fix as the filter takes it. There are habits.
  private mutating func checked(_ fix: BriefFix) -> WaySample {
    if habits[0].grid == nil { habits[0].grid = CoordinateGrid() }
    let sample = fix.sample(.fences)
    return habits[0].check.checked(habits[0].grid?.checked(sample) ?? sample)
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

  /// Finds out on which side of fences the device is that have come since its last fix, where that says it.
  ///
  /// - Parameter fix: the last fix in full.
  mutating func lookAtNew(_ fix: Fix, in book: FenceBook, say: (FenceNote) -> Void) {
    guard let last, !isTimeNew, last.time == fix.time, seenSerial < book.lastSerial, !isDoubtful else {
      return
    }
    let reach = reach(of: last, step: 0)
    if followers.isEmpty {
      if habits.isEmpty { habits.append(ReceiverHabits()) }
      followRecent()
    }
    look(around: last, within: reach, in: book)
    let known = seenSerial
    remember(before: last, in: book)
    seenSerial = book.lastSerial
    guard let here = followers.first?.here, !memories.isEmpty else { return goFar() }
    keep(fix)
    // Who puts a fence where the device is knows that it is there.
    believed = 2
    let travelled = followers[0].movement.travelled, step = followers[0].lastStep
    workspace.path.removeAll(keepingCapacity: true)
    for index in memories.indices where memories[index].serial > known {
      let key = memories[index].key
      let look = SideEvidence.Look(rule: book.rule(key), travelled: travelled, step: step)
      let distance = book.index.signedDistance(key, to: here.place).metres
      judge(index, here, distance, look, fix, in: book, say: say)
    }
  }

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
      let look = SideEvidence.Look(rule: book.rule(key), travelled: travelled, step: step)
      judge(index, here, distance.metres, look, fix, in: book, say: say)
    }
    cursor = 0
    memories.removeAll { memory in
      while cursor < workspace.found.count, workspace.found[cursor].key < memory.key { cursor += 1 }
      let isFound = cursor < workspace.found.count && workspace.found[cursor].key == memory.key
      return !isFound && memory.isForgettable
    }
  }

  private mutating func judge(
    _ index: Int, _ here: PathPoint, _ distance: Double, _ look: SideEvidence.Look, _ fix: Fix,
    in book: FenceBook, say: (FenceNote) -> Void
  ) {
    let key = memories[index].key
    let rule = look.rule
    guard rule.expiry.map({ here.time < $0 }) ?? true else { return }
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
      isDoubtful || believed == 1 && !memories.isEmpty || seenSerial < book.lastSerial
      || memories.contains { !$0.evidence.isCalm || $0.telling.isWaiting }
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
  /// Optional for states that were kept before there was one.
  var grid: CoordinateGrid?
  var noise: OwnNoiseMeter?
}
