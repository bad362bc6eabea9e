/// The health of a manager's store.
public enum StoreHealth: Hashable, Sendable {
  /// The manager has no store, by choice: nothing is stored.
  case none
  /// Everything is stored.
  case working
  /// Writes fail for now. The manager continues and retries; pending changes are written after recovery.
  case failing(StoreError)
  /// The stored data could not be read. Nothing is stored, so that no data is overwritten, and the regions that wake
  /// the program stay as they are. The manager tries again at once when the platform wakes the program, and, unless
  /// another program has the store, with a later input, after pauses that double up to 10 min. It then resumes the
  /// stored data with the fences changed meanwhile.
  case unusable(StoreError)
}
