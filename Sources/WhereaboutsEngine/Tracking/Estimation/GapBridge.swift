import WhereaboutsModel
import RealModule
import WhereaboutsGeodesy

/// An estimate of the distance travelled in a gap between fixes.
///
/// The least distance is the geodesic from one end to the other. Where the device moved at either end, it is also
/// likely to have moved between them. The model starts at the speed before the gap, ends at the speed after it, and
/// approaches the usual speed in between. Speed and place are both evidence of the distance, weighted by their errors. No
/// device travels for days: in a long gap, it travels at the usual speed for some hours only.
///
/// Where both ends are almost the same place, or no farther apart than usual fixes, the device most likely stood. Where
/// it entered and left along the straight line, at the speed that the line requires, it most likely travelled straight
/// across.
struct GapBridge: Sendable {
  /// An end of a gap.
  struct GapEnd: Sendable, Hashable, Codable {
    let time: UTCTime
    let place: SIMD3<Double>
    /// The variance of the place, in m² an axis.
    let variance: Double
    /// The speed in metres per second; 0 where the device stood.
    let speed: Double
    /// The earth-centred velocity in metres per second, and its variance an axis; `nil` in states of earlier versions.
    let velocity: SIMD3<Double>?
    let velocityVariance: Double?
    /// The usual interval between the fixes of this end, in seconds; `nil` in states of earlier versions.
    let interval: Double?

    init(_ node: TrackNode, isMoving: Bool, interval: Double) {
      time = node.sample.time
      place = node.smoothed.place
      variance = max(0, node.smoothed.covariance.pp)
      speed = isMoving ? node.speed : 0
      velocity = isMoving ? node.smoothed.velocity : nil
      velocityVariance = isMoving ? node.speedVariance : nil
      self.interval = interval
    }
  }

  /// The duration in seconds.
  let duration: Double
  /// The length of the geodesic between the ends by the fixes, in metres.
  let geodesic: Double
  /// The estimated distance, in metres, and its standard deviation.
  let estimate: Double
  let deviation: Double

  /// - Parameters:
  ///   - usualSpeed: the usual speed of the device in m/s; `nil` where unknown.
  ///   - isByDistance: whether the source reports a fix only after some metres. In the gap the device then went no
  ///     farther than the usual detour.
  init(
    from near: GapEnd, to far: GapEnd, usualSpeed: Double?, isByDistance: Bool = false, model: MotionModel
  ) {
    duration = far.time.seconds(since: near.time)
    geodesic = Self.geodesic(from: near.place, to: far.place)
    let noise = near.variance + far.variance
    // Two noisy ends are further apart than the true ones, by their variances in the plane.
    let straight = max(0, geodesic * geodesic - 2 * noise).squareRoot()
    let byPlace = straight * model.circuity
    let bySpeed = Self.length(from: near, to: far, min(duration, model.longestTravel), usualSpeed, model)
    guard bySpeed > 0 else {
      estimate = straight
      deviation = (noise + (byPlace - straight) * (byPlace - straight)).squareRoot()
      return
    }
    let speedVariance = (bySpeed * model.speedShare).squared
    let placeVariance = (max(byPlace, bySpeed) * model.circuityShare).squared + 2 * noise
    let weight = placeVariance / (placeVariance + speedVariance)
    let moved = max(straight, byPlace + (bySpeed - byPlace) * weight)
    // A device that stood went on after the last fix, and before the next one, for up to an interval of that end: a phone
    // at rest sends seldom. Its fixes may also end some seconds before the device stops, as in a garage.
    let start = far.speed * (far.interval ?? 0)
    let braking = near.speed * max(near.interval ?? 0, min(far.interval ?? 0, model.speedMemory))
    let stop = 2 * model.restartDeviation.squared + (braking.squared + start.squared) / 2
    let reach = Self.length(from: near, to: far, duration, usualSpeed, model)
    let chance = Self.probabilityOfMovement(geodesic, reach, noise + stop)
    let detour = (moved - straight) * chance
    let variance = weight * speedVariance + weight * (1 - weight) * (bySpeed - byPlace).squared
    let detourVariance = chance * variance + chance * (1 - chance) * (moved - straight).squared
    let direct = Self.probabilityOfStraightTravel(from: near, to: far, geodesic, duration, noise, model)
    let whole = straight + detour * (1 - direct)
    estimate = isByDistance ? min(whole, byPlace) : whole
    // A path that deviates to either side as far as it may and still appears straight.
    let swing = geodesic * model.straightShare.squared / 2
    deviation =
      ((1 - direct) * detourVariance + direct * (1 - direct) * detour.squared + direct * swing.squared
      + noise).squareRoot()
  }

  private static func geodesic(from near: SIMD3<Double>, to far: SIMD3<Double>) -> Double {
    guard let start = EarthCentred.coordinate(of: near), let end = EarthCentred.coordinate(of: far) else {
      return (far - near).length
    }
    return start.distance(to: end)
  }

  /// Returns the distance travelled by a device whose speed decays to the usual one.
  private static func length(
    from near: GapEnd, to far: GapEnd, _ duration: Double, _ usualSpeed: Double?, _ model: MotionModel
  ) -> Double {
    guard near.speed > 0 || far.speed > 0 else { return 0 }
    let kept = model.speedMemory * (1 - Double.exp(-duration / 2 / model.speedMemory))
    let usual = usualSpeed ?? (near.speed + far.speed) / 2
    return usual * (duration - 2 * kept) + kept * (near.speed + far.speed)
  }

  /// Returns the probability that a device went straight across at one speed.
  ///
  /// If it did, it moves at both ends along the line, at the speed that the line requires. The velocities then deviate
  /// by their error and by
  /// ``MotionModel/straightShare``. If it did not, it moves at the ends in any direction, at its own speed. Both are
  /// normal distributions in the plane. The prior probability that a velocity was kept throughout decreases with the
  /// duration.
  private static func probabilityOfStraightTravel(
    from near: GapEnd, to far: GapEnd, _ geodesic: Double, _ duration: Double, _ noise: Double,
    _ model: MotionModel
  ) -> Double {
    let pace = geodesic / duration
    guard pace > 0, model.straightShare > 0 else { return 0 }
    let variance = (pace * model.straightShare).squared + noise / duration.squared
    var odds = model.speedMemory / duration
    for end in [near, far] {
      guard let velocity = end.velocity, let own = end.velocityVariance, end.speed > 0 else { return 0 }
      // The line's direction in the plane at each end: the ends may be far around the Earth from each other.
      let up = end.place / end.place.length
      let chord = far.place - near.place
      let level = chord - up * (chord * up).sum()
      let off = velocity - level * (pace / level.length)
      let expected = variance + own
      odds *= Double.exp(1 - off.length.squared / (2 * expected)) * end.speed.squared / (2 * expected)
    }
    // The odds may overflow: an end that is exact to the centimetre per second gives at most a probability of 1.
    return odds.isFinite ? odds / (1 + odds) : 1
  }

  /// Returns the probability that a device moved, by the distance between the ends of the gap. A device that stood is
  /// near, by a normal distribution; one that moved may be anywhere within its reach.
  private static func probabilityOfMovement(_ geodesic: Double, _ reach: Double, _ variance: Double) -> Double
  {
    let standing = Double.exp(-geodesic * geodesic / (2 * variance)) / (2 * variance)
    let moving = 1 / reach.squared
    return moving / (moving + standing)
  }
}

extension Double {
  fileprivate var squared: Double { self * self }
}
