/// The definition of a significant change of place, for subscribers who need few fixes at little cost.
///
/// The result can be reproduced from fixes alone, on every platform. The first fix whose accuracy is at most
/// ``distance`` is reported. From then on, a fix is reported when it is
/// - at least ``distance`` from the last reported fix and at least ``interval`` after it, or
/// - at least ``farDistance`` from it, however soon,
///
/// and in either case farther from the last reported fix than both accuracies together. Two coarse fixes that may be
/// of one place are no change. The accuracy of the last reported fix counts as ``distance`` at most. So a coarse
/// reported fix does not hold back a later fix whose own accuracy is at most ``distance``.
///
/// A fix that states no accuracy counts as one of ``distance``. Sources of coarse fixes state their accuracy. Sources
/// that state none are mostly recordings of satellite receivers, and suppressing all their fixes would be the worse
/// mistake.
///
/// The filter uses the times of the fixes. Where a time is missing or has not moved forward, the time between
/// arrivals counts.
///
/// - Source: the distance and the interval are those that Apple documents for its significant-change service, which
///   does not document its use of accuracy. ``farDistance`` is this package's own.
public struct SignificantChangeTerms: Hashable, Sendable, Codable {
  /// The least significant movement, in metres along the geodesic.
  public var distance: Double
  /// The least time between two changes; far moves are exempt.
  public var interval: Duration
  /// The movement that is reported however soon it comes, in metres; infinity for none.
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
