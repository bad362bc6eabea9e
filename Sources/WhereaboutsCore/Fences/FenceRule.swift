/// The terms of a fence as a watch looks at them with every fix: numbers only, nothing to count references of.
///
/// What is out of range counts as the nearest that is not, and what is no number as the default.
struct FenceRule: Sendable {
  let enterConfidence: Double
  let exitConfidence: Double
  let margin: Double
  let enterDwell: Duration
  let exitDwell: Duration
  let dwell: Duration?
  let expiry: UTCTime?

  init(_ terms: FenceTerms) {
    enterConfidence = Self.confidence(terms.enterConfidence)
    exitConfidence = Self.confidence(terms.exitConfidence)
    margin = terms.hysteresisMargin > 0 ? min(terms.hysteresisMargin, Self.greatestMargin) : 0
    enterDwell = max(.zero, terms.enterDwell)
    exitDwell = max(.zero, terms.exitDwell)
    dwell = terms.dwell.map { max(.zero, $0) }
    expiry = terms.expiry
  }

  private static func confidence(_ value: Double) -> Double {
    value.isNaN ? 0.95 : min(max(value, 0.5), 0.9999)
  }

  /// Metres.
  private static let greatestMargin = 1e6

  /// How long a device must have been on a side for it to count.
  func needed(for side: FenceSide) -> Duration { side == .inside ? enterDwell : exitDwell }
}
