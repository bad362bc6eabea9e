import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

/// Returns the visits that a detector reports for fixes, in order.
func visits(_ fixes: [Fix], terms: VisitTerms = .standard) -> [Visit] {
  var detector = StayDetector(terms)
  return fixes.flatMap { detector.process(TimedFix(fix: $0, validAt: .start)) }
}

/// Whether arrivals and departures alternate, each pair of one stay, in order of time.
func arrivalsAndDeparturesAlternate(_ visits: [Visit]) -> Bool {
  for (index, visit) in visits.enumerated() {
    if index.isMultiple(of: 2) {
      guard visit.departure == nil, visit.leftBefore == nil else { return false }
      if index > 0, let last = visits[index - 1].departure, visit.arrival < last { return false }
    } else {
      guard visit.arrival == visits[index - 1].arrival, let departure = visit.departure,
        let leftBefore = visit.leftBefore, visit.arrival < departure, departure < leftBefore
      else { return false }
    }
  }
  return true
}

extension ReceiverNoise {
  /// Errors of 30 m on each axis that wander within a minute, as between concrete walls.
  ///
  /// - Parameter overconfidence: the stated accuracy as a multiple of the true one.
  static func indoors(deviation: Double = 30, overconfidence: Double = 1, outliers: Double = 0.01)
    -> ReceiverNoise
  {
    ReceiverNoise(
      deviation: deviation, correlationTime: .seconds(60), whiteDeviation: 3, speedDeviation: nil,
      outlierShare: outliers, outlierDistance: 400, statedAccuracyFactor: overconfidence, gaps: [])
  }
}

/// A track to a place, a stay, and a track onward, with the true start and end of the stay in seconds.
struct StayTrack {
  var track: TrackBuilder
  let place: Coordinate
  let stayStart: Double
  let stayEnd: Double

  init(
    from start: Coordinate, azimuth: Double = 70, speed: Double = 1.4, approach: Double = 1200, stay: Double
  ) {
    track = TrackBuilder(from: start, at: utc(0))
    track.move(azimuth: azimuth, distance: approach, speed: speed)
    stayStart = track.duration / .seconds(1)
    track.rest(for: .seconds(stay))
    stayEnd = track.duration / .seconds(1)
    place = start.destination(azimuth: azimuth, distance: approach) ?? start
    track.move(azimuth: azimuth + 60, distance: approach, speed: speed)
  }
}
