/// Average speed while moving, and the greatest speed.
struct SpeedMeter: Sendable {
  /// The minimum speed of movement in metres per second: a slow stroll.
  static let movingSpeed = 0.5
  /// The longest step, in seconds, for which the stated speed at its end is representative.
  private static let longestStatedStep = 10.0
  /// The time in seconds over which the greatest speed is averaged where positions replace missing stated speeds: the
  /// errors of two positions make a high speed of a short step.
  private static let shortestWindow = 10.0

  /// The moving time in seconds.
  private(set) var movingSeconds = 0.0
  /// The greatest stated speed, in metres per second.
  private var greatestStated: Double?
  private var greatestFromPositions: Double?
  /// The part of ``movingSeconds`` with stated speeds.
  private var statedSeconds = 0.0
  /// The greatest speed over a window of steps without a stated speed.
  private var greatestOverWindow = 0.0
  private var window = (metres: 0.0, seconds: 0.0)
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
    let representative = seconds <= Self.longestStatedStep ? stated : nil
    if stated == nil { addToWindow(metres: metres, seconds: seconds) } else { window = (0, 0) }
    let speed = representative ?? fromPositions
    guard speed >= Self.movingSpeed else { return }
    movingSeconds += seconds
    metresWhileMoving += speed * seconds
    if stated != nil { statedSeconds += seconds }
  }

  private mutating func addToWindow(metres: Double, seconds: Double) {
    window.metres += metres
    window.seconds += seconds
    guard window.seconds >= Self.shortestWindow else { return }
    greatestOverWindow = max(greatestOverWindow, window.metres / window.seconds)
    window = (0, 0)
  }

  /// The average speed while moving, in metres per second; `nil` if the device never moved.
  var averageWhileMoving: Double? {
    movingSeconds > 0 ? metresWhileMoving / movingSeconds : nil
  }

  /// The greatest speed, in metres per second; never below ``averageWhileMoving``.
  ///
  /// It is the greatest stated speed. If stated speeds cover less than half of the moving time, a greater speed over 10 s
  /// or more without stated speeds counts. Without any stated speed, it is the greatest speed of a step.
  var greatest: Double? { isStated ? greatestStated : greatestComputed }
  /// Whether ``greatest`` is a stated speed, and not computed from positions and times.
  var isStated: Bool {
    guard let greatestStated else { return false }
    // An average of equal speeds may exceed them by a rounding error.
    return (greatestComputed ?? 0) <= greatestStated * (1 + 1e-9)
  }

  private var greatestComputed: Double? {
    guard greatestStated != nil else { return greatestFromPositions }
    let isMostlyStated = statedSeconds >= movingSeconds / 2
    return max(averageWhileMoving ?? 0, isMostlyStated ? 0 : greatestOverWindow)
  }
}
