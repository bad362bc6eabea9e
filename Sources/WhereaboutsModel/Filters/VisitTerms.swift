/// The terms of a visit: a stay within a circle, for a time.
///
/// Only the circle counts, not the movement in it: laps around a sports ground are a visit to it. Slow travel is no
/// visit: the device must not progress by more than a quarter of the radius in the minimum stay.
public struct VisitTerms: Hashable, Sendable, Codable {
  /// The greatest distance of a stay's fixes from their middle, in metres.
  public var radius: Double
  /// The least duration of a stay that is a visit.
  public var minimumStay: Duration

  /// The standard terms: 100 m and five minutes, a building and its surroundings.
  public static let standard = VisitTerms()

  /// Creates custom terms.
  ///
  /// - Parameters:
  ///   - radius: metres; a value that is not a positive number counts as 100, one above 100 km as 100 km.
  ///   - minimumStay: one below a second counts as a second, one above a year as a year.
  public init(radius: Double = 100, minimumStay: Duration = .seconds(300)) {
    self.radius = radius > 0 ? min(radius, 100_000) : 100
    self.minimumStay = min(max(minimumStay, .seconds(1)), .seconds(365 * 86_400))
  }
}
