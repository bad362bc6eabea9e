extension Area {
  /// The area within a distance of a place, along the ellipsoid.
  public struct Circle: Hashable, Sendable {
    /// The center.
    public let center: Coordinate
    /// The radius in metres, in (0, ``greatestRadius``].
    public let radius: Double

    /// The greatest radius in metres, a quarter of the way around the Earth; a larger one is treated as a mistake.
    public static var greatestRadius: Double { 10_000_000 }

    /// Creates a circle.
    ///
    /// - Parameters:
    ///   - center: the middle.
    ///   - radius: the radius in metres.
    /// - Throws: ``AreaError/radius(_:)`` if the radius is NaN, not positive, or more than ``greatestRadius``.
    public init(center: Coordinate, radius: Double) throws(AreaError) {
      guard radius > 0, radius <= Self.greatestRadius else { throw .radius(radius) }
      self.center = center
      self.radius = radius
    }
  }
}
