import WhereaboutsModel
import WhereaboutsGeodesy

/// Turns fixes in the order of time into estimated states, by an odometer.
///
/// The odometer settles places, speeds and distances some fixes behind the newest. A fix that the odometer leaves out,
/// such as a single one between two silences, is passed on as stated. A teleport is left out: the device was not there.
/// So are several false fixes in a row, from which the odometer jumps back.
struct SampleEstimator: Sendable {
  private var odometer: Odometer
  private var pending: [Fix] = []
  private var points: [SettledPoint] = []
  private var last: MotionSample?
  private var lastPoint: SettledPoint?
  private var lastStated: StatedPlace?
  /// The newest fix, until the next one shows whether it is a teleport.
  private var held: HeldFix?
  private var lastTrusted: StatedPlace?
  /// The number of fixes in a row that lie where the one before does.
  private var agreeing = 0
  /// The samples since a jump, until a jump back or their duration shows whether the device was there.
  private var jump: Jump?

  private struct Jump: Sendable {
    var before: MotionSample
    var samples: [MotionSample] = []
  }

  private struct HeldFix: Sendable {
    var fix: Fix
    var place: StatedPlace
  }

  /// A point of the odometer, with the errors of the distance up to it, without those of bridged gaps.
  private struct SettledPoint: Sendable {
    var point: TrackPoint
    var errors: DistanceErrorSums
  }

  /// The greatest number of held fixes: twice the number that the odometer holds.
  private static let capacity = 512
  /// The time between fixes, in seconds, beyond which they are no evidence of each other's motion.
  private static let silence = 600.0
  /// The longest step from which an acceleration is computed, in seconds.
  private static let longestStep = 20.0
  /// The greatest speed in m/s of a device between two samples: that of the odometer.
  private static let greatestSpeed = Activity.other.greatestSpeed
  /// The duration in seconds for which a device must be at an unreachable place before the place is trusted.
  private static let jumpPatience = 300.0

  init() {
    odometer = Odometer(OdometerSettings(lateness: .zero))
  }

  /// Processes a fix that is later than those before, and calls the body with each sample that it settles.
  mutating func process(_ fix: Fix, _ body: (MotionSample) -> Void) {
    guard let time = fix.time else { return }
    let stated = StatedPlace(fix, time)
    if let held {
      pass(held, before: stated, body)
      if time.seconds(since: held.place.time) > Self.silence { settle(body) }
    }
    held = HeldFix(fix: fix, place: stated)
  }

  /// Settles the rest. Later fixes do not continue it.
  mutating func finish(_ body: (MotionSample) -> Void) {
    if let held { pass(held, before: nil, body) }
    held = nil
    settle(body)
    endJump(body)
  }

  /// Passes a fix on to the odometer, unless it is a teleport.
  private mutating func pass(_ fix: HeldFix, before next: StatedPlace?, _ body: (MotionSample) -> Void) {
    if let next, let before = lastTrusted, fix.place.isTeleport(from: before, to: next) { return }
    pending.append(fix.fix)
    lastTrusted = fix.place
    odometer.processWithErrors(fix.fix) { points.append(SettledPoint(point: $0, errors: $1)) }
    emit(body)
    if pending.count > Self.capacity { pass(pending.count - Self.capacity, body) }
  }

  private mutating func settle(_ body: (MotionSample) -> Void) {
    odometer.endSegmentWithErrors { points.append(SettledPoint(point: $0, errors: $1)) }
    emit(body)
    pass(pending.count, body)
  }

  private mutating func emit(_ body: (MotionSample) -> Void) {
    guard !points.isEmpty else { return }
    var done = 0
    for settled in points {
      while done < pending.count, let time = pending[done].time, time < settled.point.time {
        emit(at: done, nil, body)
        done += 1
      }
      guard done < pending.count, pending[done].time == settled.point.time else { continue }
      emit(at: done, settled, body)
      done += 1
    }
    pending.removeFirst(done)
    points.removeAll(keepingCapacity: true)
  }

  private mutating func pass(_ count: Int, _ body: (MotionSample) -> Void) {
    for index in 0..<count { emit(at: index, nil, body) }
    pending.removeFirst(count)
  }

  private mutating func emit(at index: Int, _ settled: SettledPoint?, _ body: (MotionSample) -> Void) {
    let fix = pending[index]
    guard let time = fix.time else { return }
    let stated = StatedPlace(fix, time)
    let next = index + 1 < pending.count ? pending[index + 1] : nil
    var sample = MotionSample(
      time: time, step: .infinity, place: stated.place, accuracy: stated.accuracy, speed: nil, distance: 0,
      errors: .zero, fastest: fix.speed ?? 0)
    sample.activity = fix.activity
    agreeing = lastStated.map(stated.isSame) ?? false ? agreeing + 1 : 0
    var isOverruled = false
    if let point = settled?.point {
      let place = EarthCentred(point.coordinate).place
      if stated.isAtRest(lastStated, next), stated.contradicts(place, agreeing: agreeing) {
        sample.speed = 0
        isOverruled = true
      } else {
        sample.place = place
        sample.speed = point.speed
        sample.fastest = max(sample.fastest, point.speed)
      }
    }
    lastStated = stated
    let isBeyond = beginJump(to: sample, settled, body)
    if let last {
      sample.step = time.seconds(since: last.time)
      (sample.distance, sample.errors) = (last.distance, last.errors)
    }
    if isOverruled || isBeyond { lastPoint = settled } else { count(&sample, settled) }
    last = sample
    pass(sample, body)
  }

