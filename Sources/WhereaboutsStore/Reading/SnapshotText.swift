import WhereaboutsEngine

/// The stored text of an engine's snapshot, in the current form or an older one.
struct SnapshotText {
  let text: String
  let version: Int64

  /// Returns the snapshot in the current form.
  func snapshot() throws -> EngineSnapshot {
    guard version <= EngineSnapshot.currentVersion else { throw NewerStateError(version: version) }
    let stored = try StoreJSON.decode(EngineSnapshot.self, from: version < 2 ? Self.renamed(text) : text)
    guard version < EngineSnapshot.currentVersion else { return stored }
    // Version 3 has fewer members than version 2, so that programs that know version 2 can't read it.
    return EngineSnapshot(
      watch: stored.watch, fenceSerial: stored.fenceSerial, waitingFences: stored.waitingFences,
      wakePlanner: stored.wakePlanner, trips: stored.trips)
  }

  /// The members that version 2 renamed.
  static let renamedMembers = [
    ("tellsPoints", "reportsPoints"), ("told", "reported"),
    ("toldSide", "reportedSide"), ("untold", "unreported"), ("isRestTold", "isRestReported"),
    ("telling", "notification"), ("isOnlySaid", "isBasedOnSuspectFix"), ("leftOut", "lateFixes"),
    ("doubled", "duplicates"),
  ]

  /// A text within JSON has no bare quotation marks, and a snapshot has no members that a person named, so only names
  /// of members match.
  private static func renamed(_ text: String) -> String {
    renamedMembers.reduce(text) { $0.replacing(#""\#($1.0)":"#, with: #""\#($1.1)":"#) }
  }
}

/// An error: the stored state of the engine has a form of a newer version.
struct NewerStateError: Error {
  let version: Int64
}
