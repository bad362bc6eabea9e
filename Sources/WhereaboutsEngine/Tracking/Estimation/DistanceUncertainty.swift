/// The error of a measured distance, accumulated along the track.
///
/// The sources of error are:
///
/// - the scale of the model;
/// - the distance restored because the noise hides it: all of it may be wrong, so all of it counts, and half as much for
///   the noise of the path itself;
/// - stretches that may or may not have been a movement: each counts whole, but one is no evidence of the next, so
///   their squares are added;
/// - both ends of each movement;
/// - unseen turns between infrequent fixes.
struct DistanceUncertainty: Sendable, Hashable, Codable {
  /// The distance restored because the noise hides it, in metres.
  private var hidden = 0.0
  /// The length of the present stretch that may or may not have been a movement, counted or not, in metres.
  private var uncounted = 0.0
  /// The sum of the squared lengths of earlier stretches, in m²; `nil` in states written by earlier versions.
  private var doubtedBefore: Double?
  /// The distance not counted although speeds greater than at rest were stated, in metres.
  private var denied = 0.0
  private var travelled = 0.0
  /// The distance by which turns between fixes may have lengthened the track, in metres.
  private var unseen = 0.0
  /// The variance of the ends of movements, in m².
  private var ends = 0.0
  private var wasMoving = false

  /// The error of a good receiver's distance as a share of it. Surveys differ from such a distance by 0.1 %, and wheel
  /// sensors by twice or three times as much.
  private static let scaleError = 0.0015
  /// The deviation of the distance hidden by noise, as a share of it: if the device goes straight, all of it may be
  /// restored wrongly, and the noise of the smoothed path is half as much again.
  private static let hiddenDeviation = 1.5
  /// The step in seconds from which fixes are rare: the way between them shows a movement that the speed at one of them
  /// does not.
  private static let rareStep = 20.0

  /// Adds a step.
  ///
  /// - Parameters:
  ///   - stride: the distance of the step, in metres.
  ///   - greatest: the greatest distance that the places allow, in metres; no error is greater.
  mutating func add(
    _ node: TrackNode, stride: Double, greatest: Double, isMoving: Bool, model: MotionModel
  ) {
    let speed = node.speed, variance = node.speedVariance
    let sure = model.sureMovementDeviations
    let isRare = node.step.duration >= Self.rareStep
    if isMoving {
      // A sudden turn, or a fix poorer than stated: the track was rounded off or bulged here.
      // With rare fixes, each change of speed is such a surprise; their unseen turns count below, by their share.
      if !node.hasVelocity { unseen += min(node.excess, stride) * Self.surpriseShare(of: node.step.duration) }
      let share = variance / (2 * max(speed, variance.squareRoot()))
      hidden += min(Self.hiddenDeviation * share * node.step.duration, greatest)
    }
    if node.sample.speed == nil {
      if isMoving, isRare, stride * stride > 2 * sure * sure * node.smoothed.covariance.pp {
        endDoubt()
      } else {
        let doubted = isMoving ? stride : min(speed * node.step.duration, greatest)
        addDoubt(speed / variance.squareRoot(), stride: doubted, model)
      }
    } else {
      endDoubt()
      // At rest, a speed has the length of two errors, one an axis.
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

  /// Returns the share of a surprise that is an error of the distance: it falls between a rare step and that of unseen turns.
  private static func surpriseShare(of step: Double) -> Double {
    min(1, max(0, (unseenTurnInterval - step) / (unseenTurnInterval - rareStep)))
  }

  /// Extends the present stretch of possible but uncertain movement, or ends it.
  private mutating func addDoubt(_ deviations: Double, stride: Double, _ model: MotionModel) {
    guard deviations > model.possibleMovementDeviations, deviations < model.sureMovementDeviations else {
      return endDoubt()
    }
    uncounted += stride
  }

  /// Ends the segment. The present stretch ends with it: a stretch of a later segment is another one.
  mutating func endSegment() {
    if uncounted > 0 { endDoubt() }
  }

  private mutating func endDoubt() {
    doubtedBefore = (doubtedBefore ?? 0) + uncounted * uncounted
    uncounted = 0
  }

  /// The number of stretches that share an error: the correlated error of fixes is the same in adjacent stretches, so
  /// each counts with those on both sides.
  private static let neighbours = 3.0

  /// The interval between fixes, in seconds, beyond which turns stay unseen, and the share by which unseen turns
  /// lengthen a track. Measured: one fix a minute shortens a run by 14 % and a drive through a town by 25 %.
  private static let unseenTurnInterval = 60.0
  private static let unseenTurnShare = 0.3

  /// The errors up to here, by their sources.
  var sums: DistanceErrorSums {
    let doubted = Self.neighbours * ((doubtedBefore ?? 0) + uncounted * uncounted)
    return DistanceErrorSums(
      correlated: SIMD4(Self.scaleError * travelled, unseen, hidden, denied), independent: doubted + ends)
  }

  /// The variance of the distance, in m².
  var variance: Double { sums.variance }
}
