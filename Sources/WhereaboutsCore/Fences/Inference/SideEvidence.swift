import RealModule
import WhereaboutsGeodesy

/// What the fixes have said so far about the side of one boundary that the device is on.
struct SideEvidence: Hashable, Sendable, Codable {
  /// A moment, and how far from the boundary the device was.
  struct Moment: Hashable, Sendable, Codable {
    var time: UTCTime
    /// Metres, negative inside.
    var distance: Double
    /// One standard deviation of that, in metres.
    var deviation: Double
    /// How far the device had come in all by then, in metres.
    var travelled: Double
  }

  /// Where the way of the device went through the boundary, as far as it seems.
  struct Flip: Hashable, Sendable, Codable {
    var time: UTCTime
    /// Seconds.
    var uncertainty: Double
    var place: Coordinate
  }

  /// How the fix that is being looked at stands.
  struct Look {
    var rule: FenceRule
    /// Metres that the device has come in all while it surely moved.
    var travelled: Double
    /// Metres of the step to this fix.
    var step: Double
  }

  private(set) var side: FenceSide
  /// Since when; `nil` where it was so before anybody looked.
  private(set) var since: UTCTime?
  private(set) var probabilityInside = 0.5
  /// When it was last sure of the side.
  private var sure: Moment?
  private var last: Moment?
  private var flip: Flip?
  private var suspectedSince: UTCTime?
  private var isRestTold = false
  /// Nobody looked for a while, since it was last sure.
  private var isUnseen = false
  /// The side is what one fix has said that probably was an outlier. Optional for states that were kept before there was
  /// this.
  private var isOnlySaid: Bool?

  /// - Parameter before: when and where the device was last seen, if it was then outside for sure but too far away to be
  ///   remembered.
  init(side: FenceSide, before: Moment?) {
    self.side = side
    // What was before that has been told: the fence may have been near, and forgotten since.
    since = before?.time
    sure = before
    last = before
  }

  /// Whether nothing is in the air.
  var isCalm: Bool { side != .unknown && suspectedSince == nil && !isUnseen && isOnlySaid != true }

  /// The side is what one fix has said that probably was an outlier: unless the device is seen to move, another side is
  /// no crossing.
  mutating func restsOnOneFix() { isOnlySaid = true }

  /// Nobody looked for a while. What the device comes by from now on is counted from 0.
  mutating func missTime() {
    isUnseen = true
    sure?.travelled = 0
    last?.travelled = 0
  }

  /// What comes next is of another time.
  mutating func restartTime() {
    since = nil
    sure = nil
    last = nil
    flip = nil
    suspectedSince = nil
    isUnseen = true
  }

  // MARK: Looking

  /// Whether the way to a place has to be looked at closely: whether it may lead through the boundary, or the side is not
  /// sure.
  func needsPath(to distance: Double, deviation: Double, _ look: Look) -> Bool {
    guard isCalm, let last else { return true }
    let isOwn = (distance <= 0) == (side == .inside)
    guard isOwn, (last.distance <= 0) == (side == .inside) else { return true }
    return min(distance.magnitude, last.distance.magnitude) < Self.sureDeviations * deviation
      || distance.magnitude + last.distance.magnitude < Self.detour * look.step
  }

  /// So many standard deviations from the boundary nothing is in doubt.
  private static let sureDeviations = 4.0
  /// How much longer a way between two fixes can be than the straight line.
  private static let detour = 1.5

  /// The device is where it surely still is on its side.
  mutating func stay(at point: PathPoint, distance: Double, _ look: Look) {
    let moment = Moment(point, distance, look)
    last = moment
    sure = moment
    flip = nil
    probabilityInside = distance <= 0 ? 1 : 0
  }

