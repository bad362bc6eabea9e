/// Names a trip for good: what a tracker counts, over any number of processes.
public struct TripID: RawRepresentable, Hashable, Sendable, Codable, Comparable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name; unique among a device's trips.
  public let rawValue: String

  /// The trip of a name.
  public init(_ name: String) { rawValue = name }

  /// The trip of a name.
  public init(rawValue: String) { self.init(rawValue) }

  /// The trip of a name.
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  /// The name.
  public var description: String { rawValue }

  /// By their names.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Reads the bare name.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the bare name.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(rawValue)
  }
}
