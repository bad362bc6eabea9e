/// Which headings one subscriber is told.
struct HeadingFilter: Sendable {
  /// What becomes of a heading.
  enum Verdict: Hashable, Sendable {
    /// It is told.
    case told
    /// It has not turned far enough, or is counted from a north that nobody asked for.
    case held
    /// It can't be used, and the one before could: the subscriber is told so.
    case unusable
    /// It can't be used, like the one before: told already.
    case stillUnusable
  }

  private let filter: Double
  private let reference: Heading.Reference?
  /// The last one told from each north, in degrees; `nil` before the first and within a spell of unusable ones.
  private var last = ByNorth()

  private struct ByNorth: Sendable {
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

  private var isSpellOfUnusable = false

  init(_ terms: HeadingTerms) {
    // Terms that were decoded or changed have not been through their initialiser.
    filter = HeadingTerms(filter: terms.filter).filter
    reference = terms.reference
  }

  /// What becomes of this heading; if it is told, later ones are measured against it.
  mutating func take(_ heading: Heading) -> Verdict {
    if let reference, heading.reference != reference { return .held }
    guard Self.isUsable(heading) else {
      defer { isSpellOfUnusable = true }
      last = ByNorth()
      return isSpellOfUnusable ? .stillUnusable : .unusable
    }
    isSpellOfUnusable = false
    if let last = last[heading.reference], turn(from: last, to: heading.degrees) < filter { return .held }
    last[heading.reference] = heading.degrees
    return .told
  }

  /// A compass that says "invalid" does so by an accuracy below 0; the angle beside it means nothing.
  private static func isUsable(_ heading: Heading) -> Bool {
    guard let accuracy = heading.accuracy else { return true }
    return accuracy.isFinite && accuracy >= 0
  }

  /// The angle between two directions, in [0, 180], the shorter way round.
  private func turn(from one: Double, to other: Double) -> Double {
    let turn = (other - one).remainder(dividingBy: 360).magnitude
    // Instruments count in tenths, which doubles don't: 1.4 - 0.4 is a little less than 1.
    return turn + 1e-9
  }
}
