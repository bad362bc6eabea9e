public import WhereaboutsModel

/// A classifier of the device's motion, from fixes alone.
///
/// The classifier first decides whether the device moves. Stated speeds are trusted, averaged over some seconds in
/// one direction (`StatedSpeeds`). Without them, or if their stated error explains them, the positions must have moved
/// by more than their error explains (`PositionTrail`). Positions of a device at rest wander, by tens of metres between
/// walls, which is no motion. In doubt, the device moves or stands as before.
///
/// The classifier then finds the kind of motion, from typical speeds (`MotionClassFilter`). `Motion/moving` is
/// reported while no kind is probable enough. A stop shorter than `Motion/Settings/stopTime` changes nothing. After
/// a longer stop, the previous kind is the most probable.
///
/// The caller's activity is trusted while it is possible: on foot, up to 8 m/s for ten seconds. A boat has no motion
/// of its own: it is `Motion/moving`, as is an aircraft on the ground.
///
/// Past fixes are not examined again, so a change may have begun before its report (`Motion/Change/since`). Each fix
/// costs the same, and allocates nothing.
public struct MotionClassifier: Sendable {
  /// The settings of the classifier.
  public let settings: Motion.Settings
  /// The motion of the device as of the last fix.
  public private(set) var motion = Motion.unknown
  /// The time of the last fix that was processed; `nil` before the first.
  public private(set) var lastTime: UTCTime?

  private var activity = Activity.other
  /// The beginning of the present motion.
  private var motionSince: UTCTime?
  private var speeds = StatedSpeeds()
  private var trail: PositionTrail
  private var classes = MotionClassFilter(.other)
  /// The time since which the device has been faster than its activity allows.
  private var tooFastSince: UTCTime?
  /// Whether the device has been too fast for too long to trust the activity.
  private var ignoresActivity = false
  /// The time of the first fix that has shown movement since the device stood or the motion was reset; `nil` if
  /// none has. A fix that shows neither changes nothing.
  private var movingSince: UTCTime?
  /// A speed of some seconds ago with its error, both in metres per second.
  private var earlierSpeed: (speed: Double, error: Double, time: UTCTime)?
  /// The time of the last fix whose stated speeds showed movement.
  private var statedMovementTime: UTCTime?
  /// The time since which positions have shown movement while the stated speeds show none.
  private var speedsContradictedSince: UTCTime?
  /// Whether positions have contradicted a stated standstill, and have shown none since.
  private var positionsDecide = false
  /// Whether stated speeds have been contradicted for too long to be trusted: some sources state 0 for "not known".
  private var ignoresStatedSpeeds = false

  /// Creates a classifier without any fix.
  public init(_ settings: Motion.Settings = .standard) {
    let settings = Motion.Settings(
      stopTime: settings.stopTime, silence: settings.silence, confidence: settings.confidence)
    self.settings = settings
    trail = PositionTrail(stopTime: settings.stopTime)
  }