  // MARK: Jumps

  /// Begins a jump if the device cannot have come to a sample from the last one. If it can have come there from before
  /// the jump until now, the samples since are false, and are left out.
  ///
  /// - Returns: whether no way leads to the sample.
  private mutating func beginJump(
    to sample: MotionSample, _ settled: SettledPoint?, _ body: (MotionSample) -> Void
  ) -> Bool {
    guard let last, isJump(from: last, to: sample, settled) else { return false }
    if let before = jump?.before, Self.isInReach(sample, from: before) {
      jump = nil
      self.last = before
      lastPoint = nil
      return false
    }
    endJump(body)
    jump = Jump(before: last)
    return true
  }

  /// Returns whether the odometer began anew at a sample without a silence, or the sample is out of reach.
  private func isJump(from last: MotionSample, to sample: MotionSample, _ settled: SettledPoint?) -> Bool {
    let isBegun = lastPoint != nil && settled?.point.link == .begins
    return isBegun && sample.time.seconds(since: last.time) <= Self.silence
      || !Self.isInReach(sample, from: last)
  }

  private static func isInReach(_ sample: MotionSample, from last: MotionSample) -> Bool {
    let errors = 3 * (sample.accuracy + last.accuracy)
    return last.length(to: sample) <= greatestSpeed * sample.time.seconds(since: last.time) + errors
  }

  private mutating func pass(_ sample: MotionSample, _ body: (MotionSample) -> Void) {
    guard let before = jump?.before else { return body(sample) }
    jump?.samples.append(sample)
    let count = jump?.samples.count ?? 0
    if sample.time.seconds(since: before.time) > Self.jumpPatience || count > Self.capacity { endJump(body) }
  }

  /// Passes the samples since a jump on: the device was there.
  private mutating func endJump(_ body: (MotionSample) -> Void) {
    guard let samples = jump?.samples else { return }
    jump = nil
    for sample in samples { body(sample) }
  }

  // MARK: Distance

  /// Adds the distance from the sample before: the odometer's, or else the straight line without its likely error.
  private mutating func count(_ sample: inout MotionSample, _ settled: SettledPoint?) {
    defer { lastPoint = settled }
    guard let last else { return }
    let step = sample.time.seconds(since: last.time)
    if let settled, let before = lastPoint, settled.point.distance >= before.point.distance,
      settled.point.link != .begins
    {
      sample.distance += settled.point.distance - before.point.distance
      sample.errors = sample.errors + (settled.errors - before.errors)
      if case .bridges(let gap) = settled.point.link {
        sample.errors.independent += gap.uncertainty * gap.uncertainty
      }
    } else {
      let error = sample.accuracy * sample.accuracy + last.accuracy * last.accuracy
      let length = last.length(to: sample)
      let straight = max(0, length * length - error).squareRoot()
      guard straight > 2 * error.squareRoot() else { return }
      // Ways in a town are longer than the straight line.
      let detour = step > Self.longestStep ? 0.2 * straight : 0
      sample.distance += straight + detour
      sample.errors.independent += detour * detour + error / 2
    }
    if let before = last.speed, let speed = sample.speed, step > 0, step <= Self.longestStep {
      sample.acceleration = (speed - before).magnitude / step
    }
  }
}

/// The place that a fix states.
private struct StatedPlace: Sendable {
  let place: SIMD3<Double>
  let accuracy: Double
  let time: UTCTime

  /// The accuracy of a fix that states none, in metres at 68 %: a phone among houses.
  private static let unstatedAccuracy = 15.0
  /// Receivers are never surer of a place than this, in metres: a person and a phone move that much at rest.
  private static let leastAccuracy = 5.0
  /// Two fixes so far apart, in seconds, show together that the device rests.
  private static let longestRest = 90.0

  init(_ fix: Fix, _ time: UTCTime) {
    place = EarthCentred(fix.coordinate).place
    let stated = fix.horizontalAccuracy.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    accuracy = max(Self.leastAccuracy, stated ?? Self.unstatedAccuracy)
    self.time = time
  }

  /// Returns whether the fix before or the next one lies at the same place.
  func isAtRest(_ before: StatedPlace?, _ next: Fix?) -> Bool {
    if let before, isSame(before) { return true }
    guard let next, let time = next.time else { return false }
    return isSame(StatedPlace(next, time))
  }

  func isSame(_ other: StatedPlace) -> Bool {
    time.seconds(since: other.time).magnitude <= Self.longestRest
      && (place - other.place).length <= accuracy + other.accuracy
  }

  /// Returns whether the odometer's place is one that the fix rules out: a filter overshoots a sudden stop, and
  /// follows several outliers in a row. An outlier lies far off, and few fixes agree with it.
  func contradicts(_ settled: SIMD3<Double>, agreeing: Int) -> Bool {
    let off = (settled - place).length
    return off > max(40, 2.5 * accuracy) && (off < 600 || agreeing >= 4)
  }

  /// Returns whether the fix lies far from both of its neighbours, which lie together, and farther than anything goes
  /// in the time.
  func isTeleport(from before: StatedPlace, to next: StatedPlace) -> Bool {
    let out = (place - before.place).length, back = (place - next.place).length
    guard min(out, back) > 500 + 3 * (before.accuracy + next.accuracy) else { return false }
    return (before.place - next.place).length < 0.3 * min(out, back)
      && out > 40 * time.seconds(since: before.time) && back > 40 * next.time.seconds(since: time)
  }
}
