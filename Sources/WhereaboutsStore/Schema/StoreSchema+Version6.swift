/// The changes of version 6: the floor of fixes, and new names of members in stored JSON.
extension StoreSchema {
  static let changesOfVersion6 =
    ["ALTER TABLE fix ADD COLUMN floor INTEGER", "ALTER TABLE fence_record ADD COLUMN fix_floor INTEGER"]
    + [("snapshot", "state"), ("fence", "fence"), ("fence_edit", "fence"), ("shared_fence", "fence")].map {
      "UPDATE \($0) SET \($1) = \(renaming(in: $1))"
    }

  /// The members that version 6 renamed.
  private static let renamedMembers = [
    ("tellsInitialSide", "reportsInitialSide"), ("tellsPoints", "reportsPoints"), ("told", "reported"),
    ("telling", "notification"), ("isOnlySaid", "isBasedOnSuspectFix"), ("leftOut", "lateFixes"),
    ("doubled", "duplicates"),
  ]

  /// Returns an expression of a column's JSON with the new names. A text within JSON has no bare quotation marks, so
  /// only names of members match.
  private static func renaming(in column: String) -> String {
    renamedMembers.reduce(column) { #"replace(\#($0), '"\#($1.0)":', '"\#($1.1)":')"# }
  }
}
