/// How far a place is from the boundary of an area, and on which side of it.
public struct SignedDistance: Hashable, Sendable {
  /// Metres to the nearest place of the boundary, negative inside, positive outside, 0 on it.
  public var metres: Double
  /// How far ``metres`` can be from the truth, in metres; within so much of the boundary the side is not known.
  public var errorBound: Double

  /// A distance of so many metres.
  public init(metres: Double, errorBound: Double) {
    self.metres = metres
    self.errorBound = errorBound
  }

  /// Whether it is inside or on the boundary, as far as the numbers tell.
  public var isInside: Bool { metres <= 0 }
}