  /// Goes along the last part of the way.
  ///
  /// - Parameters:
  ///   - path: the newest point last.
  ///   - measure: how far a place is from the boundary, negative inside.
  ///   - say: called with each crossing, and with what else is decided.
  mutating func walk(
    _ path: [PathPoint], _ look: Look, measure: (Coordinate) -> Double, say: (Saying) -> Void
  ) {
    guard let newest = path.last else { return }
    let old = flip
    if let flip, let first = path.first, flip.time >= first.time { self.flip = nil }
    var before = sure, beforePlace: Coordinate?
    var passage = Passage()
    for point in path {
      if side == .unknown ? point.time != newest.time : since.map({ point.time <= $0 }) ?? false {
        continue
      }
      if point.isFix { passage.fixes += 1 }
      let distance = measure(point.place)
      noteFlip(at: point, distance, before: before, beforePlace, old: old)
      let isNewest = point.time == newest.time
      if let crossing = consider(point, distance, look, isNewest: isNewest, say: say) {
        passage.take(crossing, at: point, say: say)
      }
      before = Moment(point, distance, look)
      beforePlace = point.place
    }
    passage.finish(say: say)
    last = before
  }

  /// Holds a crossing back until it is known whether the next one follows before any fix does.
  private struct Passage {
    var fixes = 0
    private var held: (crossing: Crossing, fixes: Int)?

    mutating func take(_ next: Crossing, at point: PathPoint, say: (Saying) -> Void) {
      var next = next
      if let held, fixes - held.fixes <= (point.isFix ? 1 : 0), held.crossing.manner == .crossed {
        self.held?.crossing.manner = .passedThrough
        next.manner = .passedThrough
      }
      finish(say: say)
      held = (next, fixes)
    }

    mutating func finish(say: (Saying) -> Void) {
      if let held { say(.crossed(held.crossing)) }
      held = nil
    }
  }

  /// What walking leads to.
  enum Saying {
    case crossed(Crossing)
    case determined(FenceSide, PathPoint, Weight)
    case suspected(Weight)
    case dismissed(Weight, since: UTCTime)
    case atRest(Weight)
  }

  /// How heavy the evidence of one point is.
  struct Weight {
    var time: UTCTime
    var probability: Double
    var needed: Double
    var distance: Double
    var deviation: Double
  }

  /// Keeps where the way last went to the other side.
  private mutating func noteFlip(
    at point: PathPoint, _ distance: Double, before: Moment?, _ beforePlace: Coordinate?, old: Flip?
  ) {
    guard (distance <= 0) == (side == .outside) else { return flip = nil }
    guard flip == nil else { return }
    guard let before, before.time < point.time, (before.distance <= 0) != (distance <= 0) else {
      flip = old ?? Flip(time: point.time, uncertainty: 0, place: point.place)
      return
    }
    let interval = point.time.seconds(since: before.time)
    let change = (distance - before.distance).magnitude
    let share = change > 0 ? before.distance.magnitude / change : 0
    var uncertainty = change > 0 ? point.deviation * interval / change : interval
    // Anywhere in between, evenly.
    if isUnseen { uncertainty = max(uncertainty, interval / 12.0.squareRoot()) }
    flip = Flip(
      time: before.time.advanced(by: .seconds(share * interval)), uncertainty: uncertainty,
      place: Self.place(between: beforePlace ?? point.place, point.place, at: share))
  }

  private static func place(between one: Coordinate, _ other: Coordinate, at share: Double) -> Coordinate {
    let start = EarthCentred(one).place, end = EarthCentred(other).place
    return EarthCentred.coordinate(of: start + (end - start) * share) ?? other
  }

  private mutating func consider(
    _ point: PathPoint, _ distance: Double, _ look: Look, isNewest: Bool, say: (Saying) -> Void
  ) -> Crossing? {
    let inside = Probability.inside(distance: distance, deviation: point.deviation)
    if isNewest { probabilityInside = inside }
    switch side {
    case .unknown:
      determine(point, distance, inside, look, say: say)
      return nil
    case .outside:
      let weight = Weight(
        time: point.time, probability: inside, needed: look.rule.enterConfidence, distance: distance,
        deviation: point.deviation)
      return weigh(weight, at: point, look, isNewest: isNewest, say: say)
    case .inside:
      let outside = Probability.inside(distance: look.rule.margin - distance, deviation: point.deviation)
      let weight = Weight(
        time: point.time, probability: outside, needed: look.rule.exitConfidence, distance: distance,
        deviation: point.deviation)
      return weigh(weight, at: point, look, isNewest: isNewest, say: say)
    }
  }

