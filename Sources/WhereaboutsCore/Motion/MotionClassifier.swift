/// Tells from fixes alone how the device is moving.
///
/// First whether it moves. A source that states speeds is believed, averaged over some seconds and as far as they go one
/// way (`StatedSpeeds`); without them the positions must have moved by more than their error explains (`PositionTrail`).
/// The positions of a device at rest wander, by tens of metres between walls, and that is no motion. In doubt it moves,
/// or stands, as before.
///
/// Then how it moves, by what speeds are typical of (`MovingClasses`). ``Motion/moving`` is told as long as none is
/// probable enough. A stop shorter than ``MotionSettings/stopTime`` changes nothing, and what it was before a longer one
/// is most probable after it.
///
/// What the caller says of the activity is taken at its word while it is possible: on foot nobody drives, up to 8 m/s
/// for ten seconds. A boat has no way of its own: it is ``Motion/moving``, as is an aircraft on the ground.
///
/// Nothing is looked at again, so a change is known when it is told and may have come before
/// (``MotionChange/since``). A fix costs the same whatever came before, and allocates nothing.
public struct MotionClassifier: Sendable {
  /// What it was made with.
  public let settings: MotionSettings
  /// How the device moves, as the last fix has it.
  public private(set) var motion = Motion.unknown
  /// The time of the last fix that was taken.
  public private(set) var lastTime: UTCTime?

  private var activity = Activity.other
  /// Since when it moves as it does.
  private var motionSince: UTCTime?
  private var speeds = StatedSpeeds()
  private var trail: PositionTrail
  private var classes = MovingClasses(.other)
  /// Since when it has been faster than its activity can be.
  private var tooFastSince: UTCTime?
  /// Whether it has been so for too long to believe the activity.
  private var disbelieves = false
  /// The first of the latest run of fixes by which it moves.
  private var movesSince: UTCTime?
  /// A stated speed of some seconds ago.
  private var speedBefore: (speed: Double, error: Double, time: UTCTime)?
  /// Since when positions have shown a way while the speeds that are stated show none.
  private var contradictedSince: UTCTime?
  /// Whether that has been so for too long to believe what is stated: some sources state 0 for "not known".
  private var distrustsSpeeds = false

  /// A classifier that knows nothing yet.
  public init(_ settings: MotionSettings = .standard) {
    let settings = MotionSettings(
      stopTime: settings.stopTime, silence: settings.silence, confidence: settings.confidence)
    self.settings = settings
    trail = PositionTrail(stopTime: settings.stopTime)
  }

