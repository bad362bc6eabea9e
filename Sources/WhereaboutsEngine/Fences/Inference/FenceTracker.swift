import WhereaboutsModel
import WhereaboutsGeodesy

/// Tracks one device past the fences of a registry, by fixes in order of time.
///
/// Far from every fence a fix costs one index query. Near a fence, a follower starts from the last dozen
/// fixes. Evidence for the device's side of the fence then accumulates until the side is certain.
struct FenceTracker: Hashable, Sendable, Codable {
  private let gap: Duration
  private var recent = RecentFixes()
  /// The follower: one while a fence is near, otherwise none. Most devices are far from every fence, and a follower
  /// is large.
  private var followers: [PathFollower] = []
  /// The calibration of the receiver, from the first near fence on.
  private var habits: [ReceiverCalibration] = []
  /// The states of near fences, by ascending key.
  private var memories: [FenceMemory] = []
  /// The serial of the last fence that existed at the last evaluation.
  private var seenSerial: UInt64 = 0
  private var last: CompactFix?
  /// The last fix, if an event may still need it: one while there are memories.
  private var lastFixes: [Fix] = []
  /// A circle without fences that was found recently.
  private var quiet: FenceFreeCircle?
  /// The number of consecutive fixes without a near fence.
  private var farFixes = 0
  /// Whether a gap without observations precedes the next fix.
  private var isAfterBreak = false
  /// Whether the next fix belongs to a new timeline.
  private var isTimeNew = false
  private var isCoarse = false
  /// The device's resting place, as of the last evaluated fix near a fence. Optional, as are the next properties, for
  /// older stored states.
  private var resting: RestingPlace?
  /// The fixes that are probably outliers and wait for the next fix.
  private var doubted: OutlierCandidates?
  /// The number of accepted fixes, up to two; `nil` before the first.
  private var believed: Int?
  private var workspace = Workspace()

  init(gap: Duration) {
    self.gap = gap
  }

  /// A circle around a fix without any fence, among the fences that existed at the time.
  private struct FenceFreeCircle: Hashable, Sendable, Codable {
    var fix: CompactFix
    var metres: Double
    var serial: UInt64
  }

  /// Working storage of one fix, kept to reuse its memory.
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

  /// The time of the last fix; `nil` if the next fix belongs to a new timeline.
  var time: UTCTime? { isTimeNew ? nil : doubted?.last?.time ?? last?.time }

  /// Whether a fix waits for the next one because it is probably an outlier.
  var hasSuspectedOutlier: Bool { !(doubted?.isEmpty ?? true) }

  /// The observed rest of the device in seconds; `nil` if fewer than three fixes up to the last one show a
  /// rest.
  var restDuration: Double? {
    guard let resting, let last, !isTimeNew, resting.last == last.time, resting.count >= 3 else { return nil }
    return resting.observedRestDuration
  }

  // MARK: Fixes

  /// Processes a fix later than all before it.
  mutating func process(
    _ fix: Fix, at time: UTCTime, in book: FenceRegistry, into output: inout FenceTrackerOutput
  ) {
    guard !isTooCoarse(fix, at: time, into: &output) else { return }
    if isTimeNew { restartTimeline(at: time, in: book) }
    let brief = CompactFix(fix, at: time)
    // A removed fence needs no state; a decoded tracker does not know the fence either.
    if !memories.isEmpty { memories.removeAll { book.serial($0.key) != $0.serial } }
    guard accepts(brief, in: book, into: &output), processAccepted(brief, in: book),
      let here = followers[0].here
    else { return }
    storeLastFix(fix)
    evaluate(here, fix, in: book, into: &output)
  }

