/// What counts as a visit: a stay within a circle, for a time.
///
/// Only the circle counts, not what the device does in it: laps around a sports ground are a visit to it. Being
/// slow is none: whoever gets on by more than a quarter of the radius in the minimum stay is on his way.
public struct VisitTerms: Hashable, Sendable, Codable {
  /// How far from the middle of its fixes a stay reaches, in metres.
  public var radius: Double
  /// How long a stay must last to be a visit.
  public var minimumStay: Duration

  /// 100 m and five minutes: a building and its surroundings.
  public static let standard = VisitTerms()

  /// Terms of one's own.
  ///
  /// - Parameters:
  ///   - radius: metres; one that is not a positive number counts as 100, one above 100 km as 100 km.
  ///   - minimumStay: one below a second counts as a second, one above a year as a year.
  public init(radius: Double = 100, minimumStay: Duration = .seconds(300)) {
    self.radius = radius > 0 ? min(radius, 100_000) : 100
    self.minimumStay = min(max(minimumStay, .seconds(1)), .seconds(365 * 86_400))
  }
}
