/// Average speed while moving, and the greatest speed.
struct SpeedMeter: Sendable {
  /// The minimum speed of movement in metres per second: a slow stroll.
  static let movingSpeed = 0.5
  /// The longest step, in seconds, for which the stated speed at its end is representative.
  private static let longestStatedStep = 10.0

  /// The moving time in seconds.
  private(set) var movingSeconds = 0.0
  /// The greatest stated speed, in metres per second.
  private(set) var greatestStated: Double?
  private var greatestFromPositions: Double?
  private var metresWhileMoving = 0.0

  /// Adds a stated speed.
  mutating func add(stated speed: Double) {
    greatestStated = max(greatestStated ?? speed, speed)
  }

  /// Adds a step between two fixes; `stated` is the stated speed of the second fix.
  mutating func addStep(metres: Double, seconds: Double, stated: Double?) {
    guard seconds > 0 else { return }
    let fromPositions = metres / seconds
    greatestFromPositions = max(greatestFromPositions ?? fromPositions, fromPositions)
    let speed = seconds <= Self.longestStatedStep ? stated ?? fromPositions : fromPositions
    guard speed >= Self.movingSpeed else { return }
    movingSeconds += seconds
    metresWhileMoving += speed * seconds
  }

  /// The average speed while moving, in metres per second; `nil` if the device never moved.
  var averageWhileMoving: Double? {
    movingSeconds > 0 ? metresWhileMoving / movingSeconds : nil
  }

  /// The greatest speed: the stated speed if any, or else the speed computed from positions and times.
  var greatest: Double? { greatestStated ?? greatestFromPositions }
  /// Whether the recording states speeds, so that the greatest speed is not computed from positions.
  var isStated: Bool { greatestStated != nil }
}