  /// Processes an accepted fix, and updates the states of the fences near it.
  ///
  /// - Returns: Whether any fence is near or unfinished, so that there is something to evaluate.
  private mutating func processAccepted(
    _ brief: CompactFix, in book: FenceRegistry, isLearned: Bool = false, manoeuvre: Double = 0
  ) -> Bool {
    let before = isTimeNew ? nil : last
    isTimeNew = false
    if let before, brief.time.since(before.time) > gap { endSegment() }
    let step =
      isAfterBreak ? 0 : before.map { min(Self.maximumDistance($0, to: brief), Self.longestStep) } ?? 0
    last = brief
    believed = min(2, (believed ?? 0) + 1)
    defer {
      recent.append(brief)
      seenSerial = book.lastSerial
      isAfterBreak = false
    }
    let reach = searchRadius(of: brief, step: step)
    if isFarFromFences(at: brief, within: reach, in: book) { return false }
    updateRestingPlace(at: brief, before: before)
    if !followers.isEmpty {
      followers[0].process(checkedSample(brief), isLearned: isLearned, manoeuvre: manoeuvre)
    }
    findFences(around: brief, within: reach, in: book)
    guard !workspace.found.isEmpty || !memories.isEmpty else {
      countFarFix()
      return false
    }
    farFixes = 0
    if followers.isEmpty { startFollowing(brief, within: reach, in: book) }
    guard followers[0].here != nil else {
      stopFollowing()
      return false
    }
    updateMemories(before: before, in: book)
    return true
  }

  /// Returns the radius in metres around a fix within which fences matter.
  private func searchRadius(of fix: CompactFix, step: Double) -> Double {
    Self.minimumSearchRadius + Self.searchRadiusAccuracies * fix.effectiveAccuracy + step
  }

  // MARK: Outliers

  /// Updates the device's resting place.
  private mutating func updateRestingPlace(at fix: CompactFix, before: CompactFix?) {
    guard resting == nil || resting?.last != fix.time else { return }
    rebuildRestingPlace(by: before)
    let rounding = roundingVariance
    if resting == nil {
      resting = RestingPlace(fix, rounding: rounding)
    } else {
      resting?.process(fix, rounding: rounding)
    }
  }

  /// The variance that coordinate rounding adds to fixes, in m² per axis.
  private var roundingVariance: Double { habits.first?.grid?.roundingVariance ?? 0 }

  /// Rebuilds the resting place from the last few fixes, because none was kept while no fence was near.
  private mutating func rebuildRestingPlace(by last: CompactFix?) {
    guard resting == nil || resting?.last != last?.time else { return }
    let rounding = roundingVariance
    var place: RestingPlace?
    recent.forEach { fix in
      if place == nil {
        place = RestingPlace(fix, rounding: rounding)
      } else {
        place?.process(fix, rounding: rounding)
      }
    }
    resting = place
  }

  /// Returns whether to process a fix now, instead of holding it back as a probable outlier. Held fixes that the new
  /// fix confirms are processed first.
  private mutating func accepts(
    _ fix: CompactFix, in book: FenceRegistry, into output: inout FenceTrackerOutput
  ) -> Bool {
    guard !isTimeNew, let last else { return true }
    if !hasSuspectedOutlier {
      // An outlier does no harm where no fence is near.
      let step = min(Self.maximumDistance(last, to: fix), Self.longestStep)
      if isFarFromFences(at: fix, within: searchRadius(of: fix, step: step), in: book) { return true }
      rebuildRestingPlace(by: last)
      let (rest, gone, outlier) = likelihoods(of: fix), here = rest + gone
      let isAtRest = isAtRest
      let needed = isAtRest ? OutlierModel.decisiveOddsAtRest : OutlierModel.decisiveOdds
      guard here < needed * outlier, !isAtRest || rest < outlier else { return true }
      let doubt = outlier / (outlier + here)
      // At rest a fix that is doubted would lead the path astray on either side.
      guard isAtRest && here < OutlierModel.decisiveOdds * outlier || wouldCross(fix, in: book) else {
        // No decision depends on the fix. As far as known, the device still rests.
        resting?.extend(to: fix.time)
        return true
      }
      if doubted == nil { doubted = OutlierCandidates() }
      // A fix near the resting place does not say that the device has left it.
      let odds = isAtRest ? gone / (rest + outlier) : here / outlier
      doubted?.begin(with: fix, odds: odds, needed: needed)
      learnNoise(fix)
      output.decisions.append(.doubted(at: fix.time, probability: doubt))
      return false
    }
    guard let held = doubted?.fixes else { return true }
    let (rest, gone, outlier) = likelihoods(of: fix)
    let again = OutlierModel.nextOutlierDensity(
      fresh: outlier, repeated: repetitionDensity(of: fix, after: held))
    let there = likelihood(of: fix, after: held)
    // A fix at the resting place says nothing of a device that has left.
    let hasLeft = gone > rest
    doubted?.updateOdds(
      there: there + outlier, gone: hasLeft ? gone : 0, here: rest + again + (hasLeft ? 0 : gone))
    if doubted?.isAccepted ?? false {
      acceptHeldFixes(confirmedBy: fix, in: book)
      return true
    }
    if doubted?.isDismissed(hasLeft: hasLeft) ?? false {
      doubted?.removeAll()
      return accepts(fix, in: book, into: &output)
    }
    doubted?.append(fix)
    learnNoise(fix)
    return false
  }