  /// Processes a fix. A fix without a time, or not later than the one before, is ignored.
  ///
  /// - Parameters:
  ///   - fix: the fix.
  ///   - activity: the way in which the device is carried, as far as known.
  /// - Returns: the change that the fix shows; `nil` if the fix shows none, or is ignored.
  public mutating func process(_ fix: Fix, activity: Activity = .other) -> Motion.Change? {
    guard let time = fix.time, lastTime.map({ time > $0 }) ?? true else { return nil }
    if activity != self.activity { setActivity(activity) }
    var silence: Motion.Change?
    if let lastTime, time.since(lastTime) > settings.silence {
      silence = processSilence()
      clearState()
    }
    let seconds = lastTime.map { time.seconds(since: $0) } ?? 0
    lastTime = time
    let speed = fix.speed.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    if let speed {
      speeds.add(
        speed, course: fix.course.flatMap { $0.isFinite ? $0 : nil },
        accuracy: fix.speedAccuracy.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }, at: time)
    }
    trail.process(fix.coordinate, accuracy: fix.horizontalAccuracy, at: time)
    let change = apply(evidence(speed: speed, at: time), at: time, seconds: seconds)
    // After a silence, the classifier starts anew, so this fix alone shows nothing.
    return silence ?? change
  }

  /// Processes a silence longer than `Motion/Settings/silence`.
  ///
  /// - Returns: the change to an unknown motion; `nil` if the motion was unknown before.
  public mutating func processSilence() -> Motion.Change? {
    guard let last = lastTime else { return nil }
    return change(
      to: .unknown, at: last.advanced(by: settings.silence), since: last, speed: nil,
      .silence(seconds: settings.silence.inSeconds))
  }

  /// Resets the motion: later fixes do not continue the earlier ones.
  ///
  /// - Returns: the change to an unknown motion; `nil` if the motion was unknown before.
  public mutating func reset() -> Motion.Change? {
    defer {
      clearState()
      lastTime = nil
      motion = .unknown
    }
    guard let last = lastTime else { return nil }
    return change(to: .unknown, at: last, since: last, speed: nil, .begunAnew)
  }

  private mutating func clearState() {
    speeds = StatedSpeeds()
    trail.removeAll()
    earlierSpeed = nil
    movingSince = nil
    statedMovementTime = nil
    positionsDecide = false
    speedsContradictedSince = nil
    ignoresStatedSpeeds = false
    setActivity(activity)
  }

  private mutating func setActivity(_ activity: Activity) {
    self.activity = activity
    classes = MotionClassFilter(activity)
    tooFastSince = nil
    ignoresActivity = false
  }

  // MARK: Movement

  private enum Evidence {
    case moving(speed: Double, error: Double, Motion.Change.Reason)
    case standing(since: UTCTime)
    case none
  }

  /// The duration, in seconds, and the significance, in deviations, of a contradiction that ends trust in stated
  /// speeds.
  private static let contradiction = (seconds: 20.0, significance: 8.0)

  private var isStanding: Bool { motion == .still || motion == .unknown }

  private mutating func evidence(speed: Double?, at time: UTCTime) -> Evidence {
    // A receiver that states speeds may leave one out.
    guard !ignoresStatedSpeeds, let lastStated = speeds.lastTime, time.seconds(since: lastStated) < 4 else {
      return positionEvidence(at: time)
    }
    if let since = speeds.slowSince,
      time.seconds(since: since) >= 3 || !speeds.isMoving(isStanding: isStanding)
    {
      return isContradicted(since: since, at: time) ? positionEvidence(at: time) : .standing(since: since)
    }
    speedsContradictedSince = nil
    guard speeds.isMoving(isStanding: isStanding) else {
      return speeds.isWithinError ? unclearSpeedEvidence(at: time) : .none
    }
    statedMovementTime = time
    positionsDecide = false
    return .moving(speed: speed ?? speeds.directedMean, error: 0.2, .statedSpeed(speeds.directedMean))
  }

  /// Returns the evidence of the positions where they decide against the stated speeds or without them.
  private mutating func positionEvidence(at time: UTCTime) -> Evidence {
    let evidence = trailEvidence(at: time)
    // A standstill that was stated before this movement does not continue after it.
    if case .moving = evidence { speeds.endStandstill() }
    return evidence
  }

  /// Returns the evidence of the positions for stated speeds within their error. A standstill cannot have begun before
  /// the last stated movement.
  private func unclearSpeedEvidence(at time: UTCTime) -> Evidence {
    let evidence = trailEvidence(at: time)
    guard case .standing(let since) = evidence, let moved = statedMovementTime else { return evidence }
    return .standing(since: max(since, moved))
  }

  /// Returns whether positions contradict a stated standstill.
  ///
  /// A speed above 0 is a measurement. Positions contradict it only as far as its stated error allows, and only until
  /// they show a standstill or the speeds show a movement.
  private mutating func isContradicted(since slow: UTCTime, at time: UTCTime) -> Bool {
    if positionsDecide {
      if case .standing = trail.finding(isStanding: isStanding) { positionsDecide = false }
      return positionsDecide
    }
    // A slow speed in one direction may be a slow walk.
    if speeds.exceedsStandstill, speeds.isWithinError, case .moving = trail.finding(isStanding: isStanding) {
      return true
    }
    let isZero = speeds.mean.map { $0 < 0.01 } ?? false
    guard case .moving(let displacement) = trail.finding(isStanding: true),
      displacement.significance >= Self.contradiction.significance,
      displacement.seconds <= time.seconds(since: slow),
      isZero || displacement.speed >= StatedSpeeds.standstillSpeed && speeds.allows(displacement.speed)
    else {
      speedsContradictedSince = nil
      return false
    }
    let since = speedsContradictedSince ?? time
    speedsContradictedSince = since
    guard time.seconds(since: since) >= Self.contradiction.seconds else { return false }
    ignoresStatedSpeeds = isZero
    positionsDecide = true
    return true
  }

  private func trailEvidence(at time: UTCTime) -> Evidence {
    switch trail.finding(isStanding: isStanding) {
    case .moving(let displacement):
      var speed = displacement
      // The latest displacement is the better measure of the speed, unless it contains a jump.
      if let latest = trail.latest, latest.significance >= PositionTrail.significance,
        latest.speed < 2 * displacement.speed
      {
        speed = latest
      }
      return .moving(
        speed: speed.speed, error: speed.speedError,
        .displaced(
          metres: displacement.metres, error: displacement.error, seconds: displacement.seconds))
    case .standing(let seconds): return .standing(since: time.advanced(by: .seconds(-seconds)))
    case .unclear: return .none
    }
  }

  // MARK: Motion classes

  private mutating func apply(_ evidence: Evidence, at time: UTCTime, seconds: Double) -> Motion.Change? {
    switch evidence {
    case .none:
      return nil
    case .standing(let since):
      classes.advanceAtRest(seconds: seconds)
      movingSince = nil
      earlierSpeed = nil
      tooFastSince = nil
      guard time.since(since) >= settings.stopTime else { return nil }
      return change(
        to: .still, at: time, since: since, speed: 0, .stood(seconds: time.seconds(since: since)))
    case .moving(let speed, let error, let reason):
      guard let since = movingSince else {
        // A single occurrence may be an error.
        movingSince = time
        return nil
      }
      doubtActivity(at: speed, time)
      if speed >= StatedSpeeds.standstillSpeed {
        classes.update(speed: speed, error: error, seconds: seconds, riding: motion)
      }
      updateClasses(of: speed, error: error, at: time)
      return change(toMovingAt: speed, reason, at: time, since: since)
    }
  }

  private mutating func updateClasses(of speed: Double, error: Double, at time: UTCTime) {
    guard let before = earlierSpeed else {
      earlierSpeed = (speed, error, time)
      return
    }
    let seconds = time.seconds(since: before.time)
    guard seconds >= 2 else { return }
    earlierSpeed = (speed, error, time)
    guard seconds <= 10 else { return }
    let certain = speed - before.speed - (error * error + before.error * before.error).squareRoot()
    classes.update(power: certain / seconds * (speed + before.speed) / 2, seconds: seconds)
  }

  private mutating func doubtActivity(at speed: Double, _ time: UTCTime) {
    guard !ignoresActivity, let limit = activity.sustainedSpeed, speed > limit else {
      tooFastSince = nil
      return
    }
    let since = tooFastSince ?? time
    tooFastSince = since
    guard time.seconds(since: since) >= 10 else { return }
    ignoresActivity = true
    classes = MotionClassFilter(.other)
  }

  private mutating func change(
    toMovingAt speed: Double, _ reason: Motion.Change.Reason, at time: UTCTime, since: UTCTime
  ) -> Motion.Change? {
    let best = classes.best
    if best.probability >= settings.confidence {
      // One motion changes into another gradually; motion reported as `moving` has been of this class from its start.
      return change(
        to: reportedMotion(best.motion), at: time,
        since: isStanding ? since : motion == .moving ? motionSince ?? time : time,
        speed: speed,
        .typicalSpeeds(probability: best.probability))
    }
    // The class stays until another one is clear, or until this one is impossible.
    let isOver = motion != .moving && classes.probability(of: motion) < (1 - settings.confidence) / 4
    guard isStanding || isOver else { return nil }
    return change(to: .moving, at: time, since: isStanding ? since : time, speed: speed, reason)
  }

  /// Returns the motion to report. Boats and aircraft on the ground have no class of their own.
  private func reportedMotion(_ motion: Motion) -> Motion {
    guard motion == .driving, !ignoresActivity, activity == .boat || activity == .air else { return motion }
    return .moving
  }

  private mutating func change(
    to new: Motion, at time: UTCTime, since: UTCTime, speed: Double?, _ reason: Motion.Change.Reason
  ) -> Motion.Change? {
    guard new != motion else { return nil }
    defer {
      motion = new
      motionSince = since
    }
    return Motion.Change(from: motion, to: new, time: time, since: since, speed: speed, because: reason)
  }
}
