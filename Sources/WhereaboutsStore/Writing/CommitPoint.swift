/// A place inside a commit at which a test may look, or end the process.
package enum CommitPoint: String, CaseIterable, Sendable {
  /// The transaction has not begun.
  case beforeBegin
  /// It has begun, and nothing is written.
  case afterBegin
  /// A fix is written.
  case afterFix
  /// A note is written.
  case afterNote
  /// The changes of fences are written.
  case afterFences
  /// A trip or a gap of one is written.
  case afterTrip
  /// The spells of the receiver are written.
  case afterSpell
  /// The snapshot is written.
  case afterSnapshot
  /// The row of the device is written.
  case afterDevice
  /// Everything is written, and nothing is committed.
  case beforeCommit
  /// It is committed, and nobody knows.
  case afterCommit
  /// What had been committed for the process alone is synced.
  case afterSync
}
