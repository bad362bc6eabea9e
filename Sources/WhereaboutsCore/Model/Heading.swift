/// Where the device or the bow points: not the direction of travel, which is ``Fix/course``.
public struct Heading: Hashable, Sendable, Codable {
  /// Which north a heading is counted from.
  public enum Reference: String, Hashable, Sendable, Codable {
    /// Geographic north.
    case trueNorth = "true"
    /// Magnetic north, with the instrument's own deviation taken out.
    case magneticNorth = "magnetic"
    /// Compass north: deviation still in it.
    case compassNorth = "compass"
  }

  /// Degrees clockwise from ``reference`` in [0, 360). 0 is a heading like any other.
  public let degrees: Double
  /// Which north it is counted from.
  public let reference: Reference
  /// Half-width of the 68 % interval, in degrees.
  public var accuracy: Double?
  /// Whether the accuracy, where there is one, can be one: instruments say negative for "no use".
  public var isUsable: Bool { accuracy.map { $0.isFinite && $0 >= 0 } ?? true }
  /// When it was measured; `nil` where the source does not say.
  public var time: UTCTime?

  /// A heading, brought into [0, 360); `nil` where the number is not finite.
  public init?(degrees: Double, reference: Reference, accuracy: Double? = nil, time: UTCTime? = nil) {
    guard let wrapped = degrees.wrappedDegrees else { return nil }
    self.degrees = wrapped
    self.reference = reference
    self.accuracy = accuracy
    self.time = time
  }
}

extension Double {
  /// This angle brought into [0, 360), or `nil` where it is not finite.
  package var wrappedDegrees: Double? {
    guard isFinite else { return nil }
    if self >= 0, self < 360 { return self == 0 ? 0 : self }  // also turns -0 into 0
    let positive = truncatingRemainder(dividingBy: 360)
    let wrapped = positive < 0 ? positive + 360 : positive
    // A tiny negative angle plus 360 rounds to 360 itself.
    return wrapped >= 360 ? 0 : wrapped + 0
  }
}
