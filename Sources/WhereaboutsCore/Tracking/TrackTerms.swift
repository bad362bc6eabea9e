/// What a tracker is asked: how the way is measured, and how often it tells.
public struct TrackTerms: Hashable, Sendable, Codable {
  /// How the device is being carried.
  public var activity: Activity
  /// How good the source's signal must be to be called strong, and when it is called weak for good.
  public var signal: SignalSettings
  /// How the way is worked out from the fixes.
  public var method: DistanceMethod
  /// The least time between two updates; a turn may come before.
  public var calculationInterval: Duration
  /// The turn, in degrees in [0, 180], that is told before ``calculationInterval`` is over.
  public var turn: Double
  /// Whether each point of the way is told too, once it is settled.
  public var tellsPoints: Bool
  /// The name under which it is kept, to be gone on with by another process; `nil` where it ends with this one.
  public var trip: TripID?

  /// Terms of a tracker. The standards of interval and turn are those of CYLocationManager.
  public init(
    activity: Activity = .other, signal: SignalSettings = SignalSettings(),
    method: DistanceMethod = .estimated(OdometerSettings()), calculationInterval: Duration = .seconds(3),
    turn: Double = 30, tellsPoints: Bool = false, trip: TripID? = nil
  ) {
    self.activity = activity
    self.signal = signal
    self.method = method
    self.calculationInterval = max(.zero, calculationInterval)
    self.turn = turn >= 0 ? min(turn, 180) : 30
    self.tellsPoints = tellsPoints
    self.trip = trip
  }
}

/// How a way is worked out from fixes.
public enum DistanceMethod: Hashable, Sendable, Codable {
  /// From an estimate of how the device moved, which weighs everything a fix says.
  case estimated(OdometerSettings)
  /// From the best of a few fixes every so often, as CYLocationManager does.
  case candidates(CandidateSettings)
}
