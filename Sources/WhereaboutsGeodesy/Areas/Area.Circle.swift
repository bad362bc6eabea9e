extension Area {
  /// Every place within a distance of another, along the ellipsoid.
  public struct Circle: Hashable, Sendable {
    /// The middle.
    public let center: Coordinate
    /// Metres, in (0, ``greatestRadius``].
    public let radius: Double

    /// A quarter of the way around the Earth; more is a mistake rather than a place.
    public static var greatestRadius: Double { 10_000_000 }

    /// A circle.
    ///
    /// - Parameter radius: metres.
    /// - Throws: ``AreaProblem/radius(_:)`` where it is no number, not positive, or more than ``greatestRadius``.
    public init(center: Coordinate, radius: Double) throws(AreaProblem) {
      guard radius > 0, radius <= Self.greatestRadius else { throw .radius(radius) }
      self.center = center
      self.radius = radius
    }
  }
}
