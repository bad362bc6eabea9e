/// The direction in which the device or the bow points. The direction of travel is ``Fix/course``.
public struct Heading: Hashable, Sendable, Codable {
  /// The north from which a heading is counted.
  public enum Reference: String, Hashable, Sendable, Codable {
    /// Geographic north.
    case trueNorth = "true"
    /// Magnetic north, with the instrument's own deviation removed.
    case magneticNorth = "magnetic"
    /// Compass north: includes the instrument's deviation.
    case compassNorth = "compass"
  }

  /// The angle in degrees clockwise from ``reference``, in [0, 360). 0 is a heading like any other.
  public let degrees: Double
  /// The north from which the angle is counted.
  public let reference: Reference
  /// Half-width of the 68 % interval, in degrees; `nil` where the source does not state it.
  public var accuracy: Double?
  /// Whether the accuracy, where there is one, is valid: instruments mark an unusable heading by a negative accuracy.
  public var isUsable: Bool { accuracy.map { $0.isFinite && $0 >= 0 } ?? true }
  /// The time of measurement; `nil` where the source does not state it.
  public var time: UTCTime?

  /// Creates a heading, brought into [0, 360); `nil` where the number is not finite.
  public init?(degrees: Double, reference: Reference, accuracy: Double? = nil, time: UTCTime? = nil) {
    guard let wrapped = degrees.wrappedDegrees else { return nil }
    self.degrees = wrapped
    self.reference = reference
    self.accuracy = accuracy
    self.time = time
  }

  /// Decodes a heading, and brings its angle into [0, 360).
  ///
  /// - Throws: `DecodingError` where a value is missing or has the wrong type, or the angle is not finite.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let heading = Heading(
      degrees: try values.decode(Double.self, forKey: .degrees),
      reference: try values.decode(Reference.self, forKey: .reference),
      accuracy: try values.decodeIfPresent(Double.self, forKey: .accuracy),
      time: try values.decodeIfPresent(UTCTime.self, forKey: .time))
    guard let heading else {
      throw DecodingError.dataCorruptedError(
        forKey: .degrees, in: values, debugDescription: "the angle is not finite")
    }
    self = heading
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
