import WhereaboutsModel

/// The meter of a tracker, by its `DistanceMethod`.
struct TrackMeter: Sendable, Hashable, Codable {
  /// A fix that may be farther off, in metres, than the Earth has places says nothing, and its square may be no
  /// number.
  private static let worstUsableAccuracy = 20_004_000.0

  private let terms: TrackTerms
  // One of the two: as two optionals and no enum, so that they are changed where they stand.
  private var odometer: Odometer?
  private var candidates: CandidateOdometer?

  init(_ terms: TrackTerms) {
    self.terms = terms
    switch terms.method {
    case .estimated(let settings):
      // Made again: settings may have been changed or decoded since they were made.
      odometer = Odometer(
        OdometerSettings(lateness: settings.lateness, gap: settings.gap, bridging: settings.bridging),
        activity: terms.activity)
    case .candidates(let settings):
      candidates = CandidateOdometer(
        settings, calculationInterval: terms.calculationInterval, turn: terms.turn)
    }
  }

  /// Whether decoded state is consistent and can be resumed.
  var isConsistent: Bool { (odometer == nil) != (candidates == nil) && odometer?.isConsistent ?? true }

  var totals: TrackTotals { odometer?.totals ?? candidates?.totals ?? TrackTotals() }
  var provisionalDistance: Double { odometer?.provisionalDistance ?? 0 }
  var lateFixes: Int { odometer?.lateFixes ?? candidates?.lateFixes ?? 0 }
  var duplicates: Int { odometer?.duplicates ?? candidates?.duplicates ?? 0 }
  var settledTo: UTCTime? { odometer.map(\.settledTo) ?? candidates?.settledTo }

  /// Processes a fix that has a time.
  ///
  /// - Parameters:
  ///   - fix: the fix.
  ///   - limit: the greatest accepted accuracy, in metres at 68 %, where the method uses one.
  ///   - isStill: whether the device is known to stand.
  ///   - settled: called with each settled point.
  mutating func process(_ fix: Fix, upTo limit: Double, isStill: Bool, settled: (TrackPoint) -> Void) {
    guard fix.horizontalAccuracy.map({ $0 <= Self.worstUsableAccuracy }) ?? true else { return }
    odometer?.process(fix, settled: settled)
    candidates?.process(fix, upTo: limit, isStill: isStill, settled: settled)
  }

  /// Ends the segment: later fixes do not continue the earlier ones.
  mutating func endSegment(settled: (TrackPoint) -> Void) {
    odometer?.endSegment(settled: settled)
    candidates?.endSegment()
  }
}
