import WhereaboutsModel
import WhereaboutsGeodesy

/// Tracks one device past the fences of a registry, by fixes in order of time.
///
/// Far from every fence a fix costs one index query. Near a fence, a follower starts from the last dozen
/// fixes. Evidence for the device's side of the fence then accumulates until the side is certain.
struct FenceTracker: Hashable, Sendable, Codable {
  let gap: Duration
  var recent = RecentFixes()
  /// The follower: one while a fence is near, otherwise none. Most devices are far from every fence, and a follower
  /// is large.
  var followers: [PathFollower] = []
  /// The calibration of the receiver, from the first near fence on.
  var habits: [ReceiverCalibration] = []
  /// The states of near fences, by ascending key.
  var memories: [FenceMemory] = []
  /// The serial of the last fence that existed at the last evaluation.
  private var seenSerial: UInt64 = 0
  var last: CompactFix?
  /// The last fix, if an event may still need it: one while there are memories.
  private var lastFixes: [Fix] = []
  /// A circle without fences that was found recently.
  private var quiet: FenceFreeCircle?
  /// The number of consecutive fixes without a near fence.
  private var farFixes = 0
  /// Whether a gap without observations precedes the next fix.
  private var isAfterBreak = false
  /// Whether the next fix belongs to a new timeline.
  var isTimeNew = false
  private var isCoarse = false
  /// The device's resting place, as of the last evaluated fix near a fence. Optional, as are the next properties, for
  /// older stored states.
  var resting: RestingPlace?
  /// The fixes that are probably outliers and wait for the next fix.
  var doubted: OutlierCandidates?
  /// The number of accepted fixes, up to two; `nil` before the first.
  var believed: Int?
  var workspace = Workspace()

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
  struct Workspace: Hashable, Sendable, Codable {
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
    _ fix: Fix, at time: UTCTime, in registry: FenceRegistry, into output: inout FenceTrackerOutput
  ) {
    guard !isTooCoarse(fix, at: time, into: &output) else { return }
    if isTimeNew { restartTimeline(at: time, in: registry) }
    let brief = CompactFix(fix, at: time)
    forgetRemovedFences(in: registry)
    guard accepts(brief, in: registry, into: &output), processAccepted(brief, in: registry),
      let here = followers[0].here
    else { return }
    storeLastFix(fix)
    evaluate(here, fix, in: registry, into: &output)
  }

  /// Drops the states of removed fences; a decoded tracker does not know the fences either. Another fence may have the
  /// key of a removed one.
  private mutating func forgetRemovedFences(in registry: FenceRegistry) {
    if !memories.isEmpty { memories.removeAll { registry.serial($0.key) != $0.serial } }
  }

