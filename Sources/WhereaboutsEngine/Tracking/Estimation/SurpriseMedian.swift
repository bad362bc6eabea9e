import RealModule

/// Measures how much better fixes are than they state, by how near they come to where each was expected.
///
/// A fix that states 1 m and comes to within millimetres of the foreseen place, one after the other, is better than
/// stated. The variances of places and velocities are in proportion to those of the fixes, so that they are smaller too.
/// Otherwise a slow walk is lost in errors that exact fixes do not have.
///
/// Errors that last, and receivers that smooth, make fixes follow each other more closely than they follow the truth.
/// Therefore the scale falls only where fixes come nearer by a wide margin than their stated errors explain.
///
/// - Source: the variance of unit weight a posteriori, as in the adjustment of observations; the median instead of the
///   mean keeps turns and outliers out.
enum SurpriseMedian {
  /// By how much the variances of nodes are to be multiplied, in [0.05, 1]; 1 for a few nodes.
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

  /// Fewer say nothing.
  private static let requiredCount = 10
  /// Squared lengths in a plane are distributed exponentially, and ln 2 of the mean is the median.
  private static let medianByMean = 0.693
  /// Fixes seven times nearer than stated errors explain are not smoothed ones: a choice without a source.
  private static let margin = 50.0
  /// However exact fixes seem, a velocity is no surer than a fourth or fifth of its stated deviation.
  private static let leastScale = 0.05
  /// Of a factor of twenty: to one in a hundred.
  private static let bisections = 9
}
