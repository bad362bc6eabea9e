/// The permanent identifier of a trip, which a tracker may count over any number of processes.
///
/// Two names are the same if their bytes are, as in a store. A letter with an accent can have several forms in Unicode: such
/// names are those of different trips. The coded form is the bare name.
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

  /// Returns whether two names have the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.rawValue.hasSameBytes(as: right.rawValue)
  }

  /// Returns whether the left name sorts before the right one.
  public static func < (left: Self, right: Self) -> Bool {
    left.rawValue.sortsBefore(right.rawValue)
  }
}