  /// Returns whether a fix is on another side of a boundary than the known side of the device.
  private mutating func wouldCross(_ fix: CompactFix, in book: FenceRegistry) -> Bool {
    book.near(fix.coordinate, within: 0, into: &workspace.found)
    func isIn(_ key: UInt32) -> Bool { workspace.found.contains { $0.key == key } }
    for memory in memories where memory.evidence.side != .unknown {
      if (memory.evidence.side == .inside) != isIn(memory.key) { return true }
    }
    // A fence without state was far away.
    return workspace.found.contains { nearby in !memories.contains { $0.key == nearby.key } }
  }

  /// Updates the noise estimate: fixes that jump to and fro show the receiver's reliability, used or not.
  private mutating func learnNoise(_ fix: CompactFix) {
    if !followers.isEmpty { followers[0].learnNoise(fix.sample(.fences)) }
  }

  /// Processes the held fixes, which were no outliers.
  private mutating func acceptHeldFixes(confirmedBy next: CompactFix, in book: FenceRegistry) {
    guard let held = doubted?.fixes else { return }
    // The one fix before may have been the outlier, and the device has crossed nothing.
    let isFirstWrong = believed == 1 && doubted.map { $0.oddsAtFirst < Self.oddsOfMovement } ?? false
    doubted?.removeAll()
    let manoeuvre = departureAgility(to: held[0], confirmedBy: next)
    for (place, fix) in held.enumerated() {
      if place == 0, isFirstWrong || needsNewPath(to: fix) { endSegment() }
      _ = processAccepted(fix, in: book, isLearned: true, manoeuvre: place == 0 ? manoeuvre : 0)
    }
    guard isFirstWrong else { return }
    for index in memories.indices { memories[index].evidence.markBasedOnSuspectFix() }
  }

  /// Returns the agility of a device at rest that drove off before the first held fix, in m²/s³ per axis.
  ///
  /// The filter expects a device at rest to stay, so that its path follows a departing car with many seconds of delay. The
  /// result is 0 if the device moved before, if the change of velocity may be one of a walk or an error of the fixes, and
  /// if speeds are stated.
  private func departureAgility(to first: CompactFix, confirmedBy next: CompactFix) -> Double {
    guard let last, let follower = followers.first, first.speed == nil, next.speed == nil else { return 0 }
    let before = follower.velocity
    guard (before * before).sum().squareRoot() < OutlierModel.walkingSpeed / 2 else { return 0 }
    let seconds = next.time.seconds(since: first.time)
    let path = EarthCentred(next.coordinate).place - EarthCentred(first.coordinate).place
    let change = path / seconds - before
    let variance = first.deviation * first.deviation + next.deviation * next.deviation
    let error = 2 * variance.squareRoot() / seconds
    guard (change * change).sum().squareRoot() > OutlierModel.fastestWalk + error else { return 0 }
    // The agility that makes such a change the average one.
    return (change * change).sum() / 2 / first.time.seconds(since: last.time)
  }

  /// Returns whether the path can't be continued to a fix, so that a new path begins.
  private func needsNewPath(to fix: CompactFix) -> Bool {
    guard let last, fix.time.seconds(since: last.time) > Self.longestPrediction, !followers.isEmpty else {
      return false
    }
    return followers[0].rejects(fix.sample(.fences))
  }

  /// The odds required for a movement against an outlier as the first fix.
  private static let oddsOfMovement = OutlierModel.decisiveOddsAtRest
  /// The longest prediction in seconds; a velocity changes too much over a longer time.
  private static let longestPrediction = 11.0

