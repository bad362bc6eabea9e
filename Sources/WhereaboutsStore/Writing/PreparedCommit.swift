import Whereabouts
import WhereaboutsModel

/// A commit with all values encoded in advance, so that no other commit waits for the encoding.
struct PreparedCommit: Sendable {
  let commit: StoreCommit
  let snapshot: String?
  /// The encoded fences, by position in ``StoreCommit/FenceChange/set``.
  let fences: [String]
  /// The exact JSON of fence records, by position; empty if the columns hold every record exactly.
  let exactRecords: [Int: String]

  init(_ commit: StoreCommit) throws {
    self.commit = commit
    snapshot = try commit.snapshot.map { try StoreJSON.encode($0) }
    fences = try commit.fences.set.map { try StoreJSON.encode($0.fence) }
    var exact: [Int: String] = [:]
    for (place, numbered) in commit.fenceRecords.enumerated()
    where FenceRecordRow.needsExact(numbered.record) {
      exact[place] = try StoreJSON.encode(numbered.record)
    }
    exactRecords = exact
  }
}
