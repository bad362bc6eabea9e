import WhereaboutsModel
import RealModule
import WhereaboutsGeodesy

/// The evidence from fixes for the side of one boundary that the device is on.
struct SideEvidence: Hashable, Sendable, Codable {
  /// The distance from the boundary at one moment.
  struct Observation: Hashable, Sendable, Codable {
    var time: UTCTime
    /// The distance in metres, negative inside.
    var distance: Double
    /// One standard deviation of ``distance``, in metres.
    var deviation: Double
    /// The total distance travelled by the device, in metres.
    var travelled: Double
  }

  /// The likely place where the device's path crossed the boundary.
  struct TentativeCrossing: Hashable, Sendable, Codable {
    var time: UTCTime
    /// The uncertainty in seconds.
    var uncertainty: Double
    var place: Coordinate
  }

  /// The context of the fix being evaluated.
  struct EvaluationContext {
    var rule: FenceRule
    /// The total distance in certain movement, in metres.
    var travelled: Double
    /// The length of the step to this fix, in metres.
    var step: Double
  }

  /// The movement of a device at the fix before a gap, as far as known.
  enum MovementBefore: Int, Hashable, Sendable, Codable {
    /// The device rested for a minute or longer.
    case atRest
    /// Another gap precedes the fix, or none is known.
    case unknown
    /// The fix ends a series without gaps.
    case followed
  }

  private(set) var side: FenceState.Side
  /// The time since which the side holds. `nil` while the side is unknown, if it held before the first
  /// observation, and after a change of timeline.
  private(set) var since: UTCTime?
  private(set) var probabilityInside = 0.5
  /// The last observation with a certain side.
  private var sure: Observation?
  private var last: Observation?
  private var flip: TentativeCrossing?
  private var suspectedSince: UTCTime?
  private var isRestReported = false
  /// Whether a gap without observations followed the last certain side.
  private var isUnseen = false
  /// The movement at the first of the gaps since the last certain side. Optional for older stored states.
  private var movementBeforeGap: MovementBefore?
  /// Whether the side rests on one fix that was probably an outlier. Optional for older stored states.
  private var isBasedOnSuspectFix: Bool?

  /// - Parameter before: the last observation of the device, if it was then certainly outside but too far away to be
  ///   stored.
  init(side: FenceState.Side, before: Observation?) {
    self.side = side
    // Earlier events have been reported: the fence may have been near and dropped since.
    since = before?.time
    sure = before
    last = before
  }

  /// Whether nothing is pending.
  @inline(__always)  // A call with each fix would copy the whole state.
  var isSettled: Bool {
    side != .unknown && suspectedSince == nil && !isUnseen && isBasedOnSuspectFix != true
  }

  /// Marks the side as based on one fix that was probably an outlier. Unless the device is seen to move, another side
  /// is then no crossing.
  mutating func markBasedOnSuspectFix() { isBasedOnSuspectFix = true }

  /// Marks a gap without observations, after a movement. The travelled distance counts from 0 again.
  mutating func markUnobserved(after movement: MovementBefore) {
    if !isUnseen { movementBeforeGap = movement }
    isUnseen = true
    sure?.travelled = 0
    last?.travelled = 0
  }

  /// Resets the times for a new timeline.
  mutating func restartTimeline() {
    since = nil
    sure = nil
    last = nil
    flip = nil
    suspectedSince = nil
    isUnseen = true
  }

  // MARK: Evaluation

  /// Returns whether the path to a place must be evaluated: whether it may lead through the boundary, or the side is
  /// uncertain.
  @inline(__always)  // A call with each fix would copy the whole state.
  func needsPath(to distance: Double, deviation: Double, _ look: EvaluationContext) -> Bool {
    guard isSettled, let last else { return true }
    let isOwn = (distance <= 0) == (side == .inside)
    guard isOwn, (last.distance <= 0) == (side == .inside) else { return true }
    return min(distance.magnitude, last.distance.magnitude) < Self.certainDeviations * deviation
      || distance.magnitude + last.distance.magnitude < Self.detourFactor * look.step
  }

