/// A fix as an engine took it: what a store keeps, so that what is judged from fixes can be judged again.
public struct SeenFix: Hashable, Sendable, Codable {
  /// What an engine made of a fix.
  public enum Use: String, Hashable, Sendable, Codable, CaseIterable {
    /// It was used.
    case used
    /// It came late or twice, and was offered only to what knows where it belongs.
    case late
    /// The device can't have come there, and it was offered only to what weighs that by itself.
    case implausible
  }

  /// The fix.
  public var fix: Fix
  /// What was made of it.
  public var use: Use
  /// When it was taken, by the clock of the fixes; `nil` where no fix had a time yet and there was no wall clock.
  public var seen: UTCTime?

  /// A fix with what was made of it.
  public init(_ fix: Fix, use: Use = .used, seen: UTCTime? = nil) {
    self.fix = fix
    self.use = use
    self.seen = seen
  }

  /// Where it belongs in time: when it was valid, or else when it was taken.
  public var time: UTCTime? { fix.time ?? seen }
}
