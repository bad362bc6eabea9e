/// A fix that is worth keeping, unchanged.
public struct AcceptedFix: Hashable, Sendable, Codable {
  /// The reason why a fix is accepted.
  public enum Reason: Hashable, Sendable, Codable {
    /// The fix is as accurate as required.
    case accurate
    /// No fix was accurate. The fix is the best of the given number, accepted this long after the first of them arrived.
    case best(of: Int, after: Duration)
  }

  /// The fix.
  public var fix: Fix
  /// The age of the fix when it was accepted.
  public var age: Duration
  /// The reason why the fix is accepted.
  public var because: Reason

  /// Creates an accepted fix.
  public init(fix: Fix, age: Duration, because: Reason) {
    self.fix = fix
    self.age = age
    self.because = because
  }
}
