import WhereaboutsGeodesy

/// Measures how far the device has come, from fixes that are noisy, late, doubled or missing.
///
/// Fixes may come in any order within ``OdometerSettings/lateness``, and doubled ones do no harm: the figures are the
/// same. The way is settled a while after it was made, when later fixes have said more of it: half a minute and ten fixes
/// behind the newest, or up to twice that. Settled figures never change and never fall; ``ahead`` says how much has
/// come since, as it seems.
///
/// Rest counts for nothing however long it lasts, and nothing is counted that only the fixes did. What two fixes alone
/// say counts for nothing either: a stale fix that comes first is of another time and often of another place. Stated
/// speeds that the places contradict (knots for metres per second, zero for what is not known) are not used.
///
/// - Complexity: O(1) a fix, below a microsecond, and no allocation once warm; about 40 KB of memory.
/// - After a kill: the JSON form is all that must outlive a process. Read back it goes on as if nothing had happened, but
///   for how the device moves, which takes some seconds to be known again.
public struct Odometer: Sendable, Hashable, Codable {
  /// What it was made with.
  public let settings: OdometerSettings
  /// What is settled.
  public private(set) var totals = TrackTotals()
  /// Until when the way is settled; `nil` before anything is.
  public private(set) var settledTo: UTCTime?
  /// Fixes that could not be placed: without a time, or later than the bound.
  public private(set) var leftOut = 0
  /// Fixes that came for a time of which there was one already.
  public private(set) var doubled = 0

  private let model: MotionModel
  private var order: OrderedFixes
  private var estimator: WayEstimator
  private var fresh = Fresh()
  private var motion = MotionOfWay()
  private var climb = AscentMeter()
  private var bridgedVariance = 0.0
  private var late: LateFixes?

  /// The last fix that was late, and how many there were in a row, each later than the one before.
  private struct LateFixes: Sendable, Hashable, Codable {
    var time: UTCTime
    var count: Int
  }

  private enum CodingKeys: String, CodingKey {
    case settings, totals, settledTo, leftOut, doubled, model, order, estimator, climb, bridgedVariance, late
  }

  /// An odometer at zero.
  ///
  /// - Parameter activity: how the device is being carried: how fast it can be, how soon it changes its speed, how far it
  ///   likely came where fixes are missing, and how it moves in doubt.
  public init(_ settings: OdometerSettings = OdometerSettings(), activity: Activity = .other) {
    self.init(settings, model: MotionModel(activity))
  }

  /// An odometer that assumes other things than are usual, to see what each is worth.
  package init(_ settings: OdometerSettings, model: MotionModel) {
    self.settings = settings
    self.model = model
    order = OrderedFixes(lateness: settings.lateness)
    estimator = WayEstimator(model: model, gap: settings.gap.inSeconds)
    fresh.fixes.reserveCapacity(2 * model.mostLagFixes + 2)
  }

  /// Whether it can be gone on with: one that was read may be anything.
  var isSound: Bool { estimator.isSound }

  /// How far the device has come since ``settledTo``, in metres, as it seems now.
  public var ahead: Double {
    guard let newest = estimator.newest else { return 0 }
    guard let held = order.last?.time, newest.liveStride > 0 else { return estimator.ahead }
    // What is held back may yet be preceded; the last speed goes on until then.
    return estimator.ahead + newest.filtered.velocity.length * max(0, held.seconds(since: newest.sample.time))
  }

  /// Takes a fix.
  ///
  /// - Parameter settled: called with each point that is settled by it, the earliest first.
  public mutating func take(_ fix: Fix, settled: (TrackPoint) -> Void) {
    guard let time = fix.time else {
      leftOut += 1
      return
    }
    switch order.take(fix, at: time) {
    case .taken: late = nil
    case .doubled: doubled += 1
    case .late: takeLate(fix, at: time, settled: settled)
    }
    while let next = order.next() { estimate(next, settled: settled) }
  }

