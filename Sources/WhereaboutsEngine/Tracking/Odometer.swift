public import WhereaboutsModel
import WhereaboutsGeodesy

/// An odometer: measures the distance travelled, from fixes that are noisy, late, doubled or missing.
///
/// Fixes may arrive in any order within `OdometerSettings/lateness`, and doubled fixes do not change the result.
/// Distance is settled with a delay, when later fixes have added information: half a minute and ten fixes behind the
/// newest, or up to twice that. Settled distance never changes and never decreases; ``provisionalDistance`` is reported
/// separately.
///
/// Rest adds no distance, however long it lasts. The errors of the fixes alone add no distance. Two fixes alone add no
/// distance, because the first may be stale. Stated speeds that the places contradict are not used, such as knots for
/// metres per second, or zero for unknown.
///
/// - Complexity: O(1) a fix, some 10,000 instructions, and no allocation once warm. The memory follows the fixes of the last
///   minute: some 10 KB at a fix in ten seconds, 110 KB at one a second.
/// - Resumption: the JSON form is all that must survive a process. A decoded odometer resumes without loss, except for
///   the motion, which is known again after some seconds.
public struct Odometer: Sendable, Hashable, Codable {
  /// The settings of the odometer.
  public let settings: OdometerSettings
  /// The settled totals.
  public private(set) var totals = TrackTotals()
  /// The time up to which the track is settled; `nil` before anything is.
  public private(set) var settledTo: UTCTime?
  /// The number of fixes that could not be ordered: without a time, or later than the bound.
  public private(set) var lateFixes = 0
  /// The number of fixes dropped because an earlier fix has the same time.
  public private(set) var duplicates = 0

  private let model: MotionModel
  private var order: FixReorderBuffer
  private var estimator: FixedLagSmoother
  private var settledBuffer = SettledBuffer()
  private var pointMotion = PointMotion()
  private var climb = AscentMeter()
  /// The variance of the distance in bridged gaps, in m².
  private var bridgedVariance = 0.0
  private var late: LateFixes?

  /// The last late fix, and the number of late fixes in a row, each later than the one before.
  private struct LateFixes: Sendable, Hashable, Codable {
    var time: UTCTime
    var count: Int
  }

  private enum CodingKeys: String, CodingKey {
    case settings, totals, settledTo, lateFixes, duplicates, model, order, estimator, climb, bridgedVariance,
      late
  }

  /// Creates an odometer at zero.
  ///
  /// - Parameters:
  ///   - settings: the settings of the odometer.
  ///   - activity: the way in which the device is carried. The activity determines the greatest speed, the changes of
  ///     speed, the likely distance in gaps, and the motion in doubt.
  public init(_ settings: OdometerSettings = OdometerSettings(), activity: Activity = .other) {
    self.init(settings, model: MotionModel(activity))
  }

  /// Creates an odometer with other model assumptions than the usual ones, to measure the effect of each.
  package init(_ settings: OdometerSettings, model: MotionModel) {
    let settings = settings.validated
    self.settings = settings
    self.model = model
    order = FixReorderBuffer(lateness: settings.lateness)
    estimator = FixedLagSmoother(model: model, gap: settings.gap.inSeconds)
  }

  /// Continues the settled totals of a trip. Nothing counts up to the next fix.
  mutating func resume(_ trip: Trip) {
    totals = trip.totals
    settledTo = trip.settledTo
    lateFixes = trip.lateFixes
    duplicates = trip.duplicates
    climb = AscentMeter(ascent: trip.totals.ascent ?? 0, descent: trip.totals.descent ?? 0)
    // The errors of the way before do not depend on those of the way to come, as with a bridged gap.
    bridgedVariance = trip.totals.uncertainty * trip.totals.uncertainty
  }

  /// Whether decoded state is consistent and can be resumed.
  var isConsistent: Bool { estimator.isConsistent }

  /// The provisional distance since ``settledTo``, in metres.
  @inline(__always)  // A call with each update of a tracker would copy the whole odometer.
  public var provisionalDistance: Double {
    guard let newest = estimator.newest else { return 0 }
    guard let held = order.last, let time = held.time, newest.liveStride > 0 else {
      return estimator.provisionalDistance
    }
    // Held fixes may yet be preceded by others; the last speed continues until then.
    let wait = max(0, time.seconds(since: newest.sample.time))
    let speed = newest.filtered.velocity.length
    var ahead = speed * wait
    let isGap = wait > estimator.gap + settings.lateness.inSeconds
    let isForgotten = TrackStride.forgets(
      speed, held.speed ?? speed, after: wait,
      areStated: held.speed != nil && newest.sample.speed != nil, model)
    if isGap || isForgotten {
      // The device may have rested since: the straight line counts until the held fix is processed.
      let line = TrackSample(held, model: model).map { ($0.place - newest.sample.place).length } ?? 0
      ahead = isGap && settings.bridging == .none ? 0 : min(ahead, line)
    }
    return estimator.provisionalDistance + ahead
  }

  /// Processes a fix.
  ///
  /// - Parameters:
  ///   - fix: the fix.
  ///   - settled: called with each point that the fix settles, the earliest first.
  public mutating func process(_ fix: Fix, settled: (TrackPoint) -> Void) {
    processWithErrors(fix) { point, _ in settled(point) }
  }

