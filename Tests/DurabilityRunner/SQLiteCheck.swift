import FaultyDisk

/// What SQLite itself says of a database.
enum SQLiteCheck {
  /// - Returns: what `PRAGMA integrity_check` finds wrong; `nil` where nothing is.
  static func problem(of path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 400) { message in
      guard let start = message.baseAddress else { return "no memory" }
      return faulty_disk_is_whole(path, start, 400) ? nil : String(cString: start)
    }
  }
}
