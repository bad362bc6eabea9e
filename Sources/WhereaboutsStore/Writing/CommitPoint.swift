/// A point inside a commit at which a test may inspect or end the process.
package enum CommitPoint: String, CaseIterable, Sendable {
  /// Before the transaction begins.
  case beforeBegin
  /// After the transaction has begun, before any write.
  case afterBegin
  /// After a fix is written.
  case afterFix
  /// After a fence record is written.
  case afterNote
  /// After the changes of fences are written.
  case afterFences
  /// After a trip or a gap is written.
  case afterTrip
  /// After the receiver usages are written.
  case afterReceiverUsage
  /// After the snapshot is written.
  case afterSnapshot
  /// After the device's row is written.
  case afterDevice
  /// After everything is written, before the commit.
  case beforeCommit
  /// After the commit, before any notification.
  case afterCommit
  /// After earlier commits of durability `process` are synced.
  case afterSync
}
