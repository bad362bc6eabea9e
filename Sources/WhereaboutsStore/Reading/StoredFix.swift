public import WhereaboutsCore

/// A fix of the history.
public struct StoredFix: Hashable, Sendable {
  /// The how-manieth fix of its device it was; grows from fix to fix, with holes where some were erased.
  public var seq: UInt64
  /// What it is ordered by: the fix's time, or else when it was taken, or else when it was written.
  public var rowTime: UTCTime
  /// The fix, and what was made of it.
  public var fix: SeenFix

  /// A fix of the history.
  public init(seq: UInt64, rowTime: UTCTime, fix: SeenFix) {
    self.seq = seq
    self.rowTime = rowTime
    self.fix = fix
  }
}
