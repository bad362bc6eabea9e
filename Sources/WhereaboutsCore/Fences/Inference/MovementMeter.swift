/// How far a device has come while it surely moved, as it goes.
///
/// The fixes of a device at rest wander, and so does what is worked out of them; what it came by that counts for
/// nothing here. A movement begins where the speed stands out of its own error, goes on as long as it probably is not
/// zero, and counts from three steps on.
///
/// - Source: as ``MovementTest``, without looking back.
struct MovementMeter: Hashable, Sendable, Codable {
  /// Metres.
  private(set) var travelled = 0.0
  private var isMoving = false
  /// Metres of this movement so far.
  private var stretch = 0.0

  /// Takes what is known of the velocity after a step.
  mutating func take(_ node: WayNode, _ model: MotionModel) {
    let speed = node.filtered.velocity.length
    let deviation = max(1e-9, node.filtered.covariance.vv).squareRoot()
    let stated = node.sample.speed
    // A speed without a course is not in the velocity.
    let likely = max(speed, node.hasVelocity ? 0 : stated ?? 0)
    let isStated = stated != nil
    let isSure =
      speed > model.surelyMoving * deviation
      && likely > (isStated ? model.surelyMovingSpeed : model.maybeMovingSpeed)
    let isMaybe =
      speed > model.maybeMoving * deviation
      && likely > (isStated ? model.maybeMovingSpeed : Self.creeping)
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

  /// Metres per second below which nothing moves, where no speed is stated.
  private static let creeping = 0.1

  /// What comes next does not continue what came before.
  mutating func breakOff() {
    isMoving = false
    stretch = 0
  }
}
