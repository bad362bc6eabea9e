/// The id of a fence: any text that its owner chooses.
///
/// Two ids are the same if their bytes are, as in a store. A letter with an accent can have several forms in Unicode: such
/// ids are those of different fences.
public struct FenceID: Hashable, Sendable, Codable, Comparable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The text.
  public let name: String
  /// Creates an id from a name.
  public init(_ name: String) { self.name = name }
  /// Creates an id from a name.
  public init(stringLiteral name: String) { self.name = name }
  /// The name.
  public var description: String { name }
  /// Returns whether two names have the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.name.hasSameBytes(as: right.name)
  }
  /// Returns whether the left name sorts first.
  public static func < (left: Self, right: Self) -> Bool {
    left.name.sortsBefore(right.name)
  }
  /// Decodes the plain text.
  public init(from decoder: any Decoder) throws {
    name = try decoder.singleValueContainer().decode(String.self)
  }
  /// Encodes the plain text.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(name)
  }
}
