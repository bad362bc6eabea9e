import RealModule
import WhereaboutsGeodesy

/// Where the device was of late, and whether what lies between then and now is more than an error explains.
///
/// - **The error** of a position wanders: it is modelled on each axis as a first-order Gauss-Markov process of the
///   stated accuracy, with white noise on top that is measured from second differences, which cost a steady motion
///   nothing. So two positions close in time differ by little but the white noise, and two far apart by both errors.
/// - **A displacement** counts when it is ``significance`` standard deviations of that, and each half of the time has
///   carried it on. A jump carries in one half only, and a wandering error rarely in both.
/// - **A rest** is shown by the shortest time in which the slowest walk would have been noticed, and was not. Where fixes
///   are good these are 16 s, between walls minutes.
///
/// The places of two minutes are kept, two seconds apart or more, in memory that does not grow.
///
/// - Source: the error model is that of Brown and Hwang, *Introduction to Random Signals and Applied Kalman Filtering*,
///   4th ed., section 4.2. The radius that holds 68.27 % of a two-dimensional normal distribution is its deviation times
///   1.515. A displacement exceeds k deviations with probability exp(-k²/2) (Rayleigh).
struct PositionTrail: Sendable {
  /// What the trail shows.
  enum Finding: Sendable {
    case moves(Displacement)
    /// It has stood for so many seconds.
    case stands(seconds: Double)
    case unclear
  }

  /// A displacement, and what error it stands out from.
  struct Displacement: Sendable {
    var metres: Double
    /// One standard deviation on an axis, in metres.
    var error: Double
    var seconds: Double
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
  /// How many standard deviations a displacement must have: chance has one in 460.
  private static let significance = 3.5
  /// The time over which the error forgets itself, in seconds. Minutes under open sky; multipath, which makes
  /// the large errors, changes faster, and the shorter it is taken to be the more is put down to error.
  private static let correlationTime = 30.0
  /// Half the speed adults prefer to walk at, in metres per second (Browning et al., *J. Appl. Physiol.* 100, 2006).
  private static let slowest = 0.7
  /// Times to look back over, in seconds.
  private static let spans = [4.0, 8, 16, 32, 64, 128]
  private static let spacing = 2.0, capacity = 65
  /// How far from the origin of its plane a trail may go, in metres: there lengths are right to 1e-5.
  private static let reach = 50_000.0

  private let stopSeconds: Double
  private var plane: LocalPlane?
  private var began: UTCTime?
  private var places: [Place] = []
  /// Where the oldest place is, once the memory is full.
  private var oldest = 0
  // The last two fixes, and the white noise on an axis that the second differences show.
  private var last: Place?
  private var before: Place?
  private var whiteVariance: Double?

  init(stopTime: Duration) {
    stopSeconds = stopTime.inSeconds
    places.reserveCapacity(Self.capacity)
  }

  mutating func removeAll() {
    plane = nil
    began = nil
    places.removeAll(keepingCapacity: true)
    oldest = 0
    last = nil
    before = nil
    whiteVariance = nil
  }

  /// Takes a fix that is later than the one before, and says what the trail now shows.
  mutating func take(_ coordinate: Coordinate, accuracy: Double?, at time: UTCTime) -> Finding {
    let point = point(of: coordinate, at: time)
    let deviation = (accuracy ?? Self.usualAccuracy) / 1.515
    let place = Place(
      time: began.map { time.seconds(since: $0) } ?? 0, point: point, variance: deviation * deviation)
    takeNoise(of: place)
    let finding = finding(at: place)
    if places.isEmpty || place.time - self[places.count - 1].time >= Self.spacing { keep(place) }
    before = last
    last = place
    return finding
  }

  private mutating func point(of coordinate: Coordinate, at time: UTCTime) -> LocalPlane.Point {
    if let point = plane?.point(of: coordinate), point.distance(to: .init(east: 0, north: 0)) < Self.reach {
      return point
    }
    removeAll()
    plane = LocalPlane(around: coordinate)
    began = time
    return LocalPlane.Point(east: 0, north: 0)
  }

  private mutating func keep(_ place: Place) {
    if places.count < Self.capacity {
      places.append(place)
    } else {
      places[oldest] = place
      oldest = oldest + 1 == Self.capacity ? 0 : oldest + 1
    }
  }

  /// The places by their age, the oldest first.
  private subscript(index: Int) -> Place {
    let place = oldest + index
    return places[place < places.count ? place : place - places.count]
  }

  /// The variance of a second difference of white noise is six times its own.
  private mutating func takeNoise(of place: Place) {
    guard let last, let before else { return }
    let step = place.time - last.time, stepBefore = last.time - before.time
    guard step < 1.5 * stepBefore, stepBefore < 1.5 * step else { return }
    let east = place.point.east - 2 * last.point.east + before.point.east
    let north = place.point.north - 2 * last.point.north + before.point.north
    let seen = min((east * east + north * north) / 12, place.variance)
    whiteVariance = whiteVariance.map { $0 + 0.1 * (seen - $0) } ?? place.variance / 4
  }

  // MARK: What it shows

  private func finding(at now: Place) -> Finding {
    for span in Self.spans {
      guard let start = index(at: now.time - span), let middle = index(at: now.time - span / 2),
        middle > start
      else { continue }
      let from = self[start]
      let seconds = now.time - from.time
      let error = error(from: from, to: now)
      let limit = Self.significance * error
      let metres = from.point.distance(to: now.point)
      if metres >= limit {
        guard isCarried(from: from.point, by: self[middle].point, to: now.point) else { continue }
        return .moves(Displacement(metres: metres, error: error, seconds: seconds))
      }
      if seconds >= stopSeconds, Self.slowest * seconds >= limit { return .stands(seconds: seconds) }
    }
    return .unclear
  }

  /// One standard deviation on an axis of the displacement between two places, if there is none.
  private func error(from: Place, to: Place) -> Double {
    let white = whiteVariance ?? to.variance / 4
    let decayed = 1 - Double.exp(-(to.time - from.time) / Self.correlationTime)
    return (2 * white + (from.variance + to.variance) * decayed).squareRoot()
  }

  /// Whether each half of the time has carried the displacement on, by a fifth of it at least.
  private func isCarried(from: LocalPlane.Point, by middle: LocalPlane.Point, to: LocalPlane.Point) -> Bool {
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
