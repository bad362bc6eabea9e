/// The name of a device in a store, which may hold several devices.
///
/// `.`, `..` and the empty name can't stand in a URL. A store refuses to add a device named `.` or `..`, and a server
/// refuses the empty name too.
public struct DeviceID: RawRepresentable, Hashable, Sendable, Codable, Comparable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name.
  public let rawValue: String

  /// Creates the id of a device from its name.
  public init(_ name: String) { rawValue = name }

  /// Creates the id of a device from its name.
  public init(rawValue: String) { self.init(rawValue) }

  /// Creates the id of a device from its name.
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  /// The device that the program runs on.
  public static let this: DeviceID = "this"

  /// Whether a URL can hold the name as a part of its path. Clients remove `.` and `..`, also encoded.
  package var isValid: Bool { !["", ".", ".."].contains(rawValue) }

  /// The name.
  public var description: String { rawValue }

  /// Compares two devices by name.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Decodes the bare name.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the bare name.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(rawValue)
  }
}
