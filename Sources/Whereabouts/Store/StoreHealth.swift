/// Whether what must outlive the process is being kept.
public enum StoreHealth: Hashable, Sendable {
  /// The manager has no store: nothing is kept, and nobody expects it.
  case none
  /// Everything is kept.
  case keeping
  /// It can't be kept for now. Everything goes on, and it is tried again; what waits for it is kept then.
  case notKeeping(StoreTrouble)
  /// What was in the store could not be read. Nothing is kept in this run, so that nothing there is overwritten.
  case unusable(StoreTrouble)
}

/// What is done with events at fences while they can't be kept.
public enum UnkeptEvents: String, Hashable, Sendable, CaseIterable {
  /// They are told. One that the process does not live to keep may be told again by the next.
  case told
  /// They are held back until they are kept.
  case heldBack
}
