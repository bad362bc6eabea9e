import WhereaboutsModel
import RealModule

/// The speeds that a source states, averaged over some seconds, and whether they go one way.
///
/// A receiver measures speed by the Doppler shift of the carriers, far better than positions can tell. At rest it
/// still states something, the length of its error, in directions that change from fix to fix. So where it states a
/// course the velocities are averaged and not the speeds: what goes nowhere averages out (the mean resultant length
/// of Mardia and Jupp, *Directional Statistics*, 2000, weighted by the speed).
struct StatedSpeeds: Sendable {
  /// Time over which speeds are averaged, in seconds: a few fixes, and less than anyone takes to turn about.
  private static let memory = 4.0

  /// The mean speed, in metres per second; `nil` before the first.
  private(set) var mean: Double?
  /// When the last came.
  private(set) var lastTime: UTCTime?
  /// The first of the latest run of fixes that state a standstill.
  private(set) var slowSince: UTCTime?
  // The mean velocity of those with a course, and the mean speed of those without one.
  private var east = 0.0
  private var north = 0.0
  private var undirected = 0.0
  /// The mean of the stated accuracies, in metres per second; 0 where none is stated.
  private var accuracy = 0.0

  /// Below this it stands, in metres per second: what receivers state at rest is less, and the slowest walk is more.
  static let standstillSpeed = 0.5

  /// The mean of what goes one way, in metres per second.
  var directedMean: Double { Double.hypot(east, north) + undirected }

  /// Whether what goes one way is a motion: more than an error that is stated, and than the least that counts.
  ///
  /// - Parameter isStanding: whether it stood until now. It takes more to be moving than to go on.
  func isMoving(isStanding: Bool) -> Bool { directedMean >= max(isStanding ? 0.75 : 0.5, 2 * accuracy) }

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
    if speed < max(Self.standstillSpeed, 2 * self.accuracy) {
      slowSince = slowSince ?? time
    } else if directedMean >= Self.standstillSpeed {
      // One that stands out alone, in no direction, does not end the run.
      slowSince = nil
    }
    lastTime = time
  }
}