  /// The number of standard deviations from the boundary beyond which nothing is in doubt.
  private static let certainDeviations = 4.0
  /// The greatest length of a path between two fixes, relative to the straight line.
  private static let detourFactor = 1.5

  /// Confirms the side at a place where the device certainly still is on its side.
  mutating func confirmSide(at point: PathPoint, distance: Double, _ look: EvaluationContext) {
    let moment = Observation(point, distance, look)
    last = moment
    sure = moment
    flip = nil
    probabilityInside = distance <= 0 ? 1 : 0
  }

  /// Processes the last part of the path.
  ///
  /// - Parameters:
  ///   - path: the points, the newest last.
  ///   - key: the key of the fence's area in the index.
  /// - Returns: the crossings and further decisions, in order.
  mutating func processPath(
    _ path: [PathPoint], _ look: EvaluationContext, by key: UInt32, in index: AreaIndex
  ) -> [Outcome] {
    guard let newest = path.last else { return [] }
    var outcomes: [Outcome] = []
    let old = flip
    if let flip, let first = path.first, flip.time >= first.time { self.flip = nil }
    var before = isUnseen ? lastLikely(before: path[0].time) : sure, beforePlace: Coordinate?
    var passage = CrossingBuffer()
    for point in path {
      if side == .unknown ? point.time != newest.time : since.map({ point.time <= $0 }) ?? false {
        continue
      }
      if point.isFix { passage.fixes += 1 }
      let distance = index.signedDistance(key, to: point.place).metres
      recordTentativeCrossing(at: point, distance, before: before, beforePlace, look, old: old)
      let isNewest = point.time == newest.time
      if let crossing = evaluate(point, distance, look, isNewest: isNewest, into: &outcomes) {
        passage.append(crossing, at: point, into: &outcomes)
      }
      before = Observation(point, distance, look)
      beforePlace = point.place
    }
    passage.finish(into: &outcomes)
    last = before
    return outcomes
  }

  /// A buffer that holds a crossing until it is known whether the next one follows before any fix does.
  private struct CrossingBuffer {
    var fixes = 0
    private var held: (crossing: Crossing, fixes: Int)?

    mutating func append(_ next: Crossing, at point: PathPoint, into outcomes: inout [Outcome]) {
      var next = next
      if let held, fixes - held.fixes <= (point.isFix ? 1 : 0), held.crossing.manner == .crossed {
        self.held?.crossing.manner = .passedThrough
        next.manner = .passedThrough
      }
      finish(into: &outcomes)
      held = (next, fixes)
    }

    mutating func finish(into outcomes: inout [Outcome]) {
      if let held { outcomes.append(.crossed(held.crossing)) }
      held = nil
    }
  }

  /// The outcome of processing a path.
  enum Outcome {
    case crossed(Crossing)
    case determined(FenceState.Side, PathPoint, PointEvidence)
    case suspected(PointEvidence)
    case dismissed(PointEvidence, since: UTCTime)
    case atRest(PointEvidence)
  }

  /// The weight of the evidence of one point.
  struct PointEvidence {
    var time: UTCTime
    var probability: Double
    var needed: Double
    var distance: Double
    var deviation: Double
  }

  /// The last observation on the known side, by a probability of 90 % at least: after the last certain one, fixes may have
  /// been too inaccurate for certainty.
  private func lastLikely(before time: UTCTime) -> Observation? {
    guard let last, let sure, last.time > sure.time, last.time < time else { return sure }
    let inside = Probability.inside(distance: last.distance, deviation: last.deviation)
    return (side == .inside ? inside : 1 - inside) >= Self.likely ? last : sure
  }

  private static let likely = 0.9

