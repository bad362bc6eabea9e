import WhereaboutsModel

/// A test of displacement: compares the place of a device with up to 18 of its last places, at least 10 s apart.
///
/// The velocity of a walker whose fixes come every few seconds and state no speed does not stand out from its error. The
/// distance covered in a minute does.
struct DisplacementTest: Hashable, Sendable {
  private struct Place: Hashable, Sendable {
    var time: UTCTime
    var place: SIMD3<Double>
    /// The variance of the place, in m² per axis.
    var variance: Double
    /// The distance travelled up to there, in metres.
    var travelled: Double
  }

  private var places: [Place] = []

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
    return proven
  }

  /// Forgets the places from a time on, which are estimated again.
  mutating func forget(from time: UTCTime) { places.removeAll { $0.time >= time } }

  /// Returns the distance travelled that the displacement from an earlier place proves, in metres; 0 if none does.
  private func provenDistance(to here: Place) -> Double {
    var proven = 0.0, path = 0.0, next = here
    for place in places.reversed() {
      path += (next.place - place.place).length
      next = place
      guard here.time.seconds(since: place.time) >= Self.interval else { continue }
      let displacement = (here.place - place.place).length
      let deviation = (here.variance + place.variance).squareRoot()
      if displacement > Self.provingDeviations * deviation, displacement >= Self.leastStraightness * path {
        proven = max(proven, place.travelled + displacement)
      }
    }
    return proven
  }

  /// The least time between two places in seconds, and the number of places.
  private static let interval = 10.0
  private static let maximumPlaces = 18
  /// The displacement in standard deviations that proves a movement. The fixes of a device at rest, which often state
  /// half of their error, seldom wander as far.
  private static let provingDeviations = 7.0
  /// The least share of the path through the places that the displacement is. Wandering fixes make a longer path.
  private static let leastStraightness = 0.7
}

extension DisplacementTest: Codable {
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
