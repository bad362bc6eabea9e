import WhereaboutsModel
import RealModule
import WhereaboutsGeodesy

/// What is assumed of a stretch without fixes.
///
/// The least is the geodesic from one end to the other. Where the device moved at either end it is also likely to
/// have moved between them: at first as fast as it went in, at last as fast as it came out, and in between more and
/// more as fast as it usually is. Speed and place both say something of the way, and are weighed by how sure they
/// are. Where it ends as good as where it began, it has most likely stood. Where it went in and came out along the
/// straight line, and as fast as that takes, it has most likely gone straight across.
struct GapBridge: Sendable {
  /// An end of a gap.
  struct GapEnd: Sendable, Hashable, Codable {
    let time: UTCTime
    let place: SIMD3<Double>
    /// Variance of the place, in m² an axis.
    let variance: Double
    /// Metres per second; 0 where it stood.
    let speed: Double
    /// Metres per second, earth-centred, and the variance of that an axis; `nil` in what earlier versions wrote.
    let velocity: SIMD3<Double>?
    let velocityVariance: Double?

    init(_ node: TrackNode, isMoving: Bool) {
      time = node.sample.time
      place = node.smoothed.place
      variance = max(0, node.smoothed.covariance.pp)
      speed = isMoving ? node.speed : 0
      velocity = isMoving ? node.smoothed.velocity : nil
      velocityVariance = isMoving ? node.speedVariance : nil
    }
  }

  /// Seconds.
  let duration: Double
  /// From end to end, in metres, as the fixes have it.
  let geodesic: Double
  /// How long the way was, in metres, and the standard deviation of that.
  let estimate: Double
  let deviation: Double

  init(from near: GapEnd, to far: GapEnd, usualSpeed: Double?, model: MotionModel) {
    duration = far.time.seconds(since: near.time)
    geodesic = Self.geodesic(from: near.place, to: far.place)
    let noise = near.variance + far.variance
    // Two noisy ends are further apart than the true ones, by their variances in the plane.
    let straight = max(0, geodesic * geodesic - 2 * noise).squareRoot()
    let byPlace = straight * model.circuity
    let bySpeed = Self.length(from: near, to: far, duration, usualSpeed, model)
    guard bySpeed > 0 else {
      estimate = straight
      deviation = (noise + (byPlace - straight) * (byPlace - straight)).squareRoot()
      return
    }
    let speedVariance = (bySpeed * model.speedShare).squared
    let placeVariance = (max(byPlace, bySpeed) * model.circuityShare).squared + 2 * noise
    let weight = placeVariance / (placeVariance + speedVariance)
    let moved = max(straight, byPlace + (bySpeed - byPlace) * weight)
    let chance = Self.probabilityOfMovement(geodesic, bySpeed, noise + 2 * model.restartDeviation.squared)
    let detour = (moved - straight) * chance
    let variance = weight * speedVariance + weight * (1 - weight) * (bySpeed - byPlace).squared
    let detourVariance = chance * variance + chance * (1 - chance) * (moved - straight).squared
    let direct = Self.probabilityOfStraightTravel(from: near, to: far, geodesic, duration, noise, model)
    estimate = straight + detour * (1 - direct)
    // A way that swings as far to either side as it may and still seem straight.
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

  /// How far a device gets whose speed, with what it forgets, becomes the usual one.
  private static func length(
    from near: GapEnd, to far: GapEnd, _ duration: Double, _ usualSpeed: Double?, _ model: MotionModel
  ) -> Double {
    guard near.speed > 0 || far.speed > 0 else { return 0 }
    let kept = model.speedMemory * (1 - Double.exp(-duration / 2 / model.speedMemory))
    let usual = usualSpeed ?? (near.speed + far.speed) / 2
    return usual * (duration - 2 * kept) + kept * (near.speed + far.speed)
  }

  /// How likely a device went straight across at one speed.
  ///
  /// If it did, it moves at both ends along the line, as fast as that takes, up to the error of a velocity and to
  /// ``MotionModel/straightShare``. If not, it moves at the ends in whatever direction, as fast as it does. Both are
  /// normal distributions in the plane. Before the ends are looked at, the chance that a velocity was kept all the
  /// while falls with the duration.
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
      // The line as it lies there in the plane: its ends may be far around the Earth from each other.
      let up = end.place / end.place.length
      let chord = far.place - near.place
      let level = chord - up * (chord * up).sum()
      let off = velocity - level * (pace / level.length)
      let expected = variance + own
      odds *= Double.exp(1 - off.length.squared / (2 * expected)) * end.speed.squared / (2 * expected)
    }
    // As much as there can be: an end that is exact to the centimetre per second is no surer than that.
    return odds.isFinite ? odds / (1 + odds) : 1
  }

  /// How likely a device moved that ends so far from where it began: one that stood is near, as a normal distribution
  /// has it; one that moved may be anywhere within its reach.
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
