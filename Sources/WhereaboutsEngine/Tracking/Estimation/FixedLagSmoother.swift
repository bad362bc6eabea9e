import WhereaboutsModel

/// A smoother that estimates how a device moved, with a delay, from fixes in the order of their times.
///
/// A filter follows the device forward. At intervals, its results are smoothed backward from the newest fix. Fixes far
/// enough behind the newest are then settled: their place, whether the device moved, and the distance.
///
/// - Complexity: a fix costs one step forward and two backward on average; with each manoeuvre found by looking back, of
///   two at most each time, at most two more of both; memory for twice the lag.
struct FixedLagSmoother: Sendable, Hashable, Codable {
  private let model: MotionModel
  private var pace: FixIntervalEstimator
  /// The detector of sources that report by distance; optional, because states of earlier versions have none.
  private var distanceFilter: DistanceFilterDetector?
  private(set) var uncertainty = DistanceUncertainty()

  private var filter: TrackKalmanFilter?
  /// The nodes that are not settled, after the last settled one if that is of the same run.
  private var nodes: [TrackNode] = []
  /// The number of nodes that lie far enough behind the newest to be settled.
  private var ready = 0
  private var isFirstSettled = false
  /// Whether the first fixes of this run have been tested; `nil` before, and in states of earlier versions.
  private var isStartTested: Bool?
  private var movement: MovementDetector
  /// The end of the run before, as long as the gap after it may be bridged.
  private var shore: GapBridge.GapEnd?
  private var noise: UncorrelatedNoiseEstimator?
  private var speeds: StatedSpeedFilter
  /// The detector of rounded coordinates; optional, because states of earlier versions have none.
  private var grid: CoordinateRoundingDetector?
  /// The last fix without a neighbour before or after it.
  private var lone: TrackSample?
  /// The distance of all runs, in metres, and their duration, in seconds.
  private var travelled = 0.0
  private var elapsed = 0.0

  /// All properties except empty buffers and ``ready``, which is counted again.
  private enum CodingKeys: String, CodingKey {
    case model, pace, uncertainty, filter, nodes, isFirstSettled, movement, shore, noise, speeds, grid, lone,
      travelled
    case elapsed, isStartTested, distanceFilter
  }

  /// Whether decoded state is consistent and can be resumed.
  var isConsistent: Bool { !(isFirstSettled && nodes.isEmpty) && (filter == nil) == nodes.isEmpty }

  /// - Parameter gap: the duration without a fix that is a gap, in seconds, where fixes usually arrive more often.
  init(model: MotionModel, gap: Double) {
    self.model = model
    pace = FixIntervalEstimator(gap: gap)
    movement = MovementDetector(model: model)
    speeds = StatedSpeedFilter(model: model)
    grid = CoordinateRoundingDetector()
  }

  /// The duration without a fix that ends a run, in seconds.
  var gap: Double { pace.gap }

  /// The newest node of this run.
  @inline(__always)  // A call would copy the whole smoother.
  var newest: TrackNode? { nodes.last }

  /// The provisional distance since the last settled fix, in metres.
  @inline(__always)  // A call would copy the whole smoother.
  var provisionalDistance: Double {
    nodes.dropFirst(isFirstSettled ? 1 : 0).reduce(0) { $0 + $1.liveStride }
  }

  /// Processes a fix that is later than all before it, and appends the fixes that it settles.
  mutating func process(_ fix: TrackSample, into settled: inout [SettledFix]) {
    if grid == nil { grid = CoordinateRoundingDetector() }
    let factor = filter?.varianceFactor ?? noise?.varianceFactor ?? 1
    let sample = speeds.withoutImplausibleMotion(
      grid?.withRoundingError(fix) ?? fix, varianceFactor: factor)
    var isLate = false
    if let last = nodes.last {
      isLate = pace.isLong(sample.time.seconds(since: last.sample.time)) || isByDistance
      endRunIfBroken(last.sample.time, until: sample, into: &settled)
    }
    add(sample, isLate: isLate)
    if nodes.count == StartOutlierTest.requiredFixes { rejectOutlierAtStart() }
    if hasJumped { restartAfterJump(into: &settled) }
    countSettleableNodes()
    // As many are settled as remain: so each node is smoothed twice on average.
    if ready > 0, ready >= nodes.count - ready { settle(ready, into: &settled) }
  }

  /// Settles all fixes and ends the segment: later fixes do not continue the earlier ones.
  mutating func endSegment(into settled: inout [SettledFix]) {
    endRun(into: &settled)
    uncertainty.endSegment()
    speeds.endSegment()
    shore = nil
    lone = nil
  }

  /// Ends the run if the next fix does not continue it.
  private mutating func endRunIfBroken(
    _ last: UTCTime, until next: TrackSample, into settled: inout [SettledFix]
  ) {
    let interval = next.time.seconds(since: last)
    guard interval > pace.gap else { return record(interval, to: next) }
    guard !hasEnoughFixes, nodes.count == 1 else {
      lone = nil
      return endRun(into: &settled)
    }
    // An isolated fix: of another time and perhaps another place, unless fixes are that rare.
    let sample = nodes[0].sample
    clearRun()
    if let before = lone, pace.adoptLongInterval(sample.time.seconds(since: before.time), interval) {
      add(before)
      add(sample)
      lone = nil
    } else {
      lone = sample
    }
  }

