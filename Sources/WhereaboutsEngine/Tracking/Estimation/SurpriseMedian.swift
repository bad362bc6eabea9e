import RealModule

/// A measure of how much better fixes are than their stated accuracy, from their distances to the predicted places.
///
/// If fixes that state 1 m are within millimetres of their predicted places, one after the other, they are better than
/// stated. The variances of places and velocities are proportional to those of the fixes, so they are smaller too.
/// Otherwise a slow walk would be lost in errors that exact fixes do not have.
///
/// Because of correlated errors, and in receivers that smooth, fixes follow each other more closely than they follow
/// the truth. Therefore the scale falls only where fixes are nearer by a wide margin than their stated errors explain.
///
/// - Source: the variance of unit weight a posteriori, as in the adjustment of observations; the median instead of the
///   mean excludes turns and outliers.
enum SurpriseMedian {
  /// Returns the factor for the variances of nodes, in [0.05, 1]; 1 for a few nodes.
  ///
  /// - Complexity: O(n), without a copy: the median is found by bisection of its logarithm.
  static func varianceScale(of nodes: [TrackNode]) -> Double {
    guard nodes.count >= requiredCount else { return 1 }
    let half = nodes.count / 2
    var low = Double.log(leastScale * medianByMean / margin), high = Double.log(medianByMean / margin)
    guard count(in: nodes, upTo: Double.exp(high)) > half else { return 1 }
    for _ in 0..<bisections {
      let middle = (low + high) / 2
      if count(in: nodes, upTo: Double.exp(middle)) > half { high = middle } else { low = middle }
    }
    return min(1, margin * Double.exp(high) / medianByMean)
  }

  private static func count(in nodes: [TrackNode], upTo limit: Double) -> Int {
    nodes.reduce(0) { $1.surprise <= limit ? $0 + 1 : $0 }
  }

  /// The least number of nodes for a measurement.
  private static let requiredCount = 10
  /// The ratio of median to mean, ln 2: squared lengths in a plane are distributed exponentially.
  private static let medianByMean = 0.693
  /// The margin, as a square: smoothing does not explain fixes seven times nearer than stated errors do. A choice
  /// without a source.
  private static let margin = 50.0
  /// The least scale: a velocity's deviation is at least a fourth or fifth of the stated one.
  private static let leastScale = 0.05
  /// The number of bisections: a factor of twenty to one in a hundred.
  private static let bisections = 9
}
