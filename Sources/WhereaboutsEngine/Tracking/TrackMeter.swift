import WhereaboutsGeodesy
import WhereaboutsModel

/// The meter of a tracker, by its `TrackTerms.Method`.
struct TrackMeter: Sendable, Hashable, Codable {
  /// The worst accuracy of a usable fix, in metres: half the Earth's circumference. A poorer fix carries no
  /// information, and the square of its accuracy may not be finite.
  private static let worstUsableAccuracy = 20_004_000.0

  private let terms: TrackTerms
  // Exactly one of the two is set. Two optionals, not an enum, so that each changes in place.
  private var odometer: Odometer?
  private var candidates: CandidateOdometer?
  /// The last settled point, from which an interruption is measured; `nil` before it, and in the state of earlier
  /// versions.
  private var end: TrackEnd?

  init(_ terms: TrackTerms) {
    self.terms = terms
    switch terms.method {
    case .estimated(let settings):
      odometer = Odometer(settings, activity: terms.activity)
    case .candidates(let settings):
      candidates = CandidateOdometer(
        settings, calculationInterval: terms.calculationInterval, turn: terms.turn)
    }
  }

  /// Creates a meter that continues the settled totals of a trip. Nothing counts up to the next fix.
  init(_ terms: TrackTerms, continuing trip: Trip) {
    self.init(terms)
    odometer?.resume(trip)
    candidates?.resume(trip)
  }

  /// Whether a tracker with a name has made the meter.
  var isNamed: Bool { terms.trip != nil }

  /// Whether decoded state is consistent and can be resumed.
  var isConsistent: Bool { (odometer == nil) != (candidates == nil) && odometer?.isConsistent ?? true }

  var totals: TrackTotals { odometer?.totals ?? candidates?.totals ?? TrackTotals() }
  var provisionalDistance: Double { odometer?.provisionalDistance ?? 0 }
  var lateFixes: Int { odometer?.lateFixes ?? candidates?.lateFixes ?? 0 }
  var duplicates: Int { odometer?.duplicates ?? candidates?.duplicates ?? 0 }
  var settledTo: UTCTime? { odometer?.settledTo ?? candidates?.settledTo }

  /// Processes a fix that has a time.
  ///
  /// - Parameters:
  ///   - fix: the fix.
  ///   - limit: the greatest accepted accuracy, in metres at 68 %, where the method uses one.
  ///   - isStill: whether the device is known to stand.
  ///   - findsMotion: whether to find the motion of each point, where the method does.
  ///   - settled: called with each settled point, and with the gap before it, if any.
  mutating func process(
    _ fix: Fix, upTo limit: Double, isStill: Bool, findsMotion: Bool = true,
    settled: (TrackPoint, TrackPoint.Gap?) -> Void
  ) {
    guard fix.horizontalAccuracy.map({ $0 <= Self.worstUsableAccuracy }) ?? true else { return }
    var end = self.end
    odometer?.processWithErrors(fix, findsMotion: findsMotion) { point, _ in
      settled(point, TrackEnd.advance(&end, to: point))
    }
    candidates?.process(fix, upTo: limit, isStill: isStill) { point in
      settled(point, TrackEnd.advance(&end, to: point))
    }
    self.end = end
  }

  /// Ends the segment: later fixes do not continue the earlier ones.
  mutating func endSegment(settled: (TrackPoint, TrackPoint.Gap?) -> Void) {
    var end = self.end
    odometer?.endSegment { point in settled(point, TrackEnd.advance(&end, to: point)) }
    candidates?.endSegment()
    self.end = end
  }

  /// Forgets the last settled point: no interruption is measured from it.
  mutating func clearEnd() { end = nil }
}

/// The end of a settled track.
private struct TrackEnd: Sendable, Hashable, Codable {
  var time: UTCTime
  var coordinate: Coordinate

  /// Moves the end to the next settled point.
  ///
  /// - Returns: the gap before the point, if any. An interruption is a gap of which nothing is counted.
  static func advance(_ end: inout TrackEnd?, to point: TrackPoint) -> TrackPoint.Gap? {
    let before = end
    end = TrackEnd(time: point.time, coordinate: point.coordinate)
    switch point.link {
    case .follows: return nil
    case .bridges(let gap): return gap
    case .begins:
      // After a step back in time there is no gap.
      guard let before, point.time > before.time else { return nil }
      return TrackPoint.Gap(
        duration: point.time.seconds(since: before.time),
        geodesic: before.coordinate.distance(to: point.coordinate), counted: 0, uncertainty: 0)
    }
  }
}
