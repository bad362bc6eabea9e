/// The terms of a tracker: distance method and rate of updates.
public struct TrackTerms: Hashable, Sendable, Codable {
  /// The way in which the device is carried.
  public var activity: Activity
  /// The thresholds that classify a signal as strong or consistently weak.
  public var signal: SignalStrength.Settings
  /// The method by which the distance is derived from the fixes.
  public var method: Method
  /// The least time between two updates; a turn may cause an earlier one.
  public var calculationInterval: Duration
  /// The turn, in degrees in [0, 180], that is reported before ``calculationInterval`` is over.
  public var turn: Double
  /// Whether each point of the track is reported too, once it is settled.
  public var reportsPoints: Bool
  /// The name under which the count is stored, so that another process can resume it; `nil` where it ends with this
  /// process.
  ///
  /// A tracker that resumes a trip measures by the ``activity`` and the ``method`` that the trip began with, until a
  /// reset or an erasure of the engine's state. With a store, the name of an ended trip is not used again: the tracker
  /// ends with ``TrackPhase/Cause/tripEnded(_:)``. So give each trip its own name, as by its date. The next manager of
  /// the store can use the name of an erased trip again.
  ///
  /// One live tracker at a time has the trip. Another tracker of the name counts on its own, and is not stored, until it
  /// receives the trip: when the tracker that has the trip is released or ends with the trip left open, or when the
  /// other one is started while the tracker that has the trip does not count. The trip's totals replace its own count
  /// then. The end of the trip ends all trackers of the name.
  public var trip: TripID?

  /// Creates the terms of a tracker. The standard interval and turn are those of CYLocationManager. A negative interval
  /// counts as zero, a turn above 180 as 180, and one that is negative or not a number as 30.
  public init(
    activity: Activity = .other, signal: SignalStrength.Settings = SignalStrength.Settings(),
    method: Method = .estimated(OdometerSettings()), calculationInterval: Duration = .seconds(3),
    turn: Double = 30, reportsPoints: Bool = false, trip: TripID? = nil
  ) {
    self.activity = activity
    self.signal = signal
    self.method = method
    self.calculationInterval = max(.zero, calculationInterval)
    self.turn = turn >= 0 ? min(turn, 180) : 30
    self.reportsPoints = reportsPoints
    self.trip = trip
  }
}

extension TrackTerms {
  /// The method by which the distance is derived from fixes.
  public enum Method: Hashable, Sendable, Codable {
    /// From an estimate of the device's movement, which weighs all data of a fix.
    case estimated(OdometerSettings)
    /// From the best of a few fixes at intervals, as CYLocationManager does.
    case candidates(CandidateSettings)
  }
}
