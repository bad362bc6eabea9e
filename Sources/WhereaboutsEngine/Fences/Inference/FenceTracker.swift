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
  var seenSerial: UInt64 = 0
  var last: CompactFix?
  /// The last fix, if an event may still need it: one while there are memories.
  var lastFixes: [Fix] = []
  /// A circle without fences that was found recently.
  private var quiet: FenceFreeCircle?
  /// The number of consecutive fixes without a near fence.
  private var farFixes = 0
  /// Whether a gap without observations precedes the next fix.
  var isAfterBreak = false
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
  /// The times since which the device is outside of fences without a state; `nil` for none.
  var sideChanges: SideChanges?
  /// The wait of the stays for the next fix; `nil` while they go on by the time alone.
  var stayWait: StayWait?
  /// The movement of the device at the fix before the last gap.
  private(set) var movementBeforeGap: SideEvidence.MovementBefore?
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
  @inline(__always)  // A call with each fix would copy the whole tracker.
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
    if isTimeNew { restartTimeline(at: time) }
    let brief = checkedVelocity(of: CompactFix(fix, at: time))
    forgetRemovedFences(in: registry)
    guard accepts(brief, fix, in: registry, into: &output), processAccepted(brief, in: registry),
      let here = followers[0].here
    else { return }
    storeLastFix(fix)
    evaluate(here, fix, decided: time, in: registry, into: &output)
  }

  /// Drops the states of removed fences; a decoded tracker does not know the fences either. Another fence may have the
  /// key of a removed one.
  mutating func forgetRemovedFences(in registry: FenceRegistry) {
    if !memories.isEmpty { memories.removeAll { registry.serial($0.key) != $0.serial } }
  }

  /// Processes an accepted fix, and updates the states of the fences near it.
  ///
  /// - Returns: whether any fence is near or unfinished, so that there is something to evaluate.
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
  /// - Parameter restartsTimeline: whether later fixes belong to another timeline.
  mutating func endSegment(restartsTimeline: Bool) {
    endSegment()
    isTimeNew = restartsTimeline && last != nil
  }

  /// Resets all stored times for a new timeline.
  private mutating func restartTimeline(at time: UTCTime) {
    resting = nil
    doubted?.removeAll()
    sideChanges = nil
    for index in memories.indices {
      memories[index].evidence.restartTimeline()
      memories[index].notification.restartTimeline(at: time)
    }
  }

  /// The movement at the last fix. Other than for outliers, no rest before the first fix is assumed.
  private var currentMovement: SideEvidence.MovementBefore {
    if let resting, resting.last == last?.time, resting.observedRestDuration >= OutlierModel.assumedRest {
      return .atRest
    }
    return recent.count > 1 ? .followed : .unknown
  }

  mutating func endSegment() {
    guard last != nil else { return }
    // The source may have ended the segment before the gap.
    if !isAfterBreak { movementBeforeGap = currentMovement }
    stopFollowing()
    recent.removeAll()
    if !habits.isEmpty { habits[0].endSegment() }
    isAfterBreak = true
    for index in memories.indices {
      memories[index].evidence.markUnobserved(after: movementBeforeGap ?? .followed)
    }
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
  @inline(__always)  // A call with each fix would copy the whole tracker.
  func isFarFromFences(at fix: CompactFix, within reach: Double, in registry: FenceRegistry) -> Bool {
    guard let quiet, quiet.serial == registry.lastSerial, followers.isEmpty, memories.isEmpty else {
      return false
    }
    return Self.maximumDistance(quiet.fix, to: fix) + reach <= quiet.metres
  }

  /// Finds the fences that matter at the position of the device.
  mutating func findFences(around fix: CompactFix, within reach: Double, in registry: FenceRegistry) {
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
    calibrate(with: brief)
    followRecent()
    follow(brief)
    // The filtered position may be nearer to a fence than the fix.
    findFences(around: brief, within: reach, in: registry)
  }

  /// Calibrates the receiver by the fixes from before a fence was near, and by the one after them.
  mutating func calibrate(with fix: CompactFix? = nil) {
    if habits.isEmpty { habits.append(ReceiverCalibration()) }
    let fixes = recent
    fixes.forEach { habits[0].checkVelocity(of: $0) }
    if let fix { habits[0].checkVelocity(of: fix) }
  }

  /// Compares the stated velocity of a new fix with its place while a fence is near.
  ///
  /// - Returns: the fix, without its velocity while the places contradict the stated ones.
  private mutating func checkedVelocity(of fix: CompactFix) -> CompactFix {
    guard !habits.isEmpty else { return fix }
    if let follower = followers.first {
      habits[0].checkVelocity(of: fix, varianceFactor: follower.varianceFactor)
    }
    return habits[0].withoutContradictedVelocity(fix)
  }

  mutating func followRecent() {
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
    let sample = habits[0].withoutContradictedVelocity(fix).sample(.fences)
    let factor = followers.first?.varianceFactor ?? habits[0].noise?.varianceFactor ?? 1
    return habits[0].check.withoutImplausibleMotion(
      habits[0].grid?.withRoundingError(sample) ?? sample, varianceFactor: factor)
  }

  mutating func countFarFix() {
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
}
