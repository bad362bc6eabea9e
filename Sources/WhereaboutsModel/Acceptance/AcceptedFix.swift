/// A fix that is worth keeping, unchanged.
public struct AcceptedFix: Hashable, Sendable, Codable {
  /// The reason why a fix is kept.
  public enum Reason: Hashable, Sendable, Codable {
    /// The fix is as accurate as required.
    case accurate
    /// No fix was accurate. The fix is the best of the given number, kept this long after the first of them arrived.
    case best(of: Int, after: Duration)
  }

  /// The fix.
  public var fix: Fix
  /// The age of the fix when it was kept.
  public var age: Duration
  /// The reason why the fix is kept.
  public var because: Reason

  /// Creates an accepted fix.
  public init(fix: Fix, age: Duration, because: Reason) {
    self.fix = fix
    self.age = age
    self.because = because
  }
}

/// The reason why a fix is not kept, or not yet.
public enum NonAcceptance: Hashable, Sendable, Codable {
  /// The last kept fix is accurate and only this old.
  case recentEnough(age: Duration)
  /// The distance from the last kept fix is below the needed one, both in metres.
  case tooNear(distance: Double, needed: Double)
  /// The fix may be of the same place as the last kept one: its distance is below the filter with both accuracies, in
  /// metres.
  case possibleDuplicate(distance: Double, needed: Double)
  /// The fix is not accurate and is held; the number counts the held fixes.
  case held(Int)
}
