import WhereaboutsModel

/// The terms of a fence as a watch evaluates them with every fix: plain numbers without reference counting.
///
/// A number out of range counts as the nearest valid value. A NaN counts as the default.
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
    margin = terms.hysteresisMargin > 0 ? min(terms.hysteresisMargin, Self.maximumMargin) : 0
    enterDwell = max(.zero, terms.enterDwell)
    exitDwell = max(.zero, terms.exitDwell)
    dwell = terms.dwell.map { max(.zero, $0) }
    expiry = terms.expiry
  }

  private static func confidence(_ value: Double) -> Double {
    value.isNaN ? 0.95 : min(max(value, 0.5), 0.9999)
  }

  /// The greatest margin, in metres.
  private static let maximumMargin = 1e6

  /// Returns the time that a device must have been on a side for the side to count.
  func requiredDuration(for side: FenceState.Side) -> Duration { side == .inside ? enterDwell : exitDwell }
}
