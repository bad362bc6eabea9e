/// A fix with its use by an engine. A store keeps logged fixes, so that decisions can be derived from them again.
public struct LoggedFix: Hashable, Sendable, Codable {
  /// The use of a fix by an engine.
  public enum Use: String, Hashable, Sendable, Codable, CaseIterable {
    /// The fix was used.
    case used
    /// The fix arrived late or twice, and was processed only by consumers that reorder fixes.
    case late
    /// The fix is implausible, and went only to consumers that weigh such fixes themselves.
    case implausible
  }

  /// The fix.
  public var fix: Fix
  /// The use of the fix.
  public var use: Use
  /// The time of processing, by the clock of the fixes; `nil` where neither a fix nor a wall clock had a time yet.
  public var seen: UTCTime?

  /// Creates a logged fix with its use.
  public init(_ fix: Fix, use: Use = .used, seen: UTCTime? = nil) {
    self.fix = fix
    self.use = use
    self.seen = seen
  }

  /// The time when the fix was valid, or else when it was processed; `nil` where both are unknown.
  public var time: UTCTime? { fix.time ?? seen }

  /// The fix with ``time`` as its time.
  package var timedFix: Fix {
    var fix = fix
    fix.time = time
    return fix
  }
}