  private mutating func record(_ interval: Double, to next: TrackSample) {
    if let last = nodes.last?.sample {
      var detector = distanceFilter ?? DistanceFilterDetector()
      detector.process(
        step: (next.place - last.place).length, interval: interval, usualInterval: pace.usual)
      distanceFilter = detector
    }
    pace.record(interval)
  }

  private var isByDistance: Bool { distanceFilter?.isByDistance ?? false }

  private mutating func add(_ sample: TrackSample, isLate: Bool = false, isRejected: Bool = false) {
    if nodes.isEmpty { filter = TrackKalmanFilter(at: sample, model: model, noise: noise) }
    guard var node = filter?.process(sample, isLearned: isRejected, isRejected: isRejected) else { return }
    node.isLate = isLate
    node.liveStride = liveStride(to: node, at: nodes.count)
    nodes.append(node)
    if node.surprisesInARow == model.manoeuvreFixes { explainSurprisesByManoeuvre() }
  }

  /// Replaces a node by the same fix processed again.
  private mutating func replaceNode(at index: Int, by node: TrackNode) {
    let isLate = nodes[index].isLate
    nodes[index] = node
    nodes[index].isLate = isLate
    nodes[index].liveStride = liveStride(to: nodes[index], at: index)
  }

  @inline(__always)  // A call with each fix would copy the whole smoother.
  private func liveStride(to node: TrackNode, at index: Int) -> Double {
    index > 0 ? TrackStride.live(from: nodes[index - 1], to: node, model) : 0
  }

  /// Reprocesses the last few fixes, all of them surprising, if a manoeuvre at the first of them, or all along them,
  /// explains them.
  private mutating func explainSurprisesByManoeuvre() {
    let first = nodes.count - model.manoeuvreFixes
    guard first >= 1, nodes[first...].allSatisfy({ $0.sample.speed == nil }),
      var revised = filter?.rewound(to: nodes[first - 1], next: nodes[first])
    else { return }
    let sudden = revised.manoeuvre(explaining: nodes[first...], isLearned: true)
    guard let agility = sudden ?? revised.lastingManoeuvre(explaining: nodes[first...]) else { return }
    for index in first..<nodes.count {
      let manoeuvre = index == first || sudden == nil ? agility : 0
      replaceNode(at: index, by: revised.process(nodes[index].sample, isLearned: true, manoeuvre: manoeuvre))
    }
    filter = revised
  }

  /// Begins the run again without the outlier among its first fixes, if there is one.
  private mutating func rejectOutlierAtStart() {
    guard !isFirstSettled, isStartTested == nil else { return }
    isStartTested = true
    let first = nodes
    guard let outlier = StartOutlierTest.outlier(in: first.map(\.sample), model) else { return }
    filter = nil
    nodes.removeAll(keepingCapacity: true)
    for (index, node) in first.enumerated() {
      // A run can't begin with a fix that gives no place.
      if index == 0, outlier == 0 { continue }
      add(node.sample, isLate: node.isLate, isRejected: index == outlier)
    }
  }

  // MARK: Settling

  /// Counts the nodes that lie far enough behind the newest, starting from those counted before.
  private mutating func countSettleableNodes() {
    guard let newest = nodes.last?.sample.time else { return }
    let most = nodes.count - 1 - model.minimumLagFixes
    ready = max(ready, nodes.count - 1 - model.maximumLagFixes)
    while ready < most, newest.seconds(since: nodes[ready].sample.time) >= model.lag { ready += 1 }
  }

  private mutating func settle(_ count: Int, into settled: inout [SettledFix]) {
    smooth()
    let hiddenShare = findManoeuvres().hiddenDistanceShare
    let scale = SurpriseMedian.varianceScale(of: nodes)
    for index in nodes.indices {
      nodes[index].varianceScale = scale
      nodes[index].hiddenShare = hiddenShare
    }
    movement.markMovements(nodes, isFirstKnown: isFirstSettled)
    if !isFirstSettled { settled.append(firstSettled()) }
    isFirstSettled = true
    for index in 1..<max(1, count) { settled.append(settle(at: index)) }
    movement.settle(count - 1)
    nodes.removeFirst(count - 1)
    ready = max(0, ready - (count - 1))
  }

  private mutating func smooth() {
    for index in stride(from: nodes.count - 2, through: 0, by: -1) {
      nodes[index].smoothed = nodes[index].filtered.smoothed(
        over: nodes[index + 1].step, with: nodes[index + 1].smoothed)
    }
  }

