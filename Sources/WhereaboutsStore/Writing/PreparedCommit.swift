import Whereabouts
import WhereaboutsCore

/// A commit with everything encoded: that is done before it takes its turn, so that nobody waits for it.
struct PreparedCommit: Sendable {
  let commit: StoreCommit
  let snapshot: String?
  /// By place in ``FenceChange/set``.
  let fences: [String]
  /// By place in the notes; empty where the columns do for all of them.
  let exactNotes: [Int: String]

  init(_ commit: StoreCommit) throws {
    self.commit = commit
    snapshot = try commit.snapshot.map { try StoreJSON.encode($0) }
    fences = try commit.fences.set.map { try StoreJSON.encode($0.fence) }
    var exact: [Int: String] = [:]
    for (place, note) in commit.notes.enumerated() where NoteRow.needsExact(note.note) {
      exact[place] = try StoreJSON.encode(note.note)
    }
    exactNotes = exact
  }
}
