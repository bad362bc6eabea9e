/// The device moves otherwise than before, and why that is thought.
public struct MotionChange: Hashable, Sendable, Codable {
  /// What shows that the motion has changed.
  public enum Reason: Hashable, Sendable, Codable {
    /// For so many seconds no fix has shown that it moved.
    case stood(seconds: Double)
    /// It has come so many metres in so many seconds, which an error of the fixes does not explain: that is so many
    /// metres at one standard deviation.
    case displaced(metres: Double, error: Double, seconds: Double)
    /// Its source has stated speeds that last, in one direction: so many metres per second on average.
    case statedSpeed(Double)
    /// Speeds of late are typical of it with this probability, in [0, 1].
    case typicalSpeeds(probability: Double)
    /// There has been no fix for so many seconds.
    case silence(seconds: Double)
    /// What comes does not continue what came before: the source or its time began anew, or fixes might not be had.
    case begunAnew
  }

  /// How it moved before.
  public var from: Motion
  /// How it moves now.
  public var to: Motion
  /// The time of the fix that shows it; after a silence, when that had lasted long enough.
  public var time: UTCTime
  /// Since when, as far as can be told: a stop is known after ``MotionSettings/stopTime``, and began before. Never later
  /// than ``time``.
  public var since: UTCTime
  /// How fast it is now, in metres per second; `nil` where that is not known.
  public var speed: Double?
  /// What shows it.
  public var because: Reason

  /// A change of motion.
  public init(from: Motion, to: Motion, time: UTCTime, since: UTCTime, speed: Double?, because: Reason) {
    self.from = from
    self.to = to
    self.time = time
    self.since = since
    self.speed = speed
    self.because = because
  }
}
