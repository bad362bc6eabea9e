/// The name of a device in a store, which may hold several devices.
///
/// `.`, `..` and the empty name can't stand in a URL. A store refuses to add a device named `.` or `..`, or by more than
/// 1,024 bytes of UTF-8, and a server refuses the empty name too.
///
/// Two names are the same if their bytes are, as in the store. A letter with an accent can have several forms in Unicode:
/// such names are those of different devices. The coded form is the bare name.
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

  /// The greatest length of a new device's name, in bytes of UTF-8. URLs and MQTT topics hold the name. The user and
  /// the phone in a topic of OwnTracks, which has up to 1,024 bytes, make a shorter one.
  package static let maximumLength = 1024

  /// Whether a new device can have the name: a URL can hold it as a part of its path. Clients remove `.` and `..`, also
  /// encoded.
  package var isValid: Bool { !["", ".", ".."].contains(rawValue) && !isTooLong }

  private var isTooLong: Bool { rawValue.utf8.count > Self.maximumLength }

  /// The reason why no new device can have a name that is not valid.
  package var reasonOfInvalidity: String {
    isTooLong
      ? "a device name has at most \(Self.maximumLength) bytes, and this one has \(rawValue.utf8.count)"
      : "no URL can hold the device name \"\(rawValue)\""
  }

  /// The name.
  public var description: String { rawValue }

  /// Returns whether two names have the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.rawValue.hasSameBytes(as: right.rawValue)
  }

  /// Compares two devices by name.
  public static func < (left: Self, right: Self) -> Bool {
    left.rawValue.sortsBefore(right.rawValue)
  }
}
