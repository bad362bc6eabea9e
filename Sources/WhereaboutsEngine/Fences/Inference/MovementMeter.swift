/// The distance travelled by a device in certain movement, updated with each fix.
///
/// The fixes of a device at rest wander, and so do estimates from them; such distance does not count. A
/// movement begins when the speed exceeds its own error and continues while the speed is probably nonzero. A
/// movement counts from `MotionModel.leastMovement` on: three footsteps.
///
/// ``RecentPlaces`` adds movements whose velocity does not exceed its error.
///
/// - Source: As for ``MovementDetector``, without looking back.
struct MovementMeter: Hashable, Sendable, Codable {
  /// The travelled distance in metres.
  private(set) var travelled = 0.0
  private var isMoving = false
  /// The distance of the current movement in metres.
  private var stretch = 0.0

  /// Processes the velocity estimate after a step.
  ///
  /// - Parameter factor: the factor by which the standard deviation of the velocity is too small.
  mutating func process(_ node: TrackNode, _ model: MotionModel, deviationFactor factor: Double) {
    let speed = node.filtered.velocity.length
    let deviation = max(1e-9, node.filtered.covariance.vv).squareRoot() * factor
    let stated = node.sample.speed
    // The velocity does not include a speed without a course.
    let likely = max(speed, node.hasVelocity ? 0 : stated ?? 0)
    let isStated = stated != nil
    let isSure =
      speed > model.sureMovementDeviations * deviation
      && likely > (isStated ? model.sureMovementSpeed : model.possibleMovementSpeed)
    let isMaybe =
      speed > model.possibleMovementDeviations * deviation
      && likely > (isStated ? model.possibleMovementSpeed : Self.creepingSpeed)
    if isSure { isMoving = true } else if !isMaybe { isMoving = false }
    guard isMoving else { return stretch = 0 }
    let way = speed * node.step.duration, before = stretch
    stretch += way
    if before >= model.leastMovement {
      travelled += way
    } else if stretch >= model.leastMovement {
      travelled += stretch
    }
  }

  /// Raises the travelled distance to one that a displacement proves, in metres.
  mutating func raise(to distance: Double) { travelled = max(travelled, distance) }

  /// The speed in metres per second below which a device without stated speed does not move.
  private static let creepingSpeed = 0.1
}