  /// What comes next does not continue what came before: settles all of it, and counts nothing in between.
  public mutating func breakOff(settled: (TrackPoint) -> Void) {
    while let next = order.nextOfAll() { estimate(next, settled: settled) }
    order.beginAnew()
    late = nil
    estimator.breakOff(into: &fresh.fixes)
    tell(settled)
    _ = motion.classifier.beginAnew()
  }

  /// One late fix is left out. Three in a row that agree are another timeline: a clock that was put right, a recording
  /// that starts over.
  private mutating func takeLate(_ fix: Fix, at time: UTCTime, settled: (TrackPoint) -> Void) {
    let count = if let late, time > late.time { late.count + 1 } else { 1 }
    late = LateFixes(time: time, count: count)
    guard count == ValidityGate.restartAfter else {
      leftOut += 1
      return
    }
    breakOff(settled: settled)
    _ = order.take(fix, at: time)
  }

  private mutating func estimate(_ fix: Fix, settled: (TrackPoint) -> Void) {
    guard let sample = WaySample(fix, model: model) else { return }
    estimator.take(sample, into: &fresh.fixes)
    tell(settled)
  }

  private mutating func tell(_ settled: (TrackPoint) -> Void) {
    for fix in fresh.fixes {
      if let point = settle(fix) { settled(point) }
    }
    fresh.fixes.removeAll(keepingCapacity: true)
  }

  // MARK: What is settled

  private mutating func settle(_ fix: SettledFix) -> TrackPoint? {
    let link = add(fix)
    totals.uncertainty = (estimator.uncertainty.variance + bridgedVariance).squareRoot()
    settledTo = fix.time
    guard let coordinate = EarthCentred.coordinate(of: fix.place) else { return nil }
    return TrackPoint(
      time: fix.time, coordinate: coordinate, distance: totals.distance, uncertainty: totals.uncertainty,
      speed: fix.speed, height: fix.height, motion: motion(of: fix, at: coordinate), link: link)
  }

  private mutating func add(_ fix: SettledFix) -> TrackPoint.Link {
    climb(fix)
    totals.fastest = max(totals.fastest, fix.speed)
    totals.elapsed += fix.duration
    totals.distance += fix.stride
    if fix.stride > 0 { totals.moving += fix.duration }
    switch fix.link {
    case .follows: return .follows
    case .begins:
      totals.segments += 1
      return .begins
    case .bridges(let bridge): return .bridges(add(bridge))
    }
  }

  private mutating func climb(_ fix: SettledFix) {
    if case .begins = fix.link { climb.breakOff() }
    guard let height = fix.height else { return }
    climb.take(height: height, accuracy: fix.heightAccuracy, isResting: !fix.isMoving)
    totals.ascent = climb.ascent
    totals.descent = climb.descent
  }

  private mutating func add(_ bridge: GapBridge) -> TrackGap {
    let (counted, deviation) =
      switch settings.bridging {
      case .estimated: (bridge.estimate, bridge.deviation)
      // How much more it was is not known; as much as was estimated is likely.
      case .geodesic: (bridge.geodesic, max(bridge.deviation, (bridge.estimate - bridge.geodesic).magnitude))
      case .none: (0, 0)
      }
    totals.gaps += 1
    totals.elapsed += bridge.duration
    totals.distance += counted
    totals.bridged += counted
    bridgedVariance += deviation * deviation
    return TrackGap(
      duration: bridge.duration, geodesic: bridge.geodesic, counted: counted, uncertainty: deviation)
  }

  private mutating func motion(of settled: SettledFix, at coordinate: Coordinate) -> Motion {
    var fix = Fix(coordinate: coordinate, time: settled.time, source: .scripted)
    fix.speed = settled.speed
    _ = motion.classifier.take(fix, activity: model.activity)
    return motion.classifier.motion
  }
}

/// Room for what is settled by one fix: kept for its memory, and empty between fixes.
private struct Fresh: Sendable, Hashable {
  var fixes: [SettledFix] = []

  static func == (left: Self, right: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

/// How the device moves along the way: a remark about points, of which nothing else depends.
private struct MotionOfWay: Sendable, Hashable {
  var classifier = MotionClassifier()

  static func == (left: Self, right: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