  /// Returns the likelihoods of a fix in 1/m²: for a device that rests, for one that has set off or moves on as
  /// possible, and for a receiver error.
  private func likelihoods(of fix: CompactFix) -> (rest: Double, gone: Double, outlier: Double) {
    let place = EarthCentred(fix.coordinate).place
    let own = ((fix.deviation * fix.deviation + roundingVariance) * (followers.first?.varianceFactor ?? 1))
      .squareRoot()
    guard let last else { return (1, 0, 0) }
    let seconds = fix.time.seconds(since: last.time)
    let from = EarthCentred(last.coordinate).place, speed = Double(max(last.speed ?? 0, fix.speed ?? 0))
    var off = place - from
    let around = (own * own + last.deviation * last.deviation).squareRoot()
    var gone = OutlierModel.departureDensity(
      square: (off * off).sum(), seconds: seconds, deviation: around, speed: speed)
    if !followers.isEmpty, seconds <= gap.inSeconds {
      let surprise = followers[0].innovation(of: fix.sample(.fences))
      gone = (gone + OutlierModel.normalDensity(square: surprise.square, variance: surprise.variance)) / 2
    }
    var rested = OutlierModel.assumedRest, variance = around * around
    if let resting, resting.last == last.time {
      rested = resting.restDuration
      variance = resting.variance + own * own
      off = place - resting.place
    }
    let stays = OutlierModel.restProbability(after: rested, for: seconds)
    let square = (off * off).sum()
    let right = 1 - OutlierModel.rate
    return (
      right * stays * OutlierModel.normalDensity(square: square, variance: variance),
      right * (1 - stays) * gone, OutlierModel.outlierDensity(square: square, deviation: own)
    )
  }

  /// Returns the likelihood of a fix in 1/m², for a device that was at the places of the held fixes.
  private func likelihood(of fix: CompactFix, after held: [CompactFix]) -> Double {
    guard let newest = held.last, let last else { return 0 }
    let place = EarthCentred(newest.coordinate).place, way = EarthCentred(fix.coordinate).place - place
    let square = (way * way).sum(), variance = pairVariance(fix, newest)
    let seconds = fix.time.seconds(since: newest.time)
    let stays = OutlierModel.restProbability(
      after: OutlierModel.arrivalRest + agreement(of: held), for: seconds)
    let speed = Double(max(newest.speed ?? 0, fix.speed ?? 0))
    var from = held.count > 1 ? held[held.count - 2] : last, start = EarthCentred(from.coordinate).place
    var pace = max(OutlierModel.walkingSpeed, speed)
    if held.count > 1, speed <= OutlierModel.walkingSpeed {
      let gone = place - start
      pace = max(
        pace, (gone * gone).sum().squareRoot() / max(1e-3, newest.time.seconds(since: from.time)))
    } else if let resting, resting.last == last.time {
      from = last
      start = resting.place
    }
    var gone = OutlierModel.movementDensity(
      square: square, seconds: seconds, deviation: variance.squareRoot(), speed: speed, pace: pace)
    let before = place - start, length = (before * before).sum()
    let errors = pairVariance(newest, from) / max(length, 1e-9) + variance / max(square, 1e-9)
    if errors < 1, length > 0, square > 0 {
      gone *= OutlierModel.directionFactor(
        cosine: (before * way).sum() / (length * square.squareRoot()), deviation: errors.squareRoot())
    }
    return (1 - OutlierModel.rate)
      * (stays * OutlierModel.normalDensity(square: square, variance: variance) + (1 - stays) * gone)
  }

  /// Returns the density of a fix in 1/m², if its error is that of one of the held fixes.
  private func repetitionDensity(of fix: CompactFix, after held: [CompactFix]) -> Double {
    let place = EarthCentred(fix.coordinate).place
    let sum = held.reduce(0.0) { sum, other in
      let off = place - EarthCentred(other.coordinate).place
      return sum
        + OutlierModel.repeatedDensity(square: (off * off).sum(), variance: pairVariance(fix, other))
    }
    return sum / Double(max(1, held.count))
  }

  /// Returns the seconds for which the last held fixes agree with the newest of them.
  private func agreement(of held: [CompactFix]) -> Double {
    guard let newest = held.last else { return 0 }
    let place = EarthCentred(newest.coordinate).place
    var since = newest.time
    for fix in held.dropLast().reversed() {
      let off = place - EarthCentred(fix.coordinate).place, most = RestingPlace.agreementDeviations
      guard (off * off).sum() <= most * most * pairVariance(fix, newest) else { break }
      since = fix.time
    }
    return newest.time.seconds(since: since)
  }