  private mutating func determine(
    _ point: PathPoint, _ distance: Double, _ inside: Double, _ look: Look, say: (Saying) -> Void
  ) {
    let isInside = inside >= 0.5
    let weight = Weight(
      time: point.time, probability: max(inside, 1 - inside),
      needed: isInside ? look.rule.enterConfidence : look.rule.exitConfidence, distance: distance,
      deviation: point.deviation)
    guard weight.probability >= weight.needed else { return }
    side = isInside ? .inside : .outside
    since = point.time
    beSure(Moment(point, distance, look))
    say(.determined(side, point, weight))
  }

  /// Weighs how probable it is that the device is on the other side.
  private mutating func weigh(
    _ weight: Weight, at point: PathPoint, _ look: Look, isNewest: Bool, say: (Saying) -> Void
  ) -> Crossing? {
    let moment = Moment(point, weight.distance, look)
    // What only the way between two fixes says must be beyond doubt.
    let needed = point.isFix ? weight.needed : max(weight.needed, Probability.beyondDoubt)
    if weight.probability >= needed {
      if isOnlySaid == true, !hasTravelled(to: moment) {
        // Not the device went across: the one fix that said where it was erred.
        let inside = side == .inside ? 1 - weight.probability : weight.probability
        determine(point, weight.distance, inside, look, say: say)
        return nil
      }
      if hasMoved(to: moment) || weight.probability >= Probability.beyondDoubt {
        return cross(weight, at: point, moment)
      }
      if isNewest, !isRestTold {
        isRestTold = true
        say(.atRest(weight))
      }
    }
    guard isNewest else { return nil }
    let neededToStay = side == .inside ? look.rule.enterConfidence : look.rule.exitConfidence
    if 1 - weight.probability >= neededToStay {
      if let suspectedSince { say(.dismissed(weight, since: suspectedSince)) }
      beSure(moment)
    } else if weight.probability >= 0.5, suspectedSince == nil {
      suspectedSince = point.time
      say(.suspected(weight))
    }
    return nil
  }

  /// Whether the device has moved as far as its distance to the boundary has changed since it was sure of its side. The
  /// fixes of a device at rest can wander across, and it does not.
  ///
  /// Where nobody looked, a change that stands out from its own error is a movement.
  private func hasMoved(to moment: Moment) -> Bool {
    guard let sure else { return true }
    if hasTravelled(to: moment) { return true }
    let change = (moment.distance - sure.distance).magnitude
    let deviation = Double.hypot(moment.deviation, sure.deviation)
    return isUnseen && change > MotionModel.fences.surelyMoving * deviation
  }

  /// Whether the movement of the device explains the change.
  private func hasTravelled(to moment: Moment) -> Bool {
    guard let sure else { return false }
    return moment.travelled - sure.travelled >= Self.shareMoved * (moment.distance - sure.distance).magnitude
  }

  /// A way that is measured as it goes is shorter than it was.
  private static let shareMoved = 0.7

  private mutating func cross(_ weight: Weight, at point: PathPoint, _ moment: Moment) -> Crossing {
    let kind: FenceEvent.Kind = side == .outside ? .enter : .exit
    let found = flip ?? Flip(time: point.time, uncertainty: 0, place: point.place)
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
    beSure(moment)
    return crossing
  }

  private mutating func beSure(_ moment: Moment) {
    sure = moment
    flip = nil
    suspectedSince = nil
    isRestTold = false
    isUnseen = false
    isOnlySaid = nil
  }
}

extension SideEvidence.Moment {
  init(_ point: PathPoint, _ distance: Double, _ look: SideEvidence.Look) {
    self.init(
      time: point.time, distance: distance, deviation: point.deviation, travelled: look.travelled)
  }
}
