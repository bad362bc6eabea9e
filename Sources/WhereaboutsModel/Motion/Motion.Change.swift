extension Motion {
  /// A change of the device's motion, with the evidence.
  public struct Change: Hashable, Sendable, Codable {
    /// The evidence of a change of motion.
    public enum Reason: Hashable, Sendable, Codable {
      /// No fix has shown movement for this many seconds.
      case stood(seconds: Double)
      /// The device has moved by these metres in these seconds, more than the fixes' error explains; `error` is one
      /// standard deviation, in metres.
      case displaced(metres: Double, error: Double, seconds: Double)
      /// The source has stated lasting speeds in one direction, on average this many metres per second.
      case statedSpeed(Double)
      /// Recent speeds are typical of the motion with this probability, in [0, 1].
      case typicalSpeeds(probability: Double)
      /// No fix has arrived for this many seconds.
      case silence(seconds: Double)
      /// Later fixes do not continue the earlier ones: the source or its time began anew, or fixes were not allowed.
      case begunAnew
    }

    /// The motion before.
    public var from: Motion
    /// The motion now.
    public var to: Motion
    /// The time of the fix that shows the change; after a silence, the time when it had lasted long enough.
    public var time: UTCTime
    /// The estimated beginning of the motion. A stop is known after ``Motion/Settings/stopTime``, and began before.
    /// Never later than ``time``.
    public var since: UTCTime
    /// The present speed, in metres per second; `nil` where unknown.
    public var speed: Double?
    /// The evidence of the change.
    public var because: Reason

    /// Creates a change of motion.
    public init(from: Motion, to: Motion, time: UTCTime, since: UTCTime, speed: Double?, because: Reason) {
      self.from = from
      self.to = to
      self.time = time
      self.since = since
      self.speed = speed
      self.because = because
    }
  }
}
