/// The side of a boundary that a device is on.
public enum FenceSide: String, Hashable, Sendable, Codable {
  /// The side is not certain yet.
  case unknown
  /// Inside.
  case inside
  /// Outside.
  case outside
}
