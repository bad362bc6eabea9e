/// The changes of version 8: the offsets from UTC that recordings state.
extension StoreSchema {
  /// The tables with rows of devices.
  static let tablesByDeviceOfVersion8 = ["stated_offset"]

  static let changesOfVersion8 = [
    """
    CREATE TABLE stated_offset (
      device INTEGER NOT NULL, time INTEGER NOT NULL, minutes INTEGER NOT NULL, PRIMARY KEY (device, time)
    ) STRICT, WITHOUT ROWID
    """
  ]
}
