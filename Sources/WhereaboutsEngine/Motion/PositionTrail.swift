import WhereaboutsModel
import RealModule
import WhereaboutsGeodesy

/// The recent places of the device, and a test of whether a displacement between them exceeds their error.
///
/// - **The error** of a position wanders. On each axis it is modelled as a first-order Gauss-Markov process of the
///   stated accuracy, plus white noise. The white noise is measured from second differences; the smaller ones contain
///   no manoeuvres. So two positions close in time differ by little but the white noise, and two far apart by both
///   errors.
/// - **A displacement** counts when it exceeds a number of standard deviations of that error, and each half of the time
///   has continued it. A jump adds to one half only, and a wandering error rarely to both.
/// - **A rest** is shown by the shortest time in which the slowest walk would have been detected, and was not. With
///   good fixes this is 12 s; between walls, minutes.
///
/// The trail holds the places of two minutes, two seconds apart or more, in memory that does not grow.
///
/// - Source: the error model is that of Brown and Hwang, *Introduction to Random Signals and Applied Kalman Filtering*,
///   4th ed., section 4.2. The radius that holds 68.27 % of a two-dimensional normal distribution is its deviation
///   times 1.515. A displacement exceeds k deviations with probability exp(-k²/2) (Rayleigh).
struct PositionTrail: Sendable {
  /// The result of a test of the trail.
  enum Finding: Sendable {
    case moving(Displacement)
    /// The device has stood for a number of seconds.
    case standing(seconds: Double)
    case unclear
  }

  /// A displacement, with its error.
  struct Displacement: Sendable {
    var metres: Double
    /// One standard deviation on an axis, in metres.
    var error: Double
    var seconds: Double

    var speed: Double { metres / seconds }
    var speedError: Double { error / seconds }
    /// The displacement in standard deviations.
    var significance: Double { metres / error }
  }

  private struct Place: Sendable {
    /// The time in seconds since the trail began.
    var time: Double
    var point: LocalPlane.Point
    /// The variance of the wandering error on an axis.
    var variance: Double
  }

  /// The assumed accuracy of a source that states none, in metres at 68 %: a phone under open sky (van Diggelen and
  /// Enge, "The world's first GPS MOOC and worldwide laboratory using smartphones", ION GNSS+ 2015).
  static let usualAccuracy = 4.9
  /// The best accuracy that is trusted, in metres at 68 %: some sources claim to be exact.
  private static let bestAccuracy = 0.1
  /// The significance of a displacement in standard deviations, for continued motion and for its beginning: by chance,
  /// one in 460 has the first, and one in 25 000 the second.
  static let significance = 3.5, significanceAtRest = 4.5
  /// The correlation time of the error, in seconds. The true value is minutes under open sky, and less for multipath,
  /// which causes the large errors. A shorter assumed time attributes more of a displacement to error.
  private static let correlationTime = 30.0
  /// The least speed that is motion, in metres per second, however certain: a boat at anchor is slower.
  private static let leastSpeed = 0.25
  /// A slow walk, in metres per second; adults prefer 1.4 (Browning et al., *J. Appl. Physiol.* 100, 2006).
  static let slowWalkSpeed = 1.0
  /// The spans of time that are tested, in seconds.
  private static let lookbackSpans = [4.0, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128]
  private static let spacing = 2.0, capacity = 65
  /// The greatest distance of a trail from the origin of its plane, in metres: up to there, lengths are right to 1e-5.
  private static let greatestReach = 50_000.0

  private let stopSeconds: Double
  private var plane: LocalPlane?
  private var began: UTCTime?
  private var places: [Place] = []
  /// The index of the oldest place, once the memory is full.
  private var oldestIndex = 0
  // The last two fixes, and the white noise on an axis that the second differences show.
  private var last: Place?
  private var before: Place?
  private var bend: Double?

  init(stopTime: Duration) {
    stopSeconds = stopTime.inSeconds
    places.reserveCapacity(Self.capacity)
  }

  mutating func removeAll() {
    plane = nil
    began = nil
    places.removeAll(keepingCapacity: true)
    oldestIndex = 0
    last = nil
    before = nil
    bend = nil
  }

  /// Processes a fix that is later than the one before.
  mutating func process(_ coordinate: Coordinate, accuracy: Double?, at time: UTCTime) {
    let point = point(of: coordinate, at: time)
    let isStated = accuracy.map { $0 >= 0 && $0.isFinite } ?? false
    let deviation = (isStated ? max(accuracy ?? 0, Self.bestAccuracy) : Self.usualAccuracy) / 1.515
    let place = Place(
      time: began.map { time.seconds(since: $0) } ?? 0, point: point, variance: deviation * deviation)
    updateNoise(of: place)
    if places.isEmpty || place.time - self[places.count - 1].time >= Self.spacing { store(place) }
    before = last
    last = place
  }