  /// Returns the variance of the difference of two fixes, in m² per axis.
  private func pairVariance(_ one: CompactFix, _ other: CompactFix) -> Double {
    (one.deviation * one.deviation + other.deviation * other.deviation + 2 * roundingVariance)
      * (followers.first?.varianceFactor ?? 1)
  }

  /// Whether the device rests, as far as known.
  private var isAtRest: Bool {
    guard let resting, let last, resting.last == last.time else { return false }
    return resting.restDuration >= OutlierModel.assumedRest
  }

  /// Ends a segment: the next fix does not continue the previous one.
  ///
  /// - Parameter restartsTimeline: Whether later fixes belong to another timeline.
  mutating func endSegment(restartsTimeline: Bool) {
    endSegment()
    isTimeNew = restartsTimeline && last != nil
  }

  /// Resets all stored times for a new timeline.
  private mutating func restartTimeline(at time: UTCTime, in book: FenceRegistry) {
    resting = nil
    doubted?.removeAll()
    for index in memories.indices {
      memories[index].evidence.restartTimeline()
      guard entry(of: memories[index], in: book) != nil else { continue }
      memories[index].notification.restartTimeline(at: time, book.rule(memories[index].key))
    }
  }

  private mutating func endSegment() {
    guard last != nil else { return }
    stopFollowing()
    recent.removeAll()
    if !habits.isEmpty { habits[0].check.endSegment() }
    isAfterBreak = true
    for index in memories.indices { memories[index].evidence.markUnobserved() }
  }

  private mutating func isTooCoarse(_ fix: Fix, at time: UTCTime, into output: inout FenceTrackerOutput)
    -> Bool
  {
    guard let accuracy = fix.horizontalAccuracy, !(accuracy <= Self.worstAccuracy) else {
      isCoarse = false
      return false
    }
    if !isCoarse { output.decisions.append(.tooCoarse(at: time, accuracy: accuracy)) }
    isCoarse = true
    return true
  }

  /// The worst usable accuracy in metres at 68 %, that of a rural cell tower. A less accurate fix gives no evidence
  /// about fences.
  private static let worstAccuracy = 5000.0

  // MARK: Tracking

  /// Returns whether no fence can be within a distance, as far as known from before.
  private func isFarFromFences(at fix: CompactFix, within reach: Double, in book: FenceRegistry) -> Bool {
    guard let quiet, quiet.serial == book.lastSerial, followers.isEmpty, memories.isEmpty else {
      return false
    }
    return Self.maximumDistance(quiet.fix, to: fix) + reach <= quiet.metres
  }

  /// Finds the fences that matter at the position of the device.
  private mutating func findFences(around fix: CompactFix, within reach: Double, in book: FenceRegistry) {
    if !followers.isEmpty, let here = followers[0].here {
      let reach =
        Self.minimumSearchRadius + Self.searchRadiusDeviations * here.deviation + followers[0].lastStep
      book.near(here.place, within: reach, into: &workspace.found)
      return
    }
    book.near(fix.coordinate, within: reach + Self.extraSearchRadius, into: &workspace.found)
    let nearest = workspace.found.reduce(reach + Self.extraSearchRadius) { min($0, $1.distance.metres) }
    workspace.found.removeAll { $0.distance.metres > reach }
    quiet =
      workspace.found.isEmpty ? FenceFreeCircle(fix: fix, metres: nearest, serial: book.lastSerial) : nil
  }

  /// The extra search radius in metres, which avoids a new search with every fix.
  private static let extraSearchRadius = 500.0

  /// The minimum radius in metres around the device within which fences matter.
  private static let minimumSearchRadius = 60.0
  /// The search radius in standard deviations,
  private static let searchRadiusDeviations = 6.0
  /// or in accuracies, while the device is not followed.
  private static let searchRadiusAccuracies = 6.0

  /// Returns the greatest possible distance between two fixes in metres, along a parallel and a meridian. Its degrees
  /// are slightly longer than the real ones. With φ in degrees, cos φ never exceeds 1 − (φ/90°)².
  private static func maximumDistance(_ one: CompactFix, to other: CompactFix) -> Double {
    let Δφ = (other.coordinate.latitude - one.coordinate.latitude).magnitude
    let Δλ = (other.coordinate.longitude - one.coordinate.longitude).magnitude
    let φ = min(one.coordinate.latitude.magnitude, other.coordinate.latitude.magnitude) / 90
    return metresPerDegree * (Δφ + min(Δλ, 360 - Δλ) * (1 - φ * φ))
  }

