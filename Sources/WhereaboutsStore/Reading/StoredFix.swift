public import WhereaboutsModel

/// A fix of the history.
public struct StoredFix: Hashable, Sendable {
  /// The sequence number of the fix in its device; increasing, with gaps after erased fixes.
  public var seq: UInt64
  /// The time that orders the history: the fix's own time, else the time of arrival, else the time of writing.
  public var rowTime: UTCTime
  /// The fix with its use.
  public var fix: LoggedFix
  /// Whether the fix was imported, so that no engine has processed it.
  package var isImported = false

  /// Creates a stored fix.
  public init(seq: UInt64, rowTime: UTCTime, fix: LoggedFix) {
    self.seq = seq
    self.rowTime = rowTime
    self.fix = fix
  }
}
