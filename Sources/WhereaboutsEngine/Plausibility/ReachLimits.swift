public import WhereaboutsModel

extension Activity {
  /// The greatest speed of a device that is carried in this way, in metres per second.
  ///
  /// No device should exceed the limit, so that no real fix is refused.
  ///
  /// - Source: on foot, half as much again as the fastest ever measured (Hernández Gómez et al., *Eur. J. Phys.* 34,
  ///   2013: 12.2 m/s), since a walker may run. A bicycle: the longest descent; a road vehicle: 320 km/h; a boat: the
  /// fastest ferries twice over. An aircraft and an unknown activity: an airliner with the jet stream behind it.
  /// Background trackers without an activity use 60 m/s (Transistorsoft's `maxImpliedSpeed`), which refuses fast trains
  /// and flights.
  public var greatestSpeed: Double {
    switch self {
    case .walk, .run: 18
    case .bike: 40
    case .car: 90
    case .boat: 50
    case .air, .other: 350
    }
  }

  /// The greatest acceleration sustained for seconds, in metres per second squared; braking and turning may be twice
  /// as hard.
  ///
  /// - Source: a runner's start over its first seconds (as above), which no bicycle exceeds. A sports car, from 0 to
  ///   100 km/h in 5.6 s, which no train, ship or airliner reaches. Twice that in braking and turning is the grip of
  ///   tyres on a dry road, about the acceleration of gravity. An aircraft in aerobatics does twice as much, and
  ///   needs an explicit setting.
  public var greatestAcceleration: Double {
    switch self {
    case .walk, .run, .bike: 4
    case .car, .boat, .other: 5
    case .air: 10
    }
  }
}

/// The limits of a device's movement, for its known activity.
struct ReachLimits: Sendable {
  /// The speed in metres per second.
  var speed: Double
  /// The greatest acceleration in metres per second squared.
  var acceleration: Double

  /// The ratio of the greatest acceleration in braking and turning to that in speeding up.
  static let turningFactor = 2.0

  /// Returns the greatest distance that the device can cover in a time, in metres.
  ///
  /// ∫ min(v + a·s, V) ds from 0 to t, with v the speed at the beginning and V the greatest possible speed, or v
  /// where v is greater.
  ///
  /// - Parameters:
  ///   - seconds: the time.
  ///   - v: the speed at the beginning; `nil` where unknown, which counts as V.
  func reach(in seconds: Double, from v: Double?) -> Double {
    guard let v, v < speed else { return max(speed, v ?? 0) * seconds }
    let rise = min(seconds, (speed - v) / acceleration)
    return (v + acceleration / 2 * rise) * rise + speed * (seconds - rise)
  }
}
