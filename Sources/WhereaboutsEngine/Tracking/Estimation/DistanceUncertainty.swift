/// Adds up how far a measured way may be off.
///
/// What may be wrong are the model's scale, what was given back of the way that noise hides, what may have been a
/// movement or not, both ends of each movement, and the turns that nobody saw between fixes that come seldom. Of the
/// hidden way nobody knows better than that it may be all wrong, so all of it counts. So it is with each stretch in which
/// the device may have moved or not; but one says little of the next, so that stretches add up by their squares.
struct DistanceUncertainty: Sendable, Hashable, Codable {
  /// Metres that were given back for what the noise hides.
  private var hidden = 0.0
  /// Metres of the present stretch that may have been a movement or not, whether counted or not.
  private var uncounted = 0.0
  /// The squares of those of earlier stretches, in m²; `nil` in what earlier versions wrote.
  private var doubtedBefore: Double?
  /// Metres that were not counted though speeds were stated, more than are at rest.
  private var denied = 0.0
  private var travelled = 0.0
  /// Metres by which turns between fixes may have made the way longer.
  private var unseen = 0.0
  /// Variance of the ends of movements, in m².
  private var ends = 0.0
  private var wasMoving = false

  /// The error of a good receiver's way in proportion to it: wheel sensors and surveys differ from it by so much,
  /// surveys by 0.1 % and wheel sensors by twice or three times that.
  private static let scaleError = 0.0015

  mutating func add(_ node: TrackNode, stride: Double, isMoving: Bool, model: MotionModel) {
    let speed = node.speed, variance = node.speedVariance
    if isMoving {
      // A sudden turn, or a fix that is worse than it says: the way was rounded off there, or bulged.
      if !node.hasVelocity { unseen += min(node.excess, stride) }
      hidden += variance / (2 * max(speed, variance.squareRoot())) * node.step.duration
    }
    if node.sample.speed == nil {
      addDoubt(speed / variance.squareRoot(), stride: isMoving ? stride : speed * node.step.duration, model)
    } else {
      endDoubt()
      // At rest a speed has the length of two errors, one an axis.
      if !isMoving, let stated = node.sample.speed, stated * stated > 2 * node.sample.speedVariance {
        denied += stated * node.step.duration
      }
    }
    if isMoving != wasMoving { ends += max(0, node.smoothed.covariance.pp) }
    wasMoving = isMoving
    travelled += stride
    let seldom =
      (node.step.duration / Self.unseenTurnInterval) * (node.step.duration / Self.unseenTurnInterval)
    unseen += stride * Self.unseenTurnShare * seldom / (1 + seldom)
  }

  /// Adds to the stretch in which it is possible and not sure that the device moved, or ends it.
  private mutating func addDoubt(_ deviations: Double, stride: Double, _ model: MotionModel) {
    guard deviations > model.possibleMovementDeviations, deviations < model.sureMovementDeviations else {
      return endDoubt()
    }
    uncounted += stride
  }

  private mutating func endDoubt() {
    doubtedBefore = (doubtedBefore ?? 0) + uncounted * uncounted
    uncounted = 0
  }

  /// The lasting error of fixes is the same in stretches next to each other: each counts with those on both sides.
  private static let neighbours = 3.0

  /// Seconds between fixes beyond which turns stay unseen, and by what share those make ways longer: a fix a minute
  /// shortens a run by 14 % and a drive through a town by 25 %, as measured.
  private static let unseenTurnInterval = 60.0
  private static let unseenTurnShare = 0.3

  /// Variance of the way, in m².
  var variance: Double {
    let scaled = Self.scaleError * travelled
    let doubted = Self.neighbours * ((doubtedBefore ?? 0) + uncounted * uncounted)
    return scaled * scaled + unseen * unseen + hidden * hidden + doubted + denied * denied + ends
  }
}
