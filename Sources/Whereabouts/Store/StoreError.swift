/// An error of a store.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The disk is full.
    case full
    /// The store is read-only.
    case readOnly
    /// The store may not be opened.
    case notPermitted
    /// The file is damaged or no store.
    case corrupt
    /// A newer version of this software wrote the store.
    case newerVersion
    /// Another process holds the store for longer than the timeout.
    case locked
    /// The store did not answer within the timeout.
    case unresponsive
    /// The store does not exist.
    case missing
    /// Another failure.
    case failed
  }

  /// The kind of error.
  public let code: Code
  /// The failed action, the reason and the remedy, as in "write /var/lib/x.sqlite: the disk is full". The text
  /// follows "could not" and holds no coordinate.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The error as text.
  public var description: String { "could not \(message)" }
}
