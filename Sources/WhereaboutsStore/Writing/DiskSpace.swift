import GRDB
import GRDBSQLite
import WhereaboutsSystem

/// Disk space for the pages of a store's file.
enum DiskSpace {
  /// The file's growth step in bytes: SQLite's smallest page, so that the file ends with its last page. A larger step
  /// would leave copies of moved pages behind the end, where erasing never overwrites them.
  private static let chunk: Int32 = 512
  /// The room that growth leaves for the log of a commit that returns space.
  private static let margin: Int64 = 16_384

  /// Sets the growth step of a connection's file. Space is reserved only with a growth step.
  static func setChunk(of database: Database) {
    var chunk = Self.chunk
    sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_CHUNK_SIZE, &chunk)
  }

  /// Reserves disk space for a number of bytes of the file.
  ///
  /// - Throws: `SQLITE_FULL` if the disk is full.
  static func reserve(_ bytes: Int64, in path: String, of database: Database) throws {
    let missing = bytes - size(of: path)
    if missing <= 0 { return }
    var bytes = bytes
    // A failed growth would remain, and leave no room for erasing.
    let hasRoom = free(at: path).map { $0 >= missing + margin } ?? true
    guard hasRoom,
      sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_SIZE_HINT, &bytes) == SQLITE_OK
    else {
      throw DatabaseError(resultCode: .SQLITE_FULL, message: "there is no room for the file to grow")
    }
  }

  /// Returns the number of free bytes of the disk; `nil` if unknown.
  private static func free(at path: String) -> Int64? {
    var status = statvfs()
    guard statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
    let blocks = geteuid() == 0 ? status.f_bfree : status.f_bavail
    return Int64(
      clamping: UInt64(blocks).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }

  /// Whether the process has a limit of the size of its files, which SQLite reports as a full disk.
  static var isFileSizeLimited: Bool {
    var limit = rlimit()
    #if os(Linux) && canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    // The value for no limit depends on the platform, and is greater.
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur < 1 << 62
  }

  static func size(of path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}
