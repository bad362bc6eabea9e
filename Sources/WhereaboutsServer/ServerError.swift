/// A reason why a server can't start, with its remedy.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What failed, why, and what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}