  /// An upper limit for a degree of latitude, and for a degree of longitude divided by the cosine.
  private static let metresPerDegree = 111_700.0

  /// The longest step between two fixes in metres; the path within a longer step is unknown.
  private static let longestStep = 2000.0

  private mutating func startFollowing(_ brief: CompactFix, within reach: Double, in book: FenceRegistry) {
    if habits.isEmpty { habits.append(ReceiverCalibration()) }
    followRecent()
    follow(brief)
    // The filtered position may be nearer to a fence than the fix.
    findFences(around: brief, within: reach, in: book)
  }

  private mutating func followRecent() {
    let fixes = recent
    fixes.forEach { follow($0) }
  }

  /// Updates the follower with a fix. Requires a calibration.
  private mutating func follow(_ fix: CompactFix) {
    let sample = checkedSample(fix)
    if followers.isEmpty {
      followers.append(PathFollower(at: sample, noise: habits[0].noise))
    } else {
      followers[0].process(sample)
    }
  }

  /// Returns a fix in the form for the filter. Requires a calibration.
  private mutating func checkedSample(_ fix: CompactFix) -> TrackSample {
    if habits[0].grid == nil { habits[0].grid = CoordinateRoundingDetector() }
    let sample = fix.sample(.fences)
    return habits[0].check.withoutImplausibleSpeed(habits[0].grid?.withRoundingError(sample) ?? sample)
  }

  private mutating func countFarFix() {
    guard !followers.isEmpty else { return }
    farFixes += 1
    if farFixes > Self.farFixLimit { stopFollowing() }
  }

  /// The number of fixes far from every fence after which the follower is removed.
  private static let farFixLimit = 8

  private mutating func stopFollowing() {
    guard !followers.isEmpty else { return }
    habits[0].noise = followers[0].noise
    followers.removeAll()
    farFixes = 0
  }

  // MARK: Fences

  /// Determines the side of fences added since the device's last fix, if that fix allows.
  ///
  /// - Parameter fix: The last fix in full.
  mutating func evaluateNewFences(_ fix: Fix, in book: FenceRegistry, into output: inout FenceTrackerOutput) {
    guard let last, !isTimeNew, last.time == fix.time, seenSerial < book.lastSerial, !hasSuspectedOutlier
    else {
      return
    }
    let reach = searchRadius(of: last, step: 0)
    if followers.isEmpty {
      if habits.isEmpty { habits.append(ReceiverCalibration()) }
      followRecent()
    }
    findFences(around: last, within: reach, in: book)
    let known = seenSerial
    updateMemories(before: last, in: book)
    seenSerial = book.lastSerial
    guard let here = followers.first?.here, !memories.isEmpty else { return countFarFix() }
    storeLastFix(fix)
    // A person who puts a fence at the device's place knows that the device is there.
    believed = 2
    let travelled = followers[0].movement.travelled, step = followers[0].lastStep
    workspace.path.removeAll(keepingCapacity: true)
    for index in memories.indices where memories[index].serial > known {
      let key = memories[index].key
      let look = SideEvidence.EvaluationContext(rule: book.rule(key), travelled: travelled, step: step)
      let distance = book.index.signedDistance(key, to: here.place).metres
      evaluate(index, here, distance, look, fix, in: book, into: &output)
    }
  }

  /// Replaces the keys of fences by those of another registry with the same areas. States of missing fences are
  /// dropped.
  mutating func remapKeys(to book: FenceRegistry) {
    guard memories.contains(where: { book.serial($0.key) != $0.serial }) else { return }
    memories = memories.compactMap { memory in
      if book.serial(memory.key) == memory.serial { return memory }
      return book.key(ofSerial: memory.serial).map {
        FenceMemory(
          key: $0, serial: memory.serial, evidence: memory.evidence, notification: memory.notification)
      }
    }
    memories.sort { $0.key < $1.key }
  }

