/// Average speed while moving, and the greatest speed.
struct SpeedMeter: Sendable {
  /// The least speed that is movement, in metres per second: a slow stroll.
  static let movingSpeed = 0.5
  /// A stated speed speaks for the step that led to it if that step was no longer than this, in seconds.
  private static let longestSpokenFor = 10.0

  /// Seconds in which it moved.
  private(set) var movingSeconds = 0.0
  /// The greatest speed that the recording states, in metres per second.
  private(set) var greatestStated: Double?
  private var greatestFromPositions: Double?
  private var metresWhileMoving = 0.0

  /// Takes a stated speed in.
  mutating func add(stated speed: Double) {
    greatestStated = max(greatestStated ?? speed, speed)
  }

  /// Takes a step from one fix to the next in; `stated` is the speed given with the second one.
  mutating func addStep(metres: Double, seconds: Double, stated: Double?) {
    guard seconds > 0 else { return }
    let fromPositions = metres / seconds
    greatestFromPositions = max(greatestFromPositions ?? fromPositions, fromPositions)
    let speed = seconds <= Self.longestSpokenFor ? stated ?? fromPositions : fromPositions
    guard speed >= Self.movingSpeed else { return }
    movingSeconds += seconds
    metresWhileMoving += speed * seconds
  }

  /// Metres per second while moving, `nil` where it never moved.
  var averageWhileMoving: Double? {
    movingSeconds > 0 ? metresWhileMoving / movingSeconds : nil
  }

  /// The greatest speed, stated or else from positions and times.
  var greatest: Double? { greatestStated ?? greatestFromPositions }
  /// Whether the speeds are stated by the recording and not worked out from positions.
  var isStated: Bool { greatestStated != nil }
}
