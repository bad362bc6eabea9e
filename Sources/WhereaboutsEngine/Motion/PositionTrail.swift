import WhereaboutsModel
import RealModule
import WhereaboutsGeodesy

/// Where the device was of late, and whether what lies between then and now is more than an error explains.
///
/// - **The error** of a position wanders: it is modelled on each axis as a first-order Gauss-Markov process of the
///   stated accuracy, with white noise on top that is measured from second differences, the smaller ones of which are
///   not manoeuvres. So two positions close in time differ by little but the white noise, and two far apart by both
///   errors.
/// - **A displacement** counts when it is so many standard deviations of that, and each half of the time has carried
///   it on. A jump carries in one half only, and a wandering error rarely in both.
/// - **A rest** is shown by the shortest time in which the slowest walk would have been noticed, and was not. Where
///   fixes are good these are 12 s, between walls minutes.
///
/// The places of two minutes are kept, two seconds apart or more, in memory that does not grow.
///
/// - Source: the error model is that of Brown and Hwang, *Introduction to Random Signals and Applied Kalman
///   Filtering*, 4th ed., section 4.2. The radius that holds 68.27 % of a two-dimensional normal distribution is its
///   deviation times 1.515. A displacement exceeds k deviations with probability exp(-k²/2) (Rayleigh).
struct PositionTrail: Sendable {
  /// What the trail shows.
  enum Finding: Sendable {
    case moving(Displacement)
    /// It has stood for so many seconds.
    case standing(seconds: Double)
    case unclear
  }

  /// A displacement, and what error it stands out from.
  struct Displacement: Sendable {
    var metres: Double
    /// One standard deviation on an axis, in metres.
    var error: Double
    var seconds: Double

    var speed: Double { metres / seconds }
    var speedError: Double { error / seconds }
    /// How many standard deviations it is.
    var significance: Double { metres / error }
  }

  private struct Place: Sendable {
    /// Seconds since the trail began.
    var time: Double
    var point: LocalPlane.Point
    /// The variance of the wandering error on an axis.
    var variance: Double
  }

  /// What a source that does not state its accuracy is taken to have, in metres at 68 %: a phone under open sky (van
  /// Diggelen and Enge, "The world's first GPS MOOC and worldwide laboratory using smartphones", ION GNSS+ 2015).
  static let usualAccuracy = 4.9
  /// No position is taken to be better than this, in metres at 68 %: some claim to be exact.
  private static let bestAccuracy = 0.1
  /// How many standard deviations a displacement must have while the device moves, and to begin: by chance one in 460
  /// has the first, and one in 25 000 the second.
  static let significance = 3.5, significanceAtRest = 4.5
  /// The time over which the error forgets itself, in seconds. Minutes under open sky; multipath, which makes
  /// the large errors, changes faster, and the shorter it is taken to be the more is put down to error.
  private static let correlationTime = 30.0
  /// What is slower than this is no motion, in metres per second, however certain: a boat at anchor.
  private static let leastSpeed = 0.25
  /// A slow walk, in metres per second; adults prefer 1.4 (Browning et al., *J. Appl. Physiol.* 100, 2006).
  private static let slowWalkSpeed = 1.0
  /// Times to look back over, in seconds.
  private static let lookbackSpans = [4.0, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128]
  private static let spacing = 2.0, capacity = 65
  /// How far from the origin of its plane a trail may go, in metres: there lengths are right to 1e-5.
  private static let greatestReach = 50_000.0

  private let stopSeconds: Double
  private var plane: LocalPlane?
  private var began: UTCTime?
  private var places: [Place] = []
  /// Where the oldest place is, once the memory is full.
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

  /// Takes a fix that is later than the one before.
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
    // Towards the value that a quarter of them stay below: three are larger for each that is smaller.
    self.bend = min(max(seen > bend ? bend * 1.1 : bend / 1.33, 1e-6), limit)
  }

  /// A quarter of the squares of second differences stay below this, where white noise has unit variance on an axis:
  /// they are exponential, and their mean is 12 times its variance.
  private static let bendOfNoise = 12 * 0.2877

  /// The variance of the white noise on an axis.
  private func whiteVariance(of place: Place) -> Double {
    bend.map { min($0 / Self.bendOfNoise, place.variance) } ?? place.variance / 4
  }

  // MARK: What it shows

  /// What the trail shows at its last fix.
  ///
  /// - Parameter isStanding: whether the device stood until now. It takes more to be moving than to go on.
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

  /// Whether the last seconds do not contradict that it still goes on so.
  private func isContinuing(_ way: Displacement) -> Bool {
    guard let latest, latest.seconds < way.seconds else { return true }
    return latest.metres + Self.significance * latest.error >= way.speed * latest.seconds / 2
  }

  /// One standard deviation on an axis of the displacement between two places, if there is none.
  private func error(from: Place, to: Place) -> Double {
    let white = whiteVariance(of: to)
    let decayed = 1 - Double.exp(-(to.time - from.time) / Self.correlationTime)
    return (2 * white + (from.variance + to.variance) * decayed).squareRoot()
  }

  /// The displacement of the last few seconds, error or not.
  var latest: Displacement? {
    guard let now = last, let start = index(at: now.time - Self.lookbackSpans[0]) else { return nil }
    return displacement(from: self[start], to: now)
  }

  /// Whether each half of the time has carried the displacement on, by a fifth of it at least.
  private func isSteady(from: LocalPlane.Point, by middle: LocalPlane.Point, to: LocalPlane.Point) -> Bool {
    let east = to.east - from.east, north = to.north - from.north
    let first = (middle.east - from.east) * east + (middle.north - from.north) * north
    let square = east * east + north * north
    return first >= 0.2 * square && first <= 0.8 * square
  }

  /// The latest place that is not after a time.
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
