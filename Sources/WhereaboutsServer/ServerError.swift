/// A reason why a server can't start, with its remedy.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The failure, its cause and the remedy.
  public let description: String
  /// Whether another program uses the address.
  package let isInUse: Bool
  /// Whether the same start may succeed later: the network does not have the address yet.
  package let isTemporary: Bool

  init(_ description: String, isInUse: Bool = false, isTemporary: Bool = false) {
    self.description = description
    self.isInUse = isInUse
    self.isTemporary = isTemporary
  }
}