  /// Takes a fix. One without a time, or not later than the one before, is passed over.
  ///
  /// - Parameter activity: how the device is being carried, as far as that is known.
  /// - Returns: the change that it shows, if it does.
  public mutating func take(_ fix: Fix, activity: Activity = .other) -> MotionChange? {
    guard let time = fix.time, lastTime.map({ time > $0 }) ?? true else { return nil }
    if activity != self.activity { take(activity) }
    var silence: MotionChange?
    if let lastTime, time.since(lastTime) > settings.silence {
      silence = fallSilent()
      forget()
    }
    let seconds = lastTime.map { time.seconds(since: $0) } ?? 0
    lastTime = time
    let speed = fix.speed.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    if let speed {
      speeds.take(
        speed, course: fix.course.flatMap { $0.isFinite ? $0 : nil },
        accuracy: fix.speedAccuracy.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }, at: time)
    }
    trail.take(fix.coordinate, accuracy: fix.horizontalAccuracy, at: time)
    let change = change(evidence(speed: speed, at: time), at: time, seconds: seconds)
    // After a silence all begins anew, so that this fix alone shows nothing.
    return silence ?? change
  }

  /// No fix has come for longer than ``MotionSettings/silence``.
  public mutating func fallSilent() -> MotionChange? {
    guard let last = lastTime else { return nil }
    return change(
      to: .unknown, at: last.advanced(by: settings.silence), since: last, speed: nil,
      .silence(seconds: settings.silence.inSeconds))
  }

  /// What comes next does not continue what came before.
  public mutating func beginAnew() -> MotionChange? {
    defer {
      forget()
      lastTime = nil
      motion = .unknown
    }
    guard let last = lastTime else { return nil }
    return change(to: .unknown, at: last, since: last, speed: nil, .begunAnew)
  }

  private mutating func forget() {
    speeds = StatedSpeeds()
    trail.removeAll()
    speedBefore = nil
    movesSince = nil
    contradictedSince = nil
    distrustsSpeeds = false
    take(activity)
  }

  private mutating func take(_ activity: Activity) {
    self.activity = activity
    classes = MovingClasses(activity)
    tooFastSince = nil
    disbelieves = false
  }

  // MARK: Whether it moves

  private enum Evidence {
    case moves(speed: Double, error: Double, MotionChange.Reason)
    case stands(since: UTCTime)
    case none
  }

  /// How long stated speeds must be contradicted to be believed no more, in seconds, and by how many deviations.
  private static let contradiction = (seconds: 20.0, significance: 8.0)

  private var isStanding: Bool { motion == .still || motion == .unknown }

  private mutating func evidence(speed: Double?, at time: UTCTime) -> Evidence {
    // A receiver that states speeds may leave one out.
    guard !distrustsSpeeds, let lastStated = speeds.lastTime, time.seconds(since: lastStated) < 4 else {
      return evidenceOfTrail(at: time)
    }
    if let since = speeds.slowSince, time.seconds(since: since) >= 3 || !speeds.moves(isStanding: isStanding)
    {
      return isContradicted(since: since, at: time) ? evidenceOfTrail(at: time) : .stands(since: since)
    }
    contradictedSince = nil
    guard speeds.moves(isStanding: isStanding) else { return .none }
    return .moves(speed: speed ?? speeds.steady, error: 0.2, .statedSpeed(speeds.steady))
  }

  private mutating func isContradicted(since slow: UTCTime, at time: UTCTime) -> Bool {
    guard speeds.mean.map({ $0 < 0.01 }) ?? false, case .moves(let way) = trail.finding(isStanding: true),
      way.significance >= Self.contradiction.significance, way.seconds <= time.seconds(since: slow)
    else {
      contradictedSince = nil
      return false
    }
    let since = contradictedSince ?? time
    contradictedSince = since
    distrustsSpeeds = time.seconds(since: since) >= Self.contradiction.seconds
    return distrustsSpeeds
  }

  private func evidenceOfTrail(at time: UTCTime) -> Evidence {
    switch trail.finding(isStanding: isStanding) {
    case .moves(let way):
      var speed = way
      // The latest says more of how fast it is, unless a jump is in it.
      if let latest = trail.latest, latest.significance >= PositionTrail.significance,
        latest.speed < 2 * way.speed
      {
        speed = latest
      }
      return .moves(
        speed: speed.speed, error: speed.speedError,
        .displaced(metres: way.metres, error: way.error, seconds: way.seconds))
    case .stands(let seconds): return .stands(since: time.advanced(by: .seconds(-seconds)))
    case .unclear: return .none
    }
  }

  // MARK: How it moves

  private mutating func change(_ evidence: Evidence, at time: UTCTime, seconds: Double) -> MotionChange? {
    switch evidence {
    case .none:
      return nil
    case .stands(let since):
      classes.rest(seconds: seconds)
      movesSince = nil
      speedBefore = nil
      tooFastSince = nil
      guard time.since(since) >= settings.stopTime else { return nil }
      return change(
        to: .still, at: time, since: since, speed: 0, .stood(seconds: time.seconds(since: since)))
    case .moves(let speed, let error, let reason):
      guard let since = movesSince else {
        // What happens once may be a slip.
        movesSince = time
        return nil
      }
      doubtActivity(at: speed, time)
      if speed >= StatedSpeeds.slow {
        classes.take(speed: speed, error: error, seconds: seconds, riding: motion)
      }
      takeGain(of: speed, error: error, at: time)
      return change(toMovingAt: speed, reason, at: time, since: since)
    }
  }

  private mutating func takeGain(of speed: Double, error: Double, at time: UTCTime) {
    guard let before = speedBefore else {
      speedBefore = (speed, error, time)
      return
    }
    let seconds = time.seconds(since: before.time)
    guard seconds >= 2 else { return }
    speedBefore = (speed, error, time)
    guard seconds <= 10 else { return }
    let certain = speed - before.speed - (error * error + before.error * before.error).squareRoot()
    classes.take(power: certain / seconds * (speed + before.speed) / 2, seconds: seconds)
  }

  private mutating func doubtActivity(at speed: Double, _ time: UTCTime) {
    guard !disbelieves, let limit = activity.sustainedSpeed, speed > limit else {
      tooFastSince = nil
      return
    }
    let since = tooFastSince ?? time
    tooFastSince = since
    guard time.seconds(since: since) >= 10 else { return }
    disbelieves = true
    classes = MovingClasses(.other)
  }

  private mutating func change(
    toMovingAt speed: Double, _ reason: MotionChange.Reason, at time: UTCTime, since: UTCTime
  ) -> MotionChange? {
    let best = classes.best
    if best.probability >= settings.confidence {
      // One way of moving passes into another by and by; what was just a motion has been of this kind all along.
      return change(
        to: named(best.motion), at: time,
        since: isStanding ? since : motion == .moving ? motionSince ?? time : time,
        speed: speed,
        .typicalSpeeds(probability: best.probability))
    }
    // What it was it stays until something else is clear, or it can't be that any more.
    let isOver = motion != .moving && classes.probability(of: motion) < (1 - settings.confidence) / 4
    guard isStanding || isOver else { return nil }
    return change(to: .moving, at: time, since: isStanding ? since : time, speed: speed, reason)
  }

  /// Boats and aircraft on the ground have no name of their own.
  private func named(_ motion: Motion) -> Motion {
    guard motion == .driving, !disbelieves, activity == .boat || activity == .air else { return motion }
    return .moving
  }

  private mutating func change(
    to new: Motion, at time: UTCTime, since: UTCTime, speed: Double?, _ reason: MotionChange.Reason
  ) -> MotionChange? {
    guard new != motion else { return nil }
    defer {
      motion = new
      motionSince = since
    }
    return MotionChange(from: motion, to: new, time: time, since: since, speed: speed, because: reason)
  }
}
