/// The changes of version 7: the stated activity of fixes.
extension StoreSchema {
  static let changesOfVersion7 = [
    "ALTER TABLE fix ADD COLUMN activity TEXT", "ALTER TABLE fence_record ADD COLUMN fix_activity TEXT",
  ]
}
