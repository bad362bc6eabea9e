import WhereaboutsModel
import RealModule

/// The stated speeds of a source, averaged over some seconds, with their common direction.
///
/// A receiver measures speed by the Doppler shift of the carriers, far more accurately than positions allow. At rest, a
/// receiver still states a speed: the length of its error, in directions that change from fix to fix. So where courses
/// are stated, velocities are averaged, not speeds: random directions average out (the mean resultant length of Mardia
/// and Jupp, *Directional Statistics*, 2000, weighted by the speed).
struct StatedSpeeds: Sendable {
  /// The time over which speeds are averaged, in seconds: a few fixes, and less than a turn about takes.
  private static let memory = 4.0

  /// The mean speed, in metres per second; `nil` before the first.
  private(set) var mean: Double?
  /// The time of the last speed.
  private(set) var lastTime: UTCTime?
  /// The first of the latest run of fixes that state a standstill.
  private(set) var slowSince: UTCTime?
  // The mean velocity of the speeds with a course, and the mean speed of those without one.
  private var east = 0.0
  private var north = 0.0
  private var undirected = 0.0
  /// The mean of the stated accuracies, in metres per second; 0 where none is stated.
  private var accuracy = 0.0

  /// The speed below which the device stands, in metres per second: receivers at rest state less, and the slowest walk
  /// is faster.
  static let standstillSpeed = 0.5

  /// The mean speed in the common direction, in metres per second.
  var directedMean: Double { Double.hypot(east, north) + undirected }

  /// Returns whether the mean speed in the common direction is a motion: more than the stated error, and than the least
  /// speed that counts.
  ///
  /// - Parameter isStanding: whether the device stood until now. The beginning of a motion needs more evidence than its
  ///   continuation, so that a speed near the bound does not make the motion flap.
  func isMoving(isStanding: Bool) -> Bool {
    directedMean >= (isStanding ? max(0.75, 2 * accuracy) : max(0.5, 1.5 * accuracy))
  }

  /// Whether the stated error explains the mean speed in the common direction, so that the speeds show neither a motion
  /// nor a standstill.
  var isWithinError: Bool { directedMean < 2 * accuracy }

  /// Whether the mean speed in the common direction is no standstill.
  var exceedsStandstill: Bool { directedMean >= Self.standstillSpeed }

  /// Returns whether the stated error explains the difference between a speed and the mean.
  func allows(_ speed: Double) -> Bool { mean.map { (speed - $0).magnitude <= 2 * accuracy } ?? false }

  mutating func add(_ speed: Double, course: Double?, accuracy: Double?, at time: UTCTime) {
    let elapsed = lastTime.map { time.seconds(since: $0) }
    let share = elapsed.map { 1 - Double.exp(-$0 / Self.memory) } ?? 1
    let angle = (course ?? 0) * .pi / 180
    let isDirected = course != nil
    east += share * ((isDirected ? speed * Double.sin(angle) : 0) - east)
    north += share * ((isDirected ? speed * Double.cos(angle) : 0) - north)
    undirected += share * ((isDirected ? 0 : speed) - undirected)
    self.accuracy += share * ((accuracy ?? 0) - self.accuracy)
    mean = mean.map { $0 + share * (speed - $0) } ?? speed
    if isSlow(speed) {
      slowSince = slowSince ?? time
    } else if exceedsStandstill {
      // A single fast fix, in no direction, does not end the run.
      slowSince = nil
    }
    lastTime = time
  }

  /// Returns whether a speed shows a standstill.
  ///
  /// Up to a slow walk, a speed within its stated error shows a standstill. A larger speed does so only if the
  /// directions average out: some sources state an error that is larger than the speed of a car.
  private func isSlow(_ speed: Double) -> Bool {
    let error = 2 * accuracy
    if speed < max(Self.standstillSpeed, min(error, PositionTrail.slowWalkSpeed)) { return true }
    return speed < error && !exceedsStandstill
  }

  /// Ends the run of fixes that state a standstill: fixes without a speed have shown movement since.
  mutating func endStandstill() { slowSince = nil }
}
