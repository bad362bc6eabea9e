import WhereaboutsGeodesy

/// Tells from fixes alone how the device is moving.
public struct MotionClassifier: Sendable {
  /// What it was made with.
  public let settings: MotionSettings
  /// How the device moves, as the last fix has it.
  public private(set) var motion = Motion.unknown
  /// The time of the last fix that was taken.
  public private(set) var lastTime: UTCTime?

  private var standingSince: UTCTime?

  /// A classifier that knows nothing yet.
  public init(_ settings: MotionSettings = .standard) {
    self.settings = MotionSettings(
      stopTime: settings.stopTime, silence: settings.silence, confidence: settings.confidence)
  }

  /// Takes a fix. One without a time, or not later than the one before, is passed over.
  ///
  /// - Parameter activity: how the device is being carried, as far as that is known.
  /// - Returns: the change that it shows, if it does.
  public mutating func take(_ fix: Fix, activity: Activity = .other) -> MotionChange? {
    guard let time = fix.time, lastTime.map({ time > $0 }) ?? true else { return nil }
    lastTime = time
    guard let speed = fix.speed else { return nil }
    guard speed < 0.5 else {
      standingSince = nil
      return change(to: .moving, at: time, since: time, speed: speed, .statedSpeed(speed))
    }
    let since = standingSince ?? time
    standingSince = since
    guard time.since(since) >= settings.stopTime else { return nil }
    return change(
      to: .still, at: time, since: since, speed: 0, .stood(seconds: time.seconds(since: since)))
  }

  /// No fix has come for longer than ``MotionSettings/silence``.
  public mutating func fallSilent() -> MotionChange? {
    guard let last = lastTime else { return nil }
    let seconds = settings.silence.inSeconds
    return change(
      to: .unknown, at: last.advanced(by: settings.silence), since: last, speed: nil,
      .silence(seconds: seconds))
  }

  /// What comes next does not continue what came before.
  public mutating func beginAnew() -> MotionChange? {
    defer { self = MotionClassifier(settings) }
    guard let last = lastTime else { return nil }
    return change(to: .unknown, at: last, since: last, speed: nil, .begunAnew)
  }

  private mutating func change(
    to new: Motion, at time: UTCTime, since: UTCTime, speed: Double?, _ reason: MotionChange.Reason
  ) -> MotionChange? {
    guard new != motion else { return nil }
    defer { motion = new }
    return MotionChange(from: motion, to: new, time: time, since: since, speed: speed, because: reason)
  }
}
