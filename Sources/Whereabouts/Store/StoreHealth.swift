/// The health of a manager's store.
public enum StoreHealth: Hashable, Sendable {
  /// The manager has no store, by choice: nothing is stored.
  case none
  /// Everything is stored.
  case working
  /// Writes fail for now. The manager continues and retries; pending changes are written after recovery.
  case failing(StoreError)
  /// The stored data could not be read. Nothing is stored in this run, so that no data is overwritten.
  case unusable(StoreError)
}

/// The handling of fence events that can't be stored.
public enum UnsavedEventPolicy: String, Hashable, Sendable, CaseIterable {
  /// Events are reported before they are stored. The next process may report an unsaved event again.
  case reported
  /// Events are held back until they are stored.
  case heldBack
}
