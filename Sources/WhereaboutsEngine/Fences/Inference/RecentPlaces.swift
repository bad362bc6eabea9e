import WhereaboutsModel

/// The last places of a device near fences, up to 18 and at least 10 s apart, which tell movements from wandering fixes.
///
/// The velocity of a walker whose fixes come every few seconds and state no speed does not stand out from its error. The
/// distance covered in a minute does: a displacement is a movement, too.
///
/// The fixes of a device at rest often wander by more than they state, and for longer than the filter assumes. Its places
/// then spread by a multiple of their stated standard deviations, on a path that is long for its extent, and the steps
/// between the fixes do not persist in a direction: ``wanderFactor``.
struct RecentPlaces: Hashable, Sendable {
  private struct Place: Hashable, Sendable {
    var time: UTCTime
    var place: SIMD3<Double>
    /// The variance of the place, in m² per axis.
    var variance: Double
    /// The distance travelled up to there, in metres.
    var travelled: Double

    init(time: UTCTime, place: SIMD3<Double>, variance: Double, travelled: Double) {
      self.time = time
      self.place = place
      self.variance = variance
      self.travelled = travelled
    }

    init(_ node: TrackNode, travelled: Double) {
      self.init(
        time: node.sample.time, place: node.filtered.place, variance: max(0, node.filtered.covariance.pp),
        travelled: travelled)
    }
  }

  private var places: [Place] = []
  private var steps: StepPersistence?
  /// The root of the ratio of the observed and the stated variance of the places, as far as chance does not explain it.
  private var spread = 1.0

  /// The factor by which the standard deviations of estimated places and velocities are too small, 1 to 2.
  var wanderFactor: Double { steps?.showsMovement ?? true ? 1 : spread }

  init() { places.reserveCapacity(Self.maximumPlaces + 1) }

  /// Appends the place after a step.
  ///
  /// - Parameter travelled: the distance travelled up to the place, in metres.
  mutating func append(_ node: TrackNode, travelled: Double) {
    if steps == nil { steps = StepPersistence(node) } else { steps?.process(node) }
    if let last = places.last, node.sample.time.seconds(since: last.time) < Self.interval { return }
    if places.count >= Self.maximumPlaces { places.removeFirst() }
    places.append(Place(node, travelled: travelled))
    updateSpread()
  }

  /// Forgets the places from a time on, which are estimated again.
  mutating func forget(from time: UTCTime) {
    places.removeAll { $0.time >= time }
    updateSpread()
  }

  /// The least time between two places in seconds, and the number of places.
  private static let interval = 10.0
  private static let maximumPlaces = 18

  // MARK: Displacement

  /// Returns the distance travelled that the displacement from an earlier place to that of a later node proves, in metres;
  /// 0 if none does.
  func provenDistance(to node: TrackNode) -> Double {
    // Where speeds are stated, they tell more of a movement.
    guard node.sample.speed == nil else { return 0 }
    let here = Place(node, travelled: 0)
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

  /// Compares the spread of the places with their variances, where the path through them is long for its extent. The latest
  /// places are left out: a departure must not widen the spread that it is compared with.
  private mutating func updateSpread() {
    spread = 1
    guard let newest = places.last?.time else { return }
    let older = places.dropLast(Self.latestPlaces)
      .drop { newest.seconds(since: $0.time) > Self.longestWandering }
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
    spread = min(Self.greatestSpread, max(1, ratio / Self.usualSpread).squareRoot())
  }

  /// The number of the latest places that are left out.
  private static let latestPlaces = 3
  /// The number of places from which their spread is compared.
  private static let leastWanderingPlaces = 12
  /// The greatest age of a compared place in seconds. A device that has really moved for longer than that has a long path,
  /// too.
  private static let longestWandering = 300.0
  /// The length of a wandering path, relative to the root mean square distance of its places from their mean. A straight path
  /// has 3.5 (√12), a circle 6.3 (2π), a way there and back 6.9 (2√12).
  private static let leastWanderingPath = 7.0
  /// The ratio of observed and stated variances that so few places, whose errors are alike, have by chance.
  private static let usualSpread = 1.5
  /// A greater factor would hide many visits of a device that walks to and fro.
  private static let greatestSpread = 2.0
}

extension RecentPlaces: Codable {
  private enum CodingKeys: String, CodingKey { case places, steps }

  init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: CodingKeys.self)
    steps = try container.decodeIfPresent(StepPersistence.self, forKey: .steps)
    var rows = try container.nestedUnkeyedContainer(forKey: .places)
    while !rows.isAtEnd {
      let time = try rows.decode(UTCTime.self)
      let place = SIMD3(
        try rows.decode(Double.self), try rows.decode(Double.self), try rows.decode(Double.self))
      places.append(
        Place(
          time: time, place: place, variance: try rows.decode(Double.self),
          travelled: try rows.decode(Double.self)))
    }
    updateSpread()
  }

  /// Writes time, place, variance and distance of each place, one after the other.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(steps, forKey: .steps)
    var rows = container.nestedUnkeyedContainer(forKey: .places)
    for place in places {
      try rows.encode(place.time)
      for axis in 0..<3 { try rows.encode(place.place[axis]) }
      try rows.encode(place.variance)
      try rows.encode(place.travelled)
    }
  }
}
