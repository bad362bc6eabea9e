/// The errors of a distance up to a point, by their sources.
///
/// The error of a stretch is that of the difference between the sums at its ends. Differences of variances would be too
/// great: a correlated error grows with its sum, so its square also grows with all that came before.
struct DistanceErrorSums: Sendable, Hashable {
  /// The sums of the correlated errors in metres, by source: each source errs in one direction all along.
  var correlated: SIMD4<Double>
  /// The variance of the errors that are independent of each other, in m².
  var independent: Double

  static let zero = DistanceErrorSums(correlated: .zero, independent: 0)

  /// The variance of the distance, in m².
  var variance: Double { (correlated * correlated).sum() + independent }

  static func + (left: Self, right: Self) -> Self {
    DistanceErrorSums(
      correlated: left.correlated + right.correlated, independent: left.independent + right.independent)
  }

  static func - (left: Self, right: Self) -> Self {
    DistanceErrorSums(
      correlated: left.correlated - right.correlated, independent: left.independent - right.independent)
  }
}
