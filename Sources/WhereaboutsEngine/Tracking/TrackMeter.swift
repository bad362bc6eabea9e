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
  ///   - settled: called with each settled point.
  mutating func process(
    _ fix: Fix, upTo limit: Double, isStill: Bool, findsMotion: Bool = true, settled: (TrackPoint) -> Void
  ) {
    guard fix.horizontalAccuracy.map({ $0 <= Self.worstUsableAccuracy }) ?? true else { return }
    odometer?.processWithErrors(fix, findsMotion: findsMotion) { point, _ in settled(point) }
    candidates?.process(fix, upTo: limit, isStill: isStill, settled: settled)
  }

  /// Ends the segment: later fixes do not continue the earlier ones.
  mutating func endSegment(settled: (TrackPoint) -> Void) {
    odometer?.endSegment(settled: settled)
    candidates?.endSegment()
  }
}