  /// Processes an accepted fix, and updates the states of the fences near it.
  ///
  /// - Returns: Whether any fence is near or unfinished, so that there is something to evaluate.
  mutating func processAccepted(
    _ brief: CompactFix, in registry: FenceRegistry, isLearned: Bool = false, manoeuvre: Double = 0
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
      seenSerial = registry.lastSerial
      isAfterBreak = false
    }
    let reach = searchRadius(of: brief, step: step)
    if isFarFromFences(at: brief, within: reach, in: registry) { return false }
    updateRestingPlace(at: brief, before: before)
    if !followers.isEmpty {
      followers[0].process(checkedSample(brief), isLearned: isLearned, manoeuvre: manoeuvre)
    }
    findFences(around: brief, within: reach, in: registry)
    guard !workspace.found.isEmpty || !memories.isEmpty else {
      countFarFix()
      return false
    }
    farFixes = 0
    if followers.isEmpty { startFollowing(brief, within: reach, in: registry) }
    guard followers[0].here != nil else {
      stopFollowing()
      return false
    }
    updateMemories(before: before, in: registry)
    return true
  }

  /// Returns the radius in metres around a fix within which fences matter.
  func searchRadius(of fix: CompactFix, step: Double) -> Double {
    Self.minimumSearchRadius + Self.searchRadiusAccuracies * fix.effectiveAccuracy + step
  }

  /// Ends a segment: the next fix does not continue the previous one.
  ///
  /// - Parameter restartsTimeline: Whether later fixes belong to another timeline.
  mutating func endSegment(restartsTimeline: Bool) {
    endSegment()
    isTimeNew = restartsTimeline && last != nil
  }

  /// Resets all stored times for a new timeline.
  private mutating func restartTimeline(at time: UTCTime, in registry: FenceRegistry) {
    resting = nil
    doubted?.removeAll()
    for index in memories.indices {
      memories[index].evidence.restartTimeline()
      guard entry(of: memories[index], in: registry) != nil else { continue }
      memories[index].notification.restartTimeline(at: time, registry.rule(memories[index].key))
    }
  }

  mutating func endSegment() {
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
  func isFarFromFences(at fix: CompactFix, within reach: Double, in registry: FenceRegistry) -> Bool {
    guard let quiet, quiet.serial == registry.lastSerial, followers.isEmpty, memories.isEmpty else {
      return false
    }
    return Self.maximumDistance(quiet.fix, to: fix) + reach <= quiet.metres
  }

  /// Finds the fences that matter at the position of the device.
  private mutating func findFences(around fix: CompactFix, within reach: Double, in registry: FenceRegistry) {
    if !followers.isEmpty, let here = followers[0].here {
      let reach =
        Self.minimumSearchRadius + Self.searchRadiusDeviations * here.deviation + followers[0].lastStep
      registry.near(here.place, within: reach, into: &workspace.found)
      return
    }
    registry.near(fix.coordinate, within: reach + Self.extraSearchRadius, into: &workspace.found)
    let nearest = workspace.found.reduce(reach + Self.extraSearchRadius) { min($0, $1.distance.metres) }
    workspace.found.removeAll { $0.distance.metres > reach }
    quiet =
      workspace.found.isEmpty ? FenceFreeCircle(fix: fix, metres: nearest, serial: registry.lastSerial) : nil
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
  static func maximumDistance(_ one: CompactFix, to other: CompactFix) -> Double {
    let Δφ = (other.coordinate.latitude - one.coordinate.latitude).magnitude
    let Δλ = (other.coordinate.longitude - one.coordinate.longitude).magnitude
    let φ = min(one.coordinate.latitude.magnitude, other.coordinate.latitude.magnitude) / 90
    return metresPerDegree * (Δφ + min(Δλ, 360 - Δλ) * (1 - φ * φ))
  }

  /// An upper limit for a degree of latitude, and for a degree of longitude divided by the cosine.
  private static let metresPerDegree = 111_700.0

  /// The longest step between two fixes in metres; the path within a longer step is unknown.
  static let longestStep = 2000.0

  private mutating func startFollowing(_ brief: CompactFix, within reach: Double, in registry: FenceRegistry)
  {
    if habits.isEmpty { habits.append(ReceiverCalibration()) }
    followRecent()
    follow(brief)
    // The filtered position may be nearer to a fence than the fix.
    findFences(around: brief, within: reach, in: registry)
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
  mutating func evaluateNewFences(
    _ fix: Fix, in registry: FenceRegistry, into output: inout FenceTrackerOutput
  ) {
    guard let last, !isTimeNew, last.time == fix.time, seenSerial < registry.lastSerial, !hasSuspectedOutlier
    else {
      return
    }
    forgetRemovedFences(in: registry)
    let reach = searchRadius(of: last, step: 0)
    if followers.isEmpty {
      if habits.isEmpty { habits.append(ReceiverCalibration()) }
      followRecent()
    }
    findFences(around: last, within: reach, in: registry)
    let known = seenSerial
    updateMemories(before: last, in: registry)
    seenSerial = registry.lastSerial
    guard let here = followers.first?.here, !memories.isEmpty else { return countFarFix() }
    storeLastFix(fix)
    confirmPlace()
    let travelled = followers[0].movement.travelled, step = followers[0].lastStep
    workspace.path.removeAll(keepingCapacity: true)
    for index in memories.indices where memories[index].serial > known {
      let key = memories[index].key
      let look = SideEvidence.EvaluationContext(rule: registry.rule(key), travelled: travelled, step: step)
      let distance = registry.index.signedDistance(key, to: here.place).metres
      evaluate(index, here, distance, look, fix, in: registry, into: &output)
    }
  }

  /// Confirms the place of the last fix, if fences are near it.
  mutating func confirmPlace() {
    // A person who puts a fence at the device's place knows that the device is there.
    if !memories.isEmpty, !hasSuspectedOutlier { believed = 2 }
  }

  /// Replaces the keys of fences by those of another registry with the same areas. States of missing fences are
  /// dropped.
  mutating func remapKeys(to registry: FenceRegistry) {
    guard memories.contains(where: { registry.serial($0.key) != $0.serial }) else { return }
    memories = memories.compactMap { memory in
      if registry.serial(memory.key) == memory.serial { return memory }
      return registry.key(ofSerial: memory.serial).map {
        FenceMemory(
          key: $0, serial: memory.serial, evidence: memory.evidence, notification: memory.notification)
      }
    }
    memories.sort { $0.key < $1.key }
  }

  /// Adds states for the fences found that have none. States of other fences stay until they are removable.
  private mutating func updateMemories(before lastSeen: CompactFix?, in registry: FenceRegistry) {
    var index = 0
    for nearby in workspace.found {
      while index < memories.count, memories[index].key < nearby.key { index += 1 }
      if index < memories.count, memories[index].key == nearby.key { continue }
      memories.insert(
        memory(of: nearby, registry.serial(nearby.key), before: lastSeen, in: registry), at: index)
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
    of nearby: AreaIndex.Nearby, _ serial: UInt64, before lastSeen: CompactFix?, in registry: FenceRegistry
  ) -> FenceMemory {
    let wasThere = serial <= seenSerial
    var before: SideEvidence.Observation?
    if wasThere, let lastSeen {
      let distance = registry.index.signedDistance(nearby.key, to: lastSeen.coordinate).metres
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
    _ here: PathPoint, _ fix: Fix, in registry: FenceRegistry, into output: inout FenceTrackerOutput
  ) {
    let travelled = followers[0].movement.travelled, step = followers[0].lastStep
    workspace.path.removeAll(keepingCapacity: true)
    var cursor = 0
    for index in memories.indices {
      let key = memories[index].key
      while cursor < workspace.found.count, workspace.found[cursor].key < key { cursor += 1 }
      let isFound = cursor < workspace.found.count && workspace.found[cursor].key == key
      let distance =
        isFound ? workspace.found[cursor].distance : registry.index.signedDistance(key, to: here.place)
      let look = SideEvidence.EvaluationContext(rule: registry.rule(key), travelled: travelled, step: step)
      evaluate(index, here, distance.metres, look, fix, in: registry, into: &output)
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
    in registry: FenceRegistry, into output: inout FenceTrackerOutput
  ) {
    let key = memories[index].key
    let rule = look.rule
    guard rule.expiry.map({ here.time < $0 }) ?? true else { return }
    if !memories[index].evidence.needsPath(to: distance, deviation: here.deviation, look) {
      memories[index].evidence.confirmSide(at: here, distance: distance, look)
      guard !memories[index].notification.isIdle, let entry = registry.entries[Int(key)] else { return }
      let now = FenceNotificationState.Context(here.time, entry.fence, rule, fix)
      memories[index].notification.advance(now: now, into: &output)
      return
    }
    if workspace.path.isEmpty { followers[0].appendPath(since: nil, to: &workspace.path) }
    guard let entry = registry.entries[Int(key)] else { return }
    let now = FenceNotificationState.Context(here.time, entry.fence, rule, fix)
    var memory = memories[index]
    var notification = memory.notification
    let outcomes = memory.evidence.processPath(workspace.path, look) {
      registry.index.signedDistance(key, to: $0).metres
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
  ///
  /// - Parameter delay: the time by which stays are due later.
  mutating func advance(
    to time: UTCTime, delay: Duration, in registry: FenceRegistry, into output: inout FenceTrackerOutput
  ) {
    guard let last = lastFixes.first else { return }
    for index in memories.indices {
      guard let entry = self.entry(of: memories[index], in: registry), !memories[index].notification.isIdle
      else { continue }
      var now = FenceNotificationState.Context(time, entry.fence, registry.rule(memories[index].key), last)
      now.known = time.advanced(by: .zero - delay)
      memories[index].notification.advance(now: now, into: &output)
    }
  }

  /// Returns the time at which something is due without a fix; `nil` if nothing is due.
  ///
  /// - Parameter delay: the time by which stays are due later.
  func nextDeadline(delay: Duration, in registry: FenceRegistry) -> UTCTime? {
    var next: UTCTime?
    for memory in memories where !memory.notification.isIdle {
      guard let entry = entry(of: memory, in: registry),
        let time = memory.notification.nextDeadline(
          registry.rule(memory.key), entry.fence.terms.activeHours, delay: delay)
      else { continue }
      next = min(next ?? time, time)
    }
    return next
  }

  private func entry(of memory: FenceMemory, in registry: FenceRegistry) -> FenceRegistry.Entry? {
    guard registry.entries.indices.contains(Int(memory.key)), let entry = registry.entries[Int(memory.key)],
      entry.serial == memory.serial
    else { return nil }
    return entry
  }

  // MARK: Queries

  /// Returns the state towards a fence.
  func state(of key: UInt32, in registry: FenceRegistry) -> FenceState {
    guard let entry = registry.entries[Int(key)] else { return FenceState(side: .unknown) }
    if let memory = memories.first(where: { $0.key == key && $0.serial == entry.serial }) {
      return FenceState(
        side: memory.notification.confirmed, since: memory.notification.confirmedSince,
        probabilityInside: memory.evidence.probabilityInside)
    }
    return FenceState(side: last != nil && entry.serial <= seenSerial ? .outside : .unknown)
  }

  /// Returns the fences that the device is in. Only near fences have a state, so the others are not visited.
  func containingFences(in registry: FenceRegistry) -> [Fence] {
    memories.compactMap { memory in
      memory.notification.confirmed == .inside ? entry(of: memory, in: registry)?.fence : nil
    }
  }

  /// Returns the last position of the device with one standard deviation in metres. The result also tells whether a
  /// decision needs more fixes.
  func lastPosition(in registry: FenceRegistry) -> (
    place: Coordinate, deviation: Double, time: UTCTime, isPending: Bool
  )? {
    guard let last else { return nil }
    let isPending =
      hasSuspectedOutlier || believed == 1 && !memories.isEmpty || seenSerial < registry.lastSerial
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