  /// Returns the mean time in seconds from the last observation to a crossing in a gap, over the possible movements.
  ///
  /// - Parameters:
  ///   - share: the share of the way that is before the crossing.
  ///   - way: the least distance travelled in the interval, in metres.
  ///   - interval: the time from that observation to the first one after the crossing, in seconds.
  ///   - movement: the movement of the device before the interval.
  private static func timeUntilCrossing(
    _ share: Double, of way: Double, in interval: Double, _ movement: MovementBefore
  ) -> Double {
    let shortest = min(interval, way / OutlierModel.departureSpeed)
    // A gap that is longer contains a rest, on either side of the boundary.
    let longest = min(interval, longestDuration(of: way))
    switch movement {
    // The device set off at any moment that leaves enough time.
    case .atRest: return (interval - shortest) / 2 + share * shortest
    // The device may have arrived long before the second fix, or just then.
    case .unknown: return (interval - longest) / 2 + share * (shortest + longest) / 2
    case .followed: return (interval - longest) / 2 + share * longest
    }
  }

  /// Returns the longest duration in seconds of a way of some metres without a rest: a slow walk with detours, and half
  /// an hour at its two ends together.
  private static func longestDuration(of way: Double) -> Double { 1800 + way * 1.5 / 0.7 }

  /// Stores the last crossing of the path to the other side.
  private mutating func recordTentativeCrossing(
    at point: PathPoint, _ distance: Double, before: Observation?, _ beforePlace: Coordinate?,
    _ look: EvaluationContext, old: TentativeCrossing?
  ) {
    guard (distance <= 0) == (side == .outside) else { return flip = nil }
    guard flip == nil else { return }
    guard let before, before.time < point.time, (before.distance <= 0) != (distance <= 0) else {
      flip = old ?? TentativeCrossing(time: point.time, uncertainty: 0, place: point.place)
      return
    }
    let interval = point.time.seconds(since: before.time)
    let change = (distance - before.distance).magnitude
    let share = change > 0 ? before.distance.magnitude / change : 0
    var uncertainty = change > 0 ? point.deviation * interval / change : interval
    var elapsed = share * interval
    if isUnseen {
      // The time is uniformly distributed over the interval.
      uncertainty = max(uncertainty, interval / 12.0.squareRoot())
      elapsed = Self.timeUntilCrossing(
        share, of: max(change, look.step), in: interval, movementBeforeGap ?? .followed)
    }
    flip = TentativeCrossing(
      time: before.time.advanced(by: .seconds(elapsed)), uncertainty: uncertainty,
      place: Self.place(between: beforePlace ?? point.place, point.place, at: share))
  }

  private static func place(between one: Coordinate, _ other: Coordinate, at share: Double) -> Coordinate {
    let start = EarthCentred(one).place, end = EarthCentred(other).place
    return EarthCentred.coordinate(of: start + (end - start) * share) ?? other
  }

  private mutating func evaluate(
    _ point: PathPoint, _ distance: Double, _ look: EvaluationContext, isNewest: Bool,
    into outcomes: inout [Outcome]
  ) -> Crossing? {
    let inside = Probability.inside(distance: distance, deviation: point.deviation)
    if isNewest { probabilityInside = inside }
    switch side {
    case .unknown:
      determineSide(point, distance, inside, look, into: &outcomes)
      return nil
    case .outside:
      let weight = PointEvidence(
        time: point.time, probability: inside, needed: look.rule.enterConfidence, distance: distance,
        deviation: point.deviation)
      return testCrossing(weight, at: point, look, isNewest: isNewest, into: &outcomes)
    case .inside:
      let outside = Probability.inside(distance: look.rule.margin - distance, deviation: point.deviation)
      let weight = PointEvidence(
        time: point.time, probability: outside, needed: look.rule.exitConfidence, distance: distance,
        deviation: point.deviation)
      return testCrossing(weight, at: point, look, isNewest: isNewest, into: &outcomes)
    }
  }

  private mutating func determineSide(
    _ point: PathPoint, _ distance: Double, _ inside: Double, _ look: EvaluationContext,
    into outcomes: inout [Outcome]
  ) {
    let isInside = inside >= 0.5
    let weight = PointEvidence(
      time: point.time, probability: max(inside, 1 - inside),
      needed: isInside ? look.rule.enterConfidence : look.rule.exitConfidence, distance: distance,
      deviation: point.deviation)
    guard weight.probability >= weight.needed else { return }
    side = isInside ? .inside : .outside
    since = point.time
    setCertain(Observation(point, distance, look))
    outcomes.append(.determined(side, point, weight))
  }

