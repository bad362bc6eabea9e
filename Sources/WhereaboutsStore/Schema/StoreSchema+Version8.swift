/// The changes of version 8: the offsets from UTC and the visits that recordings state, and an index.
extension StoreSchema {
  /// The tables with rows of devices.
  static let tablesByDeviceOfVersion8 = ["stated_offset"] + VisitSchema.tablesByDevice

  static let changesOfVersion8 =
    [
      """
      CREATE TABLE stated_offset (
        device INTEGER NOT NULL, time INTEGER NOT NULL, minutes INTEGER NOT NULL, PRIMARY KEY (device, time)
      ) STRICT, WITHOUT ROWID
      """,
      // Without it, each record that is erased scans the positions of all records.
      "CREATE INDEX fence_record_order_by_record ON fence_record_order (device, number)",
    ] + VisitSchema.tables
}
