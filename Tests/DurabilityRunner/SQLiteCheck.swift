import FaultyDisk

/// SQLite's own check of a database.
enum SQLiteCheck {
  /// - Returns: the problem found by `PRAGMA integrity_check`; `nil` if the database is intact.
  static func problem(of path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 400) { message in
      guard let start = message.baseAddress else { return "no memory" }
      return faulty_disk_is_whole(path, start, 400) ? nil : String(cString: start)
    }
  }
}
