/// How things stand with a tracker.
public struct TrackUpdate: Hashable, Sendable, Codable {
  /// What it is doing.
  public var phase: TrackPhase
  /// What is settled.
  public var totals: TrackTotals
  /// How far the device has come since, in metres, as it seems now; what is settled of it later may be more or less.
  public var ahead: Double
  /// Until when the way is settled; `nil` before anything is.
  public var settledTo: UTCTime?
  /// How fast the device is now, in metres per second; `nil` where that is not known.
  public var speed: Double?
  /// How it moves.
  public var motion: Motion
  /// How good the signal is.
  public var signal: SignalStrength
  /// The last fix that was taken.
  public var fix: Fix?
  /// Fixes since the last reset that came too late to count: later than ``OdometerSettings/lateness``, or for
  /// ``DistanceMethod/candidates(_:)`` after a newer one.
  public var leftOut: Int
  /// Fixes since the last reset of whose time there was one already. They do no harm.
  public var doubled: Int

  /// How far the device has come, in metres, as it seems now. May fall a little when it is settled.
  public var liveDistance: Double { totals.distance + ahead }

  /// How things stand.
  public init(
    phase: TrackPhase, totals: TrackTotals, ahead: Double, settledTo: UTCTime?, speed: Double?,
    motion: Motion, signal: SignalStrength, fix: Fix?, leftOut: Int = 0, doubled: Int = 0
  ) {
    self.phase = phase
    self.totals = totals
    self.ahead = ahead
    self.settledTo = settledTo
    self.speed = speed
    self.motion = motion
    self.signal = signal
    self.fix = fix
    self.leftOut = leftOut
    self.doubled = doubled
  }
}
