/// What a tracker counts with, by its ``DistanceMethod``.
struct TrackMeter: Sendable, Hashable, Codable {
  /// A fix that may be farther off, in metres, than the Earth has places says nothing, and its square may be no number.
  private static let poorest = 20_004_000.0

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

  /// Whether it can be gone on with: one that was read may be anything.
  var isSound: Bool { (odometer == nil) != (candidates == nil) && odometer?.isSound ?? true }

  var totals: TrackTotals { odometer?.totals ?? candidates?.totals ?? TrackTotals() }
  var ahead: Double { odometer?.ahead ?? 0 }
  var leftOut: Int { odometer?.leftOut ?? candidates?.leftOut ?? 0 }
  var doubled: Int { odometer?.doubled ?? candidates?.doubled ?? 0 }
  var settledTo: UTCTime? { odometer.map(\.settledTo) ?? candidates?.settledTo }

  /// Takes a fix that has a time.
  ///
  /// - Parameters:
  ///   - limit: the accuracy, in metres at 68 %, up to which one may be gone by, where that is what the method goes by.
  ///   - isStill: whether the device is known to stand.
  mutating func take(_ fix: Fix, upTo limit: Double, isStill: Bool, settled: (TrackPoint) -> Void) {
    guard fix.horizontalAccuracy.map({ $0 <= Self.poorest }) ?? true else { return }
    odometer?.take(fix, settled: settled)
    candidates?.take(fix, upTo: limit, isStill: isStill, settled: settled)
  }

  /// What comes next does not continue what came before.
  mutating func breakOff(settled: (TrackPoint) -> Void) {
    odometer?.breakOff(settled: settled)
    candidates?.breakOff()
  }
}
