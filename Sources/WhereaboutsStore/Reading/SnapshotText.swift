import WhereaboutsEngine

/// The stored text of an engine's snapshot, in the current form or an older one.
struct SnapshotText {
  let text: String
  let version: Int64

  /// Returns the snapshot in the current form.
  func snapshot() throws -> EngineSnapshot {
    guard version <= EngineSnapshot.currentVersion else { throw NewerStateError(version: version) }
    guard version < 2 else { return try StoreJSON.decode(EngineSnapshot.self, from: text) }
    let old = try StoreJSON.decode(EngineSnapshot.self, from: Self.renamed(text))
    return EngineSnapshot(watch: old.watch, wakePlanner: old.wakePlanner, trips: old.trips)
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