  /// Adds states for the fences found that have none. States of other fences stay until they are removable.
  private mutating func updateMemories(before lastSeen: CompactFix?, in book: FenceRegistry) {
    var index = 0
    for nearby in workspace.found {
      while index < memories.count, memories[index].key < nearby.key { index += 1 }
      if index < memories.count, memories[index].key == nearby.key { continue }
      memories.insert(memory(of: nearby, book.serial(nearby.key), before: lastSeen, in: book), at: index)
    }
  }

  /// Stores a fix that a later event may need.
  private mutating func storeLastFix(_ fix: Fix) {
    if memories.isEmpty {
      lastFixes.removeAll()
    } else if lastFixes.isEmpty {
      lastFixes.append(fix)
    } else {
      lastFixes[0] = fix
    }
  }

  /// Returns the state of a fence. An older fence without state was far away.
  private func memory(
    of nearby: AreaIndex.Nearby, _ serial: UInt64, before lastSeen: CompactFix?, in book: FenceRegistry
  ) -> FenceMemory {
    let wasThere = serial <= seenSerial
    var before: SideEvidence.Observation?
    if wasThere, let lastSeen {
      let distance = book.index.signedDistance(nearby.key, to: lastSeen.coordinate).metres
      before = SideEvidence.Observation(
        time: lastSeen.time, distance: max(0, distance), deviation: lastSeen.deviation,
        travelled: followers.first?.travelledBefore ?? 0)
    }
    let side: FenceSide = wasThere ? .outside : .unknown
    var evidence = SideEvidence(side: side, before: before)
    if wasThere, isAfterBreak { evidence.markUnobserved() }
    return FenceMemory(
      key: nearby.key, serial: serial, evidence: evidence, notification: FenceNotificationState(side: side))
  }

