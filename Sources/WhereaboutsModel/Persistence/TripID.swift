/// The permanent identifier of a trip, which a tracker may count over any number of processes.
public struct TripID: RawRepresentable, Hashable, Sendable, Codable, Comparable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name; unique among a device's trips, also the ended ones.
  public let rawValue: String

  /// Creates the identifier of that name.
  public init(_ name: String) { rawValue = name }

  /// Creates the identifier of that name.
  public init(rawValue: String) { self.init(rawValue) }

  /// Creates the identifier of that name.
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  /// The name.
  public var description: String { rawValue }

  /// Returns whether the left name sorts before the right one.
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
