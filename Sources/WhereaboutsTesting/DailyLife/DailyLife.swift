package import Whereabouts
import WhereaboutsGeodesy
import RealModule

/// A person's days with known truth: visits and journeys between them.
///
/// The person has a home, a place of work, shops and friends, and travels on foot, by bicycle, by car or by train. All
/// numbers are derived from the seed.
package struct DailyLife: Sendable {
  /// A mode of transport of the truth.
  package enum Mode: String, Hashable, Sendable, CaseIterable {
    case walking, cycling, driving, rail
  }

  /// A true stay at a place.
  package struct TrueVisit: Hashable, Sendable {
    /// The place.
    package var coordinate: Coordinate
    /// Seconds since the beginning.
    package var arrival: Double
    /// Seconds since the beginning.
    package var departure: Double
  }

  /// A true stretch of movement by one mode, with its waits.
  package struct TrueLeg: Hashable, Sendable {
    /// The mode.
    package var mode: Mode
    /// Seconds since the beginning.
    package var start: Double
    /// Seconds since the beginning.
    package var end: Double
    /// Metres.
    package var distance: Double
    /// Whether a new journey begins with the leg.
    package var beginsJourney: Bool
  }

  /// A person's way of life.
  package enum Kind: Sendable {
    /// On foot, by bicycle, by car and by train.
    case mixed
    /// Everything by car.
    case car
  }

  /// The time at which the days begin.
  package let beginning: UTCTime
  /// The visits, in order.
  package internal(set) var visits: [TrueVisit] = []
  /// The legs, in order.
  package internal(set) var legs: [TrueLeg] = []
  /// The true path: the knots of straight lines, by time in seconds and metres in a plane around the home.
  var knots: [Knot] = []
  let plane: LocalPlane

  struct Knot: Hashable, Sendable {
    var time: Double
    var east: Double
    var north: Double
    /// Whether the person is within a building.
    var isInside: Bool
  }

  /// Creates days.
  ///
  /// - Parameters:
  ///   - days: the number of days.
  ///   - kind: the way of life.
  ///   - seed: equal seeds give equal days.
  ///   - beginning: midnight of the first day.
  package init(
    days: Int, kind: Kind = .mixed, seed: UInt64,
    beginning: UTCTime = UTCTime(nanosecondsSince1970: 1_704_067_200_000_000_000)
  ) {
    self.beginning = beginning
    guard let home = Coordinate(latitude: 52.5, longitude: 13.4) else { preconditionFailure("a place") }
    plane = LocalPlane(around: home)
    var builder = DailyLifeBuilder(kind: kind, seed: seed)
    builder.live(days: days)
    knots = builder.knots
    legs = builder.legs
    visits = builder.visits.map { visit in
      TrueVisit(
        coordinate: plane.coordinate(at: visit.place) ?? home, arrival: visit.arrival,
        departure: visit.departure)
    }
  }

  /// The end of the days, in seconds since the beginning.
  package var end: Double { knots.last?.time ?? 0 }

  /// A cursor over the true path, for increasing times.
  struct Cursor {
    private let knots: [Knot]
    private var index = 0

    init(_ life: DailyLife) { knots = life.knots }

    /// Returns the true state at a time that is not before the last one: the place, speed and course.
    mutating func state(at time: Double) -> (
      point: LocalPlane.Point, speed: Double, course: Double, inside: Bool
    ) {
      while index + 2 < knots.count, knots[index + 1].time <= time { index += 1 }
      let a = knots[index], b = knots[min(index + 1, knots.count - 1)]
      let span = b.time - a.time
      let share = span > 0 ? min(1, max(0, (time - a.time) / span)) : 0
      let east = b.east - a.east, north = b.north - a.north
      let length = (east * east + north * north).squareRoot()
      let course = (Double.atan2(y: east, x: north) * 180 / .pi + 360).truncatingRemainder(dividingBy: 360)
      return (
        LocalPlane.Point(east: a.east + share * east, north: a.north + share * north),
        span > 0 ? length / span : 0, course, a.isInside && b.isInside
      )
    }
  }
}