  /// Processes the nodes again from each manoeuvre that stands out when all later fixes are known.
  ///
  /// - Returns: the remaining changes of velocity.
  private mutating func findManoeuvres() -> VelocityChanges {
    let first = isFirstSettled ? 1 : StartOutlierTest.requiredFixes
    var changes = velocityChanges(from: first)
    for _ in 0..<model.manoeuvresInLag {
      guard let found = changes.manoeuvre else { break }
      processAgain(from: begin(found, after: first))
      smooth()
      changes = velocityChanges(from: first)
    }
    return changes
  }

  private func velocityChanges(from first: Int) -> VelocityChanges {
    VelocityChanges(of: nodes, from: first, scale: SurpriseMedian.varianceScale(of: nodes), model)
  }

  /// Marks a manoeuvre in the nodes.
  ///
  /// - Returns: the index of the first node that it changes.
  private mutating func begin(_ found: (index: Int, agility: Double), after first: Int) -> Int {
    nodes[found.index].manoeuvre = found.agility
    // A lesser manoeuvre beside it was this one, seen less clearly.
    if found.index + 1 < nodes.count { nodes[found.index + 1].manoeuvre = 0 }
    guard found.index > first, nodes[found.index - 1].manoeuvre > 0 else { return found.index }
    nodes[found.index - 1].manoeuvre = 0
    return found.index - 1
  }

  private mutating func processAgain(from start: Int) {
    guard var revised = filter?.rewound(to: nodes[start - 1], next: nodes[start]) else { return }
    for index in start..<nodes.count {
      let node = nodes[index]
      replaceNode(
        at: index, by: revised.process(node.sample, isLearned: true, manoeuvre: node.manoeuvre))
    }
    filter = revised
  }

  private mutating func firstSettled() -> SettledFix {
    let node = nodes[0], isMoving = movement.isMoving(0)
    var link = SettledFix.Link.begins
    if let shore {
      let far = GapBridge.GapEnd(node, isMoving: isMoving, interval: pace.usual)
      let usualSpeed = model.usualSpeed(travelled: travelled, elapsed: elapsed)
      let bridge = GapBridge(
        from: shore, to: far, usualSpeed: usualSpeed, isByDistance: isByDistance, model: model)
      link = .bridges(bridge)
    }
    return SettledFix(
      time: node.sample.time, place: node.smoothed.place, speed: isMoving ? node.speed : 0,
      isMoving: isMoving, stride: 0, duration: 0, moving: 0, height: node.sample.height,
      heightAccuracy: node.sample.heightAccuracy,
      link: link, errors: uncertainty.sums)
  }

  private mutating func settle(at index: Int) -> SettledFix {
    let node = nodes[index], before = nodes[index - 1]
    let isMoving = movement.isMoving(index)
    let duration = node.step.duration
    let stride = TrackStride(from: before, movement.isMoving(index - 1), to: node, isMoving, model)
    travelled += stride.length
    elapsed += duration
    uncertainty.add(node, stride: stride.length, greatest: stride.greatest, isMoving: isMoving, model: model)
    return SettledFix(
      time: node.sample.time, place: node.smoothed.place, speed: stride.speed, isMoving: isMoving,
      stride: stride.length, duration: duration, moving: stride.moving, height: node.sample.height,
      heightAccuracy: node.sample.heightAccuracy,
      link: .follows, errors: uncertainty.sums)
  }

  // MARK: Runs

  /// Whether the run has enough fixes for an estimate.
  private var hasEnoughFixes: Bool { isFirstSettled || nodes.count >= Self.minimumRunFixes }

  private mutating func endRun(into settled: inout [SettledFix]) {
    if hasEnoughFixes {
      noise = filter?.noiseEstimator
      settle(nodes.count, into: &settled)
      shore = nodes.last.map {
        GapBridge.GapEnd($0, isMoving: movement.wasMoving, interval: pace.usual)
      }
    }
    clearRun()
  }

  private mutating func clearRun() {
    filter = nil
    nodes.removeAll(keepingCapacity: true)
    ready = 0
    isFirstSettled = false
    isStartTested = nil
    movement.beginRun()
  }

  private static let minimumRunFixes = 3

  /// Whether the place of the last fixes requires a speed greater than any possible one.
  @inline(__always)  // A call with each fix would copy the whole smoother.
  private var hasJumped: Bool {
    guard !nodes.isEmpty else { return false }
    let surprises = nodes[nodes.count - 1].surprisesInARow
    guard surprises >= model.rejectionsBeforeAcceptance, nodes.count > surprises, let last = nodes.last else {
      return false
    }
    let before = nodes[nodes.count - 1 - surprises]
    let distance = (last.sample.place - before.filtered.place).length
    let duration = last.sample.time.seconds(since: before.sample.time)
    return distance > Self.leastJump && distance > model.greatestSpeed * duration
  }

  /// The least distance of a jump, in metres; the filter handles shorter ones.
  private static let leastJump = 1000.0

  private mutating func restartAfterJump(into settled: inout [SettledFix]) {
    let samples = nodes.suffix(model.rejectionsBeforeAcceptance).map(\.sample)
    nodes.removeLast(model.rejectionsBeforeAcceptance)
    endSegment(into: &settled)
    for sample in samples { add(sample) }
  }
}
