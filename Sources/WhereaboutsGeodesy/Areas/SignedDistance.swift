/// The distance from a place to the boundary of an area, with its side.
public struct SignedDistance: Hashable, Sendable {
  /// The distance to the nearest place of the boundary in metres: negative inside, positive outside, 0 on the
  /// boundary.
  public var metres: Double
  /// The largest possible error of ``metres``, in metres; the side is unknown if the boundary is nearer.
  public var errorBound: Double

  /// Creates a signed distance.
  public init(metres: Double, errorBound: Double) {
    self.metres = metres
    self.errorBound = errorBound
  }

  /// Whether the place is inside or on the boundary, within numerical accuracy.
  public var isInside: Bool { metres <= 0 }
}
