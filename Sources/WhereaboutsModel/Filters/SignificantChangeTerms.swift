/// The terms of a subscription to significant changes of place: few fixes at little cost.
///
/// The first fix with an accuracy of at most ``distance`` is reported. If all fixes are coarser for ``interval``, the
/// next coarse one is reported as the first. A later fix is reported if one of these conditions holds:
///
/// - The fix is at least ``distance`` from the last reported fix, and at least ``interval`` after it.
/// - The fix is at least ``farDistance`` from the last reported fix, at any time.
///
/// In both cases, the distance must also exceed the sum of both accuracies: two coarse fixes of one place are no
/// change. In this sum, the accuracy of the last reported fix counts as ``distance`` at most. So a coarse reported fix
/// does not suppress a later fix whose own accuracy is at most ``distance``.
///
/// A fix without an accuracy counts as one with an accuracy of ``distance``. Sources of coarse fixes state their
/// accuracy. Most sources without one are recordings of satellite receivers, whose fixes should not be suppressed.
///
/// The filter uses the times of the fixes. Where a time is missing or has not moved forward, the time between arrivals
/// counts. The same fixes give the same result on every platform.
///
/// - Source: the distance and the interval are those that Apple documents for its significant-change service, which
///   does not document its use of accuracy. ``farDistance`` is this package's own.
public struct SignificantChangeTerms: Hashable, Sendable, Codable {
  /// The least significant movement, in metres along the geodesic.
  public var distance: Double
  /// The least time between two changes; far moves are exempt.
  public var interval: Duration
  /// The movement that is reported without regard to ``interval``, in metres; infinity for none.
  public var farDistance: Double

  /// The standard terms: 500 m and five minutes, or 5 km at once.
  public static let standard = SignificantChangeTerms()

  /// Creates custom terms.
  ///
  /// - Parameters:
  ///   - distance: metres; a value that is not a positive finite number counts as 500.
  ///   - interval: a negative one counts as zero.
  ///   - farDistance: metres; a value that is not a number counts as 5000, one below `distance` as `distance`.
  public init(distance: Double = 500, interval: Duration = .seconds(300), farDistance: Double = 5000) {
    self.distance = distance > 0 && distance.isFinite ? distance : 500
    self.interval = max(.zero, interval)
    self.farDistance = max(self.distance, farDistance.isNaN ? 5000 : farDistance)
  }
}
