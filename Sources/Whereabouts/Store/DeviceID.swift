/// Names a device in a store, which may hold more than one.
public struct DeviceID: RawRepresentable, Hashable, Sendable, Codable, Comparable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name.
  public let rawValue: String

  /// The device of a name.
  public init(_ name: String) { rawValue = name }

  /// The device of a name.
  public init(rawValue: String) { self.init(rawValue) }

  /// The device of a name.
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  /// The device that the program runs on.
  public static let this: DeviceID = "this"

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
