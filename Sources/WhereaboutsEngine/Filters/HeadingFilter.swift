import WhereaboutsModel

/// The filter that selects the headings one subscriber receives.
struct HeadingFilter: Sendable {
  /// The filter's result for one heading.
  enum Verdict: Hashable, Sendable {
    /// The heading is reported.
    case reported
    /// The heading has not turned far enough, or is counted from a north that the subscriber did not ask for.
    case suppressed
    /// The heading can't be used and the one before could: the subscriber is notified.
    case unusable
    /// Neither this heading nor the one before can be used: the subscriber was notified already.
    case stillUnusable
  }

  private let filter: Double
  private let reference: Heading.Reference?
  /// The last heading reported from each north, in degrees; `nil` before the first and while headings are unusable.
  private var last = LastByReference()

  private struct LastByReference: Sendable {
    var fromTrueNorth: Double?
    var fromMagneticNorth: Double?
    var fromCompassNorth: Double?

    subscript(reference: Heading.Reference) -> Double? {
      get {
        switch reference {
        case .trueNorth: fromTrueNorth
        case .magneticNorth: fromMagneticNorth
        case .compassNorth: fromCompassNorth
        }
      }
      set {
        switch reference {
        case .trueNorth: fromTrueNorth = newValue
        case .magneticNorth: fromMagneticNorth = newValue
        case .compassNorth: fromCompassNorth = newValue
        }
      }
    }
  }

  private var wasUnusable = false

  init(_ terms: HeadingTerms) {
    // Decoded or changed terms have not been through the initializer.
    filter = HeadingTerms(filter: terms.filter).filter
    reference = terms.reference
  }

  /// Returns the verdict on this heading; later headings are compared with a reported one.
  mutating func process(_ heading: Heading) -> Verdict {
    if let reference, heading.reference != reference { return .suppressed }
    guard Self.isUsable(heading) else {
      defer { wasUnusable = true }
      last = LastByReference()
      return wasUnusable ? .stillUnusable : .unusable
    }
    wasUnusable = false
    if let last = last[heading.reference], angle(from: last, to: heading.degrees) < filter {
      return .suppressed
    }
    last[heading.reference] = heading.degrees
    return .reported
  }

  /// Returns whether a heading is usable. A compass marks an invalid heading by an accuracy below 0; its angle then
  /// means nothing.
  private static func isUsable(_ heading: Heading) -> Bool {
    guard let accuracy = heading.accuracy else { return true }
    return accuracy.isFinite && accuracy >= 0
  }

  /// Returns the angle between two directions, in [0, 180], the shorter way round.
  private func angle(from one: Double, to other: Double) -> Double {
    let turn = (other - one).remainder(dividingBy: 360).magnitude
    // Instruments count in tenths, which a `Double` does not represent exactly: 1.4 - 0.4 is a little less than 1.
    return turn + 1e-9
  }
}
