/// Why something could not be kept or found in a store.
public struct StoreTrouble: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of trouble it is.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// No room is left.
    case full
    /// It may only be read.
    case readOnly
    /// It may not be opened.
    case notPermitted
    /// It is not what it should be: another file, or damaged.
    case corrupt
    /// A newer version of this software has written it.
    case newerVersion
    /// Somebody else holds it, for longer than was waited.
    case locked
    /// It has not answered for as long as was waited.
    case unresponsive
    /// It is not there.
    case missing
    /// Something else.
    case failed
  }

  /// What kind of trouble it is.
  public let code: Code
  /// What could not be done and what helps, for a person, as in "write /var/lib/x.sqlite: the disk is full": to be read
  /// after "could not". Never a coordinate.
  public let message: String

  /// A trouble.
  public init(_ code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// What could not be done.
  public var description: String { "could not \(message)" }
}