  /// Processes a fix. The body also gets the errors of each point's distance, without those of bridged gaps.
  ///
  /// - Parameter findsMotion: whether to find the motion of each point, which costs a tenth of a fix; otherwise the
  ///   motion is unknown.
  mutating func processWithErrors(
    _ fix: Fix, findsMotion: Bool = true, settled: (TrackPoint, DistanceErrorSums) -> Void
  ) {
    guard let time = fix.time else {
      lateFixes += 1
      return
    }
    switch order.insert(fix, at: time) {
    case .accepted: late = nil
    case .duplicate: duplicates += 1
    case .late: processLate(fix, at: time, settled: settled)
    }
    while let next = order.next() { estimate(next, findsMotion: findsMotion, settled: settled) }
  }

  /// Ends the segment: settles the whole track, and counts nothing up to the next fix.
  public mutating func endSegment(settled: (TrackPoint) -> Void) {
    endSegmentWithErrors { point, _ in settled(point) }
  }

  /// Ends the segment. The body also gets the errors of each point's distance, without those of bridged gaps.
  mutating func endSegmentWithErrors(settled: (TrackPoint, DistanceErrorSums) -> Void) {
    while let next = order.flushNext() { estimate(next, findsMotion: true, settled: settled) }
    order.resetTimeline()
    late = nil
    estimator.endSegment(into: &settledBuffer.fixes)
    emitSettled(findsMotion: true, settled)
    _ = pointMotion.classifier.reset()
  }

  /// Processes a late fix. A single late fix is left out. Three late fixes in a row that agree are another timeline: a
  /// corrected clock, or a recording that starts over.
  private mutating func processLate(
    _ fix: Fix, at time: UTCTime, settled: (TrackPoint, DistanceErrorSums) -> Void
  ) {
    let count = if let late, time > late.time { late.count + 1 } else { 1 }
    late = LateFixes(time: time, count: count)
    guard count == ValidityGate.restartAfter else {
      lateFixes += 1
      return
    }
    endSegmentWithErrors(settled: settled)
    _ = order.insert(fix, at: time)
  }

  private mutating func estimate(
    _ fix: Fix, findsMotion: Bool, settled: (TrackPoint, DistanceErrorSums) -> Void
  ) {
    guard let sample = TrackSample(fix, model: model) else { return }
    estimator.process(sample, into: &settledBuffer.fixes)
    emitSettled(findsMotion: findsMotion, settled)
  }

  private mutating func emitSettled(
    findsMotion: Bool, _ settled: (TrackPoint, DistanceErrorSums) -> Void
  ) {
    for fix in settledBuffer.fixes {
      if let point = settle(fix, findsMotion: findsMotion) { settled(point, fix.errors) }
    }
    settledBuffer.fixes.removeAll(keepingCapacity: true)
  }

  // MARK: Settled totals

  private mutating func settle(_ fix: SettledFix, findsMotion: Bool) -> TrackPoint? {
    let link = add(fix)
    totals.uncertainty = (estimator.uncertainty.variance + bridgedVariance).squareRoot()
    settledTo = fix.time
    guard let coordinate = EarthCentred.coordinate(of: fix.place) else { return nil }
    return TrackPoint(
      time: fix.time, coordinate: coordinate, distance: totals.distance, uncertainty: totals.uncertainty,
      speed: fix.speed, height: fix.height,
      motion: findsMotion ? motion(of: fix, at: coordinate) : .unknown, link: link)
  }

  private mutating func add(_ fix: SettledFix) -> TrackPoint.Link {
    addHeight(fix)
    totals.fastest = max(totals.fastest, fix.speed)
    totals.elapsed += fix.duration
    totals.distance += fix.stride
    totals.moving += fix.moving
    switch fix.link {
    case .follows: return .follows
    case .begins:
      totals.segments += 1
      return .begins
    case .bridges(let bridge): return .bridges(add(bridge))
    }
  }

  private mutating func addHeight(_ fix: SettledFix) {
    if case .begins = fix.link { climb.endSegment() }
    guard let height = fix.height else { return }
    climb.process(height: height, accuracy: fix.heightAccuracy, isResting: !fix.isMoving)
    totals.ascent = climb.ascent
    totals.descent = climb.descent
  }

  private mutating func add(_ bridge: GapBridge) -> TrackPoint.Gap {
    let (counted, deviation) =
      switch settings.bridging {
      case .estimated: (bridge.estimate, bridge.deviation)
      // The excess over the geodesic is unknown; the estimated excess is likely.
      case .geodesic: (bridge.geodesic, max(bridge.deviation, (bridge.estimate - bridge.geodesic).magnitude))
      case .none: (0, 0)
      }
    totals.gaps += 1
    totals.elapsed += bridge.duration
    totals.distance += counted
    totals.bridged += counted
    bridgedVariance += deviation * deviation
    return TrackPoint.Gap(
      duration: bridge.duration, geodesic: bridge.geodesic, counted: counted, uncertainty: deviation)
  }

  private mutating func motion(of settled: SettledFix, at coordinate: Coordinate) -> Motion {
    var fix = Fix(coordinate: coordinate, time: settled.time, source: .scripted)
    fix.speed = settled.speed
    _ = pointMotion.classifier.process(fix, activity: model.activity)
    let motion = pointMotion.classifier.motion
    // A slow walk is too slow for the classifier; as its distance counts, the device moves.
    return motion == .still && settled.isMoving ? .moving : motion
  }
}

/// A buffer for points settled by one fix: kept for its memory, and empty between fixes.
private struct SettledBuffer: Sendable, Hashable {
  var fixes: [SettledFix] = []

  static func == (left: Self, right: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

/// The motion along the track: an annotation of points on which nothing else depends.
private struct PointMotion: Sendable, Hashable {
  var classifier = MotionClassifier()

  static func == (left: Self, right: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
