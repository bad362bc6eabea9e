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
  private var speedBefore: (speed: Double, time: UTCTime)?

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
    if let speed = fix.speed {
      speeds.take(speed, course: fix.course, accuracy: fix.speedAccuracy, at: time)
    }
    let evidence = evidence(
      trail.take(fix.coordinate, accuracy: fix.horizontalAccuracy, at: time), speed: fix.speed, at: time)
    return silence ?? change(evidence, at: time, seconds: seconds)
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

  private mutating func evidence(_ trail: PositionTrail.Finding, speed: Double?, at time: UTCTime) -> Evidence
  {
    // A receiver that states speeds may leave one out.
    guard let lastStated = speeds.lastTime, time.seconds(since: lastStated) < 4 else {
      switch trail {
      case .moves(let way):
        return .moves(
          speed: way.metres / way.seconds, error: way.error / way.seconds,
          .displaced(metres: way.metres, error: way.error, seconds: way.seconds))
      case .stands(let seconds): return .stands(since: time.advanced(by: .seconds(-seconds)))
      case .unclear: return .none
      }
    }
    if speeds.moves(isStanding: motion == .still || motion == .unknown) {
      return .moves(speed: speed ?? speeds.steady, error: 0.2, .statedSpeed(speeds.steady))
    }
    if let since = speeds.slowSince { return .stands(since: since) }
    return .none
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
      guard time.since(since) >= settings.stopTime else { return nil }
      return change(
        to: .still, at: time, since: since, speed: 0, .stood(seconds: time.seconds(since: since)))
    case .moves(let speed, let error, let reason):
      let since = movesSince ?? time
      // What happens once may be a slip.
      guard movesSince != nil else {
        movesSince = time
        return nil
      }
      classes.take(speed: speed, error: error, gain: gain(of: speed, at: time), seconds: seconds)
      return change(toMovingAt: speed, reason, at: time, since: since)
    }
  }

  private mutating func gain(of speed: Double, at time: UTCTime) -> Double? {
    guard let before = speedBefore else {
      speedBefore = (speed, time)
      return nil
    }
    let seconds = time.seconds(since: before.time)
    guard seconds >= 2 else { return nil }
    speedBefore = (speed, time)
    return seconds <= 5 ? (speed - before.speed) / seconds : nil
  }

  private mutating func change(
    toMovingAt speed: Double, _ reason: MotionChange.Reason, at time: UTCTime, since: UTCTime
  ) -> MotionChange? {
    let best = classes.best
    if best.probability >= settings.confidence {
      return change(
        to: best.motion, at: time, since: since, speed: speed, .typicalSpeeds(probability: best.probability))
    }
    let isMoving = motion != .still && motion != .unknown
    guard !isMoving || motion != .moving && classes.probability(of: motion) < 1 - settings.confidence else {
      return nil
    }
    return change(to: .moving, at: time, since: since, speed: speed, reason)
  }

  private mutating func change(
    to new: Motion, at time: UTCTime, since: UTCTime, speed: Double?, _ reason: MotionChange.Reason
  ) -> MotionChange? {
    guard new != motion else { return nil }
    defer { motion = new }
    return MotionChange(from: motion, to: new, time: time, since: since, speed: speed, because: reason)
  }
}
