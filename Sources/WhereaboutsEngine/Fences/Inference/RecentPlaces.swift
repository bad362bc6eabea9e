import WhereaboutsModel

/// The last places of a device near fences, up to 18 and at least 10 s apart, which tell movements from wandering fixes.
///
/// The velocity of a walker whose fixes come every few seconds and state no speed does not stand out from its error. The
/// distance covered in a minute does: a displacement is a movement, too.
///
/// The fixes of a device at rest often wander by more than they state, and for longer than the filter assumes. Its places
/// then spread by a multiple of their stated standard deviations, on a path that leads nowhere: ``wanderFactor``.
struct RecentPlaces: Hashable, Sendable {
  private struct Place: Hashable, Sendable {
    var time: UTCTime
    var place: SIMD3<Double>
    /// The variance of the place, in m² per axis.
    var variance: Double
    /// The distance travelled up to there, in metres.
    var travelled: Double
  }

  private var places: [Place] = []
  /// The factor by which the standard deviations of estimated places and velocities are too small, 1 to 2.
  private(set) var wanderFactor = 1.0

  init() { places.reserveCapacity(Self.maximumPlaces + 1) }

  /// Processes the place after a step.
  ///
  /// - Parameter travelled: the distance travelled up to the place, in metres, as far as velocities show it.
  /// - Returns: the distance travelled, in metres: at least `travelled`, and more if a displacement proves more.
  mutating func process(_ node: TrackNode, travelled: Double) -> Double {
    let here = Place(
      time: node.sample.time, place: node.filtered.place, variance: max(0, node.filtered.covariance.pp),
      travelled: travelled)
    // Where speeds are stated, they tell more of a movement.
    let proven = node.sample.speed == nil ? max(travelled, provenDistance(to: here)) : travelled
    if let last = places.last, here.time.seconds(since: last.time) < Self.interval { return proven }
    if places.count >= Self.maximumPlaces { places.removeFirst() }
    places.append(here)
    places[places.count - 1].travelled = proven
    updateWanderFactor()
    return proven
  }

  /// Forgets the places from a time on, which are estimated again.
  mutating func forget(from time: UTCTime) {
    places.removeAll { $0.time >= time }
    updateWanderFactor()
  }

  /// The least time between two places in seconds, and the number of places.
  private static let interval = 10.0
  private static let maximumPlaces = 18

  // MARK: Displacement

  /// Returns the distance travelled that the displacement from an earlier place proves, in metres; 0 if none does.
  private func provenDistance(to here: Place) -> Double {
    var proven = 0.0, path = 0.0, next = here
    for place in places.reversed() {
      path += (next.place - place.place).length
      next = place
      guard here.time.seconds(since: place.time) >= Self.interval else { continue }
      let displacement = (here.place - place.place).length
      let deviation = (here.variance + place.variance).squareRoot() * wanderFactor
      if displacement > Self.provingDeviations * deviation, displacement >= Self.leastStraightness * path {
        proven = max(proven, place.travelled + displacement)
      }
    }
    return proven
  }

  /// The displacement in standard deviations that proves a movement. The fixes of a device at rest, which often state
  /// half of their error, seldom wander as far.
  private static let provingDeviations = 7.0
  /// The least share of the path through the places that the displacement is. Wandering fixes make a longer path.
  private static let leastStraightness = 0.7

  // MARK: Wandering

  /// Compares the spread of the places with their variances, where the path through them leads nowhere. The latest places are
  /// left out: a departure must not widen the spread that it is compared with.
  private mutating func updateWanderFactor() {
    wanderFactor = 1
    let older = places.dropLast(Self.latestPlaces)
    guard older.count >= Self.leastWanderingPlaces, var before = older.first?.place else { return }
    var sum = SIMD3<Double>.zero, variance = 0.0, path = 0.0
    for place in older {
      sum += place.place
      variance += place.variance
      path += (place.place - before).length
      before = place.place
    }
    let count = Double(older.count), mean = sum / count
    let square = older.reduce(0) { $0 + (($1.place - mean) * ($1.place - mean)).sum() } / count
    guard variance > 0, path > Self.leastWanderingPath * square.squareRoot() else { return }
    // `square` has two axes.
    let ratio = square / (2 * variance / count)
    wanderFactor = min(Self.greatestWanderFactor, max(1, ratio / Self.usualSpread).squareRoot())
  }

  /// The number of places, half a minute, that are left out.
  private static let latestPlaces = 3
  /// The number of places, two minutes, from which their spread is compared.
  private static let leastWanderingPlaces = 12
  /// The length of a wandering path, relative to the root mean square distance of its places from their mean. A straight path
  /// has 3.5 (√12), a circle 6.3 (2π), a way there and back 6.9 (2√12).
  private static let leastWanderingPath = 7.0
  /// The ratio of observed and stated variances that so few places, whose errors are alike, have by chance.
  private static let usualSpread = 1.5
  /// A greater factor would hide many visits of a device that walks to and fro.
  private static let greatestWanderFactor = 2.0
}

extension RecentPlaces: Codable {
  /// Reads the rows that ``encode(to:)`` writes.
  init(from decoder: any Decoder) throws {
    self.init()
    var rows = try decoder.unkeyedContainer()
    while !rows.isAtEnd {
      let time = try rows.decode(UTCTime.self)
      let place = SIMD3(
        try rows.decode(Double.self), try rows.decode(Double.self), try rows.decode(Double.self))
      places.append(
        Place(
          time: time, place: place, variance: try rows.decode(Double.self),
          travelled: try rows.decode(Double.self)))
    }
    updateWanderFactor()
  }

  /// Writes time, place, variance and distance of each place, one after the other.
  func encode(to encoder: any Encoder) throws {
    var rows = encoder.unkeyedContainer()
    for place in places {
      try rows.encode(place.time)
      for axis in 0..<3 { try rows.encode(place.place[axis]) }
      try rows.encode(place.variance)
      try rows.encode(place.travelled)
    }
  }
}
