/// A reason why a server can't start, with its remedy.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The failure, its cause and the remedy.
  public let description: String

  init(_ description: String) { self.description = description }
}
