/// What a store's file is known by.
enum StoreSchema {
  /// SQLite's application id: "WHAB".
  static let applicationID: Int32 = 0x5748_4142
}
