/// A row of a request that could not be read, set aside so that a person can see it.
public struct PhoneRejection: Hashable, Sendable {
  /// The limit of ``bytes``.
  public static let maxBytes = 4096

  /// The kind of problem.
  public var kind: InputProblem.Kind
  /// The reason in plain words, without a coordinate.
  public var reason: String
  /// The index of the row in its request, from 0.
  public var row: Int
  /// The device that the row states; `nil` if it states none.
  public var device: String?
  /// The row's first byte in the body, counted from 0; 0 for a row in the query, and where only the row is known: for an
  /// encrypted message and a position that is set aside.
  public var byteOffset: Int
  /// The row's own bytes, at most ``maxBytes``; without a query's tokens.
  public var bytes: [UInt8]
  /// The number of bytes of the whole row.
  public var byteCount: Int

  package init(
    kind: InputProblem.Kind, reason: String, row: Int, device: String? = nil, byteOffset: Int, bytes: [UInt8],
    byteCount: Int
  ) {
    self.kind = kind
    self.reason = reason
    self.row = row
    self.device = device
    self.byteOffset = byteOffset
    self.bytes = bytes
    self.byteCount = byteCount
  }

  /// Whether ``bytes`` is only the row's beginning.
  public var isTruncated: Bool { bytes.count < byteCount }
}
