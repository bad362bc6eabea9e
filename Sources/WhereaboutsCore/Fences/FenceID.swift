/// Names a fence: any text that its owner finds it again by.
public struct FenceID: Hashable, Sendable, Codable, Comparable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The text.
  public let name: String
  /// The fence of that name.
  public init(_ name: String) { self.name = name }
  /// The fence of that name.
  public init(stringLiteral name: String) { self.name = name }
  /// The name.
  public var description: String { name }
  /// In the order of their names.
  public static func < (left: Self, right: Self) -> Bool { left.name < right.name }
  /// Reads the plain text.
  public init(from decoder: any Decoder) throws {
    name = try decoder.singleValueContainer().decode(String.self)
  }
  /// Writes the plain text.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(name)
  }
}