  private mutating func evaluate(
    _ here: PathPoint, _ fix: Fix, in book: FenceRegistry, into output: inout FenceTrackerOutput
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
      let look = SideEvidence.EvaluationContext(rule: book.rule(key), travelled: travelled, step: step)
      evaluate(index, here, distance.metres, look, fix, in: book, into: &output)
    }
    cursor = 0
    memories.removeAll { memory in
      while cursor < workspace.found.count, workspace.found[cursor].key < memory.key { cursor += 1 }
      let isFound = cursor < workspace.found.count && workspace.found[cursor].key == memory.key
      return !isFound && memory.isRemovable
    }
  }

  private mutating func evaluate(
    _ index: Int, _ here: PathPoint, _ distance: Double, _ look: SideEvidence.EvaluationContext, _ fix: Fix,
    in book: FenceRegistry, into output: inout FenceTrackerOutput
  ) {
    let key = memories[index].key
    let rule = look.rule
    guard rule.expiry.map({ here.time < $0 }) ?? true else { return }
    if !memories[index].evidence.needsPath(to: distance, deviation: here.deviation, look) {
      memories[index].evidence.confirmSide(at: here, distance: distance, look)
      guard !memories[index].notification.isIdle, let entry = book.entries[Int(key)] else { return }
      let now = FenceNotificationState.Context(here.time, entry.fence, rule, fix)
      memories[index].notification.advance(now: now, into: &output)
      return
    }
    if workspace.path.isEmpty { followers[0].appendPath(since: nil, to: &workspace.path) }
    guard let entry = book.entries[Int(key)] else { return }
    let now = FenceNotificationState.Context(here.time, entry.fence, rule, fix)
    var memory = memories[index]
    var notification = memory.notification
    let outcomes = memory.evidence.processPath(workspace.path, look) {
      book.index.signedDistance(key, to: $0).metres
    }
    for outcome in outcomes { Self.apply(outcome, now, &notification, into: &output) }
    notification.advance(now: now, into: &output)
    memory.notification = notification
    memories[index] = memory
  }

  private static func apply(
    _ outcome: SideEvidence.Outcome, _ now: FenceNotificationState.Context,
    _ notification: inout FenceNotificationState,
    into output: inout FenceTrackerOutput
  ) {
    let id = now.fence.id
    switch outcome {
    case .crossed(let crossing): notification.process(crossing, now: now, into: &output)
    case .determined(let side, let point, let weight):
      output.decisions.append(.determined(id, side, FenceEvidence(weight)))
      let initial = Crossing(
        kind: side == .inside ? .enter : .exit, manner: .initial, time: point.time, uncertainty: 0,
        lastBefore: nil, firstAfter: point.time, place: point.place, confidence: weight.probability)
      notification.setInitialSide(side, initial, now: now, into: &output)
    case .suspected(let weight):
      output.decisions.append(.suspected(id, notification.nextKind, FenceEvidence(weight)))
    case .dismissed(let weight, let since):
      output.decisions.append(.dismissed(id, notification.nextKind, FenceEvidence(weight), since: since))
    case .atRest(let weight):
      output.decisions.append(.atRest(id, notification.nextKind, FenceEvidence(weight)))
    }
  }

  // MARK: Time

  /// Reports events that are due by a time without a fix.
  mutating func advance(to time: UTCTime, in book: FenceRegistry, into output: inout FenceTrackerOutput) {
    guard let last = lastFixes.first else { return }
    for index in memories.indices {
      guard let entry = self.entry(of: memories[index], in: book), !memories[index].notification.isIdle
      else { continue }
      let now = FenceNotificationState.Context(time, entry.fence, book.rule(memories[index].key), last)
      memories[index].notification.advance(now: now, into: &output)
    }
  }

  /// Returns the time at which something is due without a fix; `nil` if nothing is due.
  func nextDeadline(in book: FenceRegistry) -> UTCTime? {
    var next: UTCTime?
    for memory in memories where !memory.notification.isIdle {
      guard let entry = entry(of: memory, in: book),
        let time = memory.notification.nextDeadline(book.rule(memory.key), entry.fence.terms.activeHours)
      else { continue }
      next = min(next ?? time, time)
    }
    return next
  }

  private func entry(of memory: FenceMemory, in book: FenceRegistry) -> FenceRegistry.Entry? {
    guard book.entries.indices.contains(Int(memory.key)), let entry = book.entries[Int(memory.key)],
      entry.serial == memory.serial
    else { return nil }
    return entry
  }

  // MARK: Queries

  /// Returns the state towards a fence.
  func state(of key: UInt32, in book: FenceRegistry) -> FenceState {
    guard let entry = book.entries[Int(key)] else { return FenceState(side: .unknown) }
    if let memory = memories.first(where: { $0.key == key && $0.serial == entry.serial }) {
      return FenceState(
        side: memory.notification.confirmed, since: memory.notification.confirmedSince,
        probabilityInside: memory.evidence.probabilityInside)
    }
    return FenceState(side: last != nil && entry.serial <= seenSerial ? .outside : .unknown)
  }

  /// Returns the fences that the device is in. Only near fences have a state, so the others are not visited.
  func containingFences(in book: FenceRegistry) -> [Fence] {
    memories.compactMap { memory in
      memory.notification.confirmed == .inside ? entry(of: memory, in: book)?.fence : nil
    }
  }

  /// Returns the last position of the device with one standard deviation in metres. The result also tells whether a
  /// decision needs more fixes.
  func lastPosition(in book: FenceRegistry) -> (
    place: Coordinate, deviation: Double, time: UTCTime, isPending: Bool
  )? {
    guard let last else { return nil }
    let isPending =
      hasSuspectedOutlier || believed == 1 && !memories.isEmpty || seenSerial < book.lastSerial
      || memories.contains { !$0.evidence.isSettled || $0.notification.isWaiting }
    if let here = followers.first?.here { return (here.place, here.deviation, last.time, isPending) }
    return (last.coordinate, last.deviation, last.time, isPending)
  }
}

extension FenceEvidence {
  init(_ weight: SideEvidence.PointEvidence) {
    self.init(
      time: weight.time, probability: weight.probability, needed: weight.needed, distance: weight.distance,
      deviation: weight.deviation)
  }
}

/// The output of a fence tracker for one fix or moment.
struct FenceTrackerOutput {
  /// The events, in no order among different fences; their ids are not assigned yet.
  var events: [FenceEvent] = []
  /// The decisions, in order.
  var decisions: [FenceDecision] = []
}

/// The calibration of a receiver, reused the next time a fence is near.
struct ReceiverCalibration: Hashable, Sendable, Codable {
  var check = StatedSpeedFilter(model: .fences)
  /// The detector of coordinate rounding. Optional for older stored states.
  var grid: CoordinateRoundingDetector?
  var noise: UncorrelatedNoiseEstimator?
}