  /// Tests the probability that the device is on the other side.
  private mutating func testCrossing(
    _ weight: PointEvidence, at point: PathPoint, _ look: EvaluationContext, isNewest: Bool,
    into outcomes: inout [Outcome]
  ) -> Crossing? {
    let moment = Observation(point, weight.distance, look)
    // Evidence from the path between two fixes alone must be beyond doubt.
    let needed = point.isFix ? weight.needed : max(weight.needed, Probability.beyondDoubt)
    if weight.probability >= needed {
      if isBasedOnSuspectFix == true, !hasTravelled(to: moment) {
        // The device did not cross; the one fix that gave its place erred.
        let inside = side == .inside ? 1 - weight.probability : weight.probability
        determineSide(point, weight.distance, inside, look, into: &outcomes)
        return nil
      }
      if hasMoved(to: moment) || weight.probability >= Probability.beyondDoubt {
        return recordCrossing(weight, at: point, moment)
      }
      if isNewest, !isRestReported {
        isRestReported = true
        outcomes.append(.atRest(weight))
      }
    }
    guard isNewest else { return nil }
    let neededToStay = side == .inside ? look.rule.enterConfidence : look.rule.exitConfidence
    if 1 - weight.probability >= neededToStay {
      if let suspectedSince { outcomes.append(.dismissed(weight, since: suspectedSince)) }
      setCertain(moment)
    } else if weight.probability >= 0.5, suspectedSince == nil {
      suspectedSince = point.time
      outcomes.append(.suspected(weight))
    }
    return nil
  }

  /// Returns whether the device has moved as far as its distance to the boundary has changed since the last certain
  /// side. The fixes of a device at rest can wander across the boundary.
  ///
  /// After a gap without observations, a change that exceeds its own error is a movement.
  private func hasMoved(to moment: Observation) -> Bool {
    guard let sure else { return true }
    if hasTravelled(to: moment) { return true }
    let change = (moment.distance - sure.distance).magnitude
    let deviation = Double.hypot(moment.deviation, sure.deviation)
    return isUnseen && change > MotionModel.fences.sureMovementDeviations * deviation
  }

  /// Returns whether the movement of the device explains the change.
  private func hasTravelled(to moment: Observation) -> Bool {
    guard let sure else { return false }
    return moment.travelled - sure.travelled >= Self.minimumTravelShare
      * (moment.distance - sure.distance).magnitude
  }

  /// The smallest measured share of a path: a path measured step by step is shorter than the real one.
  private static let minimumTravelShare = 0.7

  private mutating func recordCrossing(_ weight: PointEvidence, at point: PathPoint, _ moment: Observation)
    -> Crossing
  {
    let kind: FenceEvent.Kind = side == .outside ? .enter : .exit
    let found = flip ?? TentativeCrossing(time: point.time, uncertainty: 0, place: point.place)
    let earliest = since ?? found.time
    let time = min(max(found.time, min(earliest, point.time)), point.time)
    let lastBefore = sure.map(\.time).flatMap { $0 <= point.time ? $0 : nil }
    let longest = lastBefore.map { point.time.seconds(since: $0) }
    let crossing = Crossing(
      kind: kind, manner: isUnseen ? .unseen : .crossed, time: time,
      uncertainty: min(found.uncertainty, longest ?? .infinity),
      lastBefore: lastBefore, firstAfter: point.time, place: found.place, confidence: weight.probability,
      suspectedSince: suspectedSince)
    side = crossing.side
    since = point.time
    setCertain(moment)
    return crossing
  }

  private mutating func setCertain(_ moment: Observation) {
    sure = moment
    flip = nil
    suspectedSince = nil
    isRestReported = false
    isUnseen = false
    isBasedOnSuspectFix = nil
  }
}

extension SideEvidence.Observation {
  init(_ point: PathPoint, _ distance: Double, _ look: SideEvidence.EvaluationContext) {
    self.init(
      time: point.time, distance: distance, deviation: point.deviation, travelled: look.travelled)
  }
}
