import WhereaboutsModel

/// A test whether the places contradict the stated velocities, step after step.
///
/// Some programs state speeds in another unit, and some always the same speed or course. By such a velocity, a fix beyond a
/// boundary is an outlier, and no crossing would be found. One step that disagrees is a turn or a stop; several in a
/// row that disagree in the same way are not. ``StatedSpeedFilter`` needs thirty steps for a unit, and a device passes a
/// fence in fewer.
struct StatedVelocityTest: Hashable, Sendable, Codable {
  private var last: CompactFix?
  private var result: Result?
  /// The number of consecutive steps with this result.
  private var count = 0
  private(set) var isContradicted = false

  /// How a step lies beside that of the velocities.
  private enum Result: String, Codable {
    case asStated, longer, shorter, left, right, back
    /// The step is too short for its error.
    case unclear
  }

  /// Processes a fix later than all before it.
  mutating func process(_ fix: CompactFix) {
    let before = last
    last = fix
    guard let before, before.course != nil, fix.course != nil,
      let found = Self.result(from: before.sample(.fences), to: fix.sample(.fences))
    else { return }
    count = found == result ? min(count + 1, Self.requiredSteps) : 1
    result = found
    if count == Self.requiredSteps, found != .unclear { isContradicted = found != .asStated }
  }

  /// Ends the segment: later fixes do not continue the earlier ones.
  mutating func endSegment() { last = nil }

  /// Returns the result of a step; `nil` if it is too long.
  private static func result(from before: TrackSample, to now: TrackSample) -> Result? {
    guard let one = before.velocity, let other = now.velocity else { return nil }
    let seconds = now.time.seconds(since: before.time)
    guard seconds > 0, seconds < longestStep else { return nil }
    let stated = (one + other) * (seconds / 2), step = now.place - before.place
    let statedSquare = (stated * stated).sum(), square = (step * step).sum()
    let grid = min(before.gridStep ?? 0, now.gridStep ?? 0)
    let error =
      deviations * deviations
      * (before.variance + now.variance + grid * grid / 6
        + seconds * seconds / 4 * (before.speedVariance + now.speedVariance))
    let longest = max(statedSquare, square)
    guard longest > error else { return .unclear }
    let off = step - stated, offSquare = (off * off).sum()
    guard offSquare > tolerance * tolerance * longest else { return .asStated }
    guard offSquare > error else { return .unclear }
    let along = (stated * step).sum(), aligned = leastCosine * (statedSquare * square).squareRoot()
    guard along < aligned else { return square > statedSquare ? .longer : .shorter }
    guard along > -aligned else { return .back }
    let up = now.place
    let across = SIMD3(
      stated.y * step.z - stated.z * step.y, stated.z * step.x - stated.x * step.z,
      stated.x * step.y - stated.y * step.x)
    return (across * up).sum() > 0 ? .left : .right
  }

  /// The number of steps in a row: a roundabout has three or four that turn in the same way.
  private static let requiredSteps = 6
  /// The longest step in seconds; in a longer one, a device may turn and stop.
  private static let longestStep = 11.0
  /// The tolerated difference of a step, as a share of it: a quarter of a circle in one step differs by 0.24, the nearest
  /// two units by 0.46.
  private static let tolerance = 0.35
  /// The number of standard deviations on each axis that chance does not explain.
  private static let deviations = 3.0
  /// The cosine of the greatest angle between two directions that count as one: 37°.
  private static let leastCosine = 0.8
}
