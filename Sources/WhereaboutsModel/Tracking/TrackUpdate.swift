/// The state of a tracker.
public struct TrackUpdate: Hashable, Sendable, Codable {
  /// The phase of the tracker.
  public var phase: TrackPhase
  /// The settled totals.
  public var totals: TrackTotals
  /// The provisional distance since ``settledTo``, in metres; the distance settled later may be more or less.
  public var ahead: Double
  /// The time up to which the track is settled; `nil` before anything is.
  public var settledTo: UTCTime?
  /// The present speed of the device, in metres per second; `nil` where unknown.
  public var speed: Double?
  /// The motion of the device.
  public var motion: Motion
  /// The signal strength.
  public var signal: SignalStrength
  /// The last fix that was processed; `nil` before the first.
  public var fix: Fix?
  /// The number of fixes since the last reset that arrived too late to count: later than ``OdometerSettings/lateness``,
  /// or for ``TrackTerms/Method/candidates(_:)`` after a newer one.
  public var lateFixes: Int
  /// The number of fixes dropped since the last reset because an earlier fix has the same time.
  public var duplicates: Int

  /// The distance travelled so far, in metres. May decrease a little when provisional distance is settled.
  public var liveDistance: Double { totals.distance + ahead }

  /// Creates an update.
  public init(
    phase: TrackPhase, totals: TrackTotals, ahead: Double, settledTo: UTCTime?, speed: Double?,
    motion: Motion, signal: SignalStrength, fix: Fix?, lateFixes: Int = 0, duplicates: Int = 0
  ) {
    self.phase = phase
    self.totals = totals
    self.ahead = ahead
    self.settledTo = settledTo
    self.speed = speed
    self.motion = motion
    self.signal = signal
    self.fix = fix
    self.lateFixes = lateFixes
    self.duplicates = duplicates
  }
}
