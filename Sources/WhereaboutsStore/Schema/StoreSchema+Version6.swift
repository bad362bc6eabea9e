/// The changes of version 6: the floor of fixes, and the new name of a fence's term in stored JSON.
extension StoreSchema {
  static let changesOfVersion6 =
    ["ALTER TABLE fix ADD COLUMN floor INTEGER", "ALTER TABLE fence_record ADD COLUMN fix_floor INTEGER"]
    + ["fence", "fence_edit", "shared_fence"].map { table in
      // By path: the owner's properties of a fence may have members of any name.
      """
      UPDATE \(table) SET fence = json_set(
        json_remove(fence, '\(oldTerm)'), '$.terms.reportsInitialSide',
        json(CASE json_extract(fence, '\(oldTerm)') WHEN 1 THEN 'true' ELSE 'false' END))
      WHERE json_type(fence, '\(oldTerm)') IS NOT NULL
      """
    }

  private static let oldTerm = "$.terms.tellsInitialSide"
}
