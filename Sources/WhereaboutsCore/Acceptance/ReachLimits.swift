extension Activity {
  /// The greatest speed at which a device may be carried like this, in metres per second.
  ///
  /// Meant to be exceeded by nobody, so that nothing real is refused.
  ///
  /// - Source: on foot, half as much again as the fastest ever measured (Hernández Gómez et al., *Eur. J. Phys.* 34,
  ///   2013: 12.2 m/s), since who walks may run; a bicycle on the longest descent; a road vehicle, 320 km/h; the
  ///   fastest ferries twice over; an airliner with the jet stream behind it, also where nothing is known. Background
  ///   trackers that know nothing of the activity use 60 m/s (Transistorsoft's `maxImpliedSpeed`), which refuses fast
  ///   trains and flights.
  public var greatestSpeed: Double {
    switch self {
    case .walk, .run: 18
    case .bike: 40
    case .car: 90
    case .boat: 50
    case .air, .other: 350
    }
  }

  /// The greatest acceleration that is kept up for seconds, in metres per second squared; braking and turning may be
  /// twice as hard.
  ///
  /// - Source: a runner's start over its first seconds (as above), which no bicycle exceeds; a sports car, from 0 to
  ///   100 km/h in 5.6 s, which no train, ship or airliner reaches. Twice that in braking and turning is the grip of
  ///   tyres on a dry road, about the acceleration of gravity. An aircraft in aerobatics does twice as much, and has to
  ///   be told.
  public var greatestAcceleration: Double {
    switch self {
    case .walk, .run, .bike: 4
    case .car, .boat, .other: 5
    case .air: 10
    }
  }
}

/// What a device can do, as far as is known of how it is carried.
struct ReachLimits: Sendable {
  /// Metres per second.
  var speed: Double
  /// Metres per second squared.
  var acceleration: Double

  /// How much harder than it speeds up a device can brake and turn.
  static let turning = 2.0

  /// How far it can come in so many seconds, in metres.
  ///
  /// ∫ min(v + a·s, V) ds from 0 to t, with v the speed at the beginning and V the greatest there can be, or v where
  /// that is more.
  ///
  /// - Parameter v: the speed at the beginning; `nil` where nothing is known of it, which counts as V.
  func reach(in seconds: Double, from v: Double?) -> Double {
    guard let v, v < speed else { return max(speed, v ?? 0) * seconds }
    let rise = min(seconds, (speed - v) / acceleration)
    return (v + acceleration / 2 * rise) * rise + speed * (seconds - rise)
  }
}