  private mutating func point(of coordinate: Coordinate, at time: UTCTime) -> LocalPlane.Point {
    if let point = plane?.point(of: coordinate),
      point.distance(to: .init(east: 0, north: 0)) < Self.greatestReach
    {
      return point
    }
    removeAll()
    plane = LocalPlane(around: coordinate)
    began = time
    return LocalPlane.Point(east: 0, north: 0)
  }

  private mutating func store(_ place: Place) {
    if places.count < Self.capacity {
      places.append(place)
    } else {
      places[oldestIndex] = place
      oldestIndex = oldestIndex + 1 == Self.capacity ? 0 : oldestIndex + 1
    }
  }

  /// The places by their age, the oldest first.
  private subscript(index: Int) -> Place {
    let place = oldestIndex + index
    return places[place < places.count ? place : place - places.count]
  }

  private mutating func updateNoise(of place: Place) {
    guard let last, let before else { return }
    let step = place.time - last.time, stepBefore = last.time - before.time
    guard step < 1.5 * stepBefore, stepBefore < 1.5 * step else { return }
    let east = place.point.east - 2 * last.point.east + before.point.east
    let north = place.point.north - 2 * last.point.north + before.point.north
    let seen = east * east + north * north
    let limit = place.variance * Self.bendOfNoise
    let bend = bend ?? limit / 4
    // Moves towards the lower quartile: three are larger for each that is smaller.
    self.bend = min(max(seen > bend ? bend * 1.1 : bend / 1.33, 1e-6), limit)
  }

  /// The lower quartile of the squared second differences, for white noise of unit variance on an axis: the squares are
  /// exponentially distributed, with 12 times the variance as their mean.
  private static let bendOfNoise = 12 * 0.2877

  /// Returns the variance of the white noise on an axis.
  private func whiteVariance(of place: Place) -> Double {
    bend.map { min($0 / Self.bendOfNoise, place.variance) } ?? place.variance / 4
  }

  // MARK: Findings

  /// Returns the finding at the last fix.
  ///
  /// - Parameter isStanding: whether the device stood until now. The beginning of a motion needs more evidence than its
  ///   continuation.
  func finding(isStanding: Bool) -> Finding {
    guard let now = last else { return .unclear }
    let significance = isStanding ? Self.significanceAtRest : Self.significance
    for span in Self.lookbackSpans {
      guard let start = index(at: now.time - span), let middle = index(at: now.time - span / 2),
        middle > start
      else { continue }
      let way = displacement(from: self[start], to: now)
      if way.significance >= significance, way.speed >= Self.leastSpeed {
        guard isSteady(from: self[start].point, by: self[middle].point, to: now.point) else { continue }
        return isContinuing(way) ? .moving(way) : .unclear
      }
      let limit = Self.significance * way.error
      let isNoWay = way.metres <= 0.6 * limit || way.speed < Self.leastSpeed
      if isNoWay, way.seconds >= stopSeconds, Self.slowWalkSpeed * way.seconds >= limit {
        return .standing(seconds: way.seconds)
      }
    }
    return .unclear
  }

  private func displacement(from: Place, to: Place) -> Displacement {
    Displacement(
      metres: from.point.distance(to: to.point), error: error(from: from, to: to),
      seconds: to.time - from.time)
  }

  /// Returns whether the last seconds are consistent with a continued displacement.
  private func isContinuing(_ way: Displacement) -> Bool {
    guard let latest, latest.seconds < way.seconds else { return true }
    return latest.metres + Self.significance * latest.error >= way.speed * latest.seconds / 2
  }

  /// Returns the error of the displacement between two places, if the device did not move: one standard deviation on an
  /// axis.
  private func error(from: Place, to: Place) -> Double {
    let white = whiteVariance(of: to)
    let decayed = 1 - Double.exp(-(to.time - from.time) / Self.correlationTime)
    return (2 * white + (from.variance + to.variance) * decayed).squareRoot()
  }

  /// The displacement of the last few seconds, significant or not.
  var latest: Displacement? {
    guard let now = last, let start = index(at: now.time - Self.lookbackSpans[0]) else { return nil }
    return displacement(from: self[start], to: now)
  }

  /// Returns whether each half of the time has continued the displacement, by a fifth of it at least.
  private func isSteady(from: LocalPlane.Point, by middle: LocalPlane.Point, to: LocalPlane.Point) -> Bool {
    let east = to.east - from.east, north = to.north - from.north
    let first = (middle.east - from.east) * east + (middle.north - from.north) * north
    let square = east * east + north * north
    return first >= 0.2 * square && first <= 0.8 * square
  }

  /// Returns the index of the latest place that is not after a time.
  private func index(at time: Double) -> Int? {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}
