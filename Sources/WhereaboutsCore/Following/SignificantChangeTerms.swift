/// What counts as a significant change of place, for a subscriber who wants to know little and spend little.
///
/// Defined so that it can be reproduced from fixes alone, on every platform. The first fix whose accuracy is at most
/// ``distance`` is told. From then on a fix is told when it is
/// - at least ``distance`` from the last one told and at least ``interval`` after it, or
/// - at least ``farDistance`` from it, however soon,
///
/// and in either case further from it than the accuracies of both together: two coarse fixes that may be of one place
/// are no change. After a coarse fix was told, one whose own accuracy is at most ``distance`` is not held back by that:
/// the accuracy of the last one told then counts as ``distance`` at most, so that nobody is left with a rough
/// place when the true one is known.
///
/// A fix that states no accuracy counts as one of ``distance``. Sources of coarse fixes state how coarse they are; those
/// that state none are mostly recordings of satellite receivers, and to tell nothing at all of them would
/// be the worse mistake.
///
/// Time is that of the fixes, or where that is missing or has not moved forward, the time between their arrivals.
///
/// - Source: the distance and the interval are what Apple documents for its significant-change service, which does
///   not say what it does about accuracy. ``farDistance`` is ours.
public struct SignificantChangeTerms: Hashable, Sendable, Codable {
  /// The least movement that is significant, in metres along the geodesic.
  public var distance: Double
  /// The least time between two changes, but for far moves.
  public var interval: Duration
  /// The movement that is told however soon it comes, in metres; infinity for none.
  public var farDistance: Double

  /// 500 m and five minutes, or 5 km at once.
  public static let standard = SignificantChangeTerms()

  /// Terms of one's own.
  ///
  /// - Parameters:
  ///   - distance: metres; one that is not a positive finite number counts as 500.
  ///   - interval: a negative one counts as zero.
  ///   - farDistance: metres; one that is not a number counts as 5000, one below `distance` as `distance`.
  public init(distance: Double = 500, interval: Duration = .seconds(300), farDistance: Double = 5000) {
    self.distance = distance > 0 && distance.isFinite ? distance : 500
    self.interval = max(.zero, interval)
    self.farDistance = max(self.distance, farDistance.isNaN ? 5000 : farDistance)
  }
}
