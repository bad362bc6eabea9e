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

  static func size(of path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}

/// A reserve file beside a store. Removing the file on a full disk makes room for erasing, which writes to the log
/// first. Other openings for writing get only the room for SQLite's auxiliary files.
struct StoreReserve: Sendable {
  /// The room for the log and its index, which every opening needs.
  private static let openingSize = 65_536
  /// The number of bytes that one erasing step writes to the log, and room for two openings.
  private static let size = 655_360
  /// The size that remains for erasing.
  private static let erasingSize = 524_288
  /// The smallest store with a reserve: erasing in a smaller store writes hardly anything.
  private static let minimumStoreSize: Int64 = 262_144

  private let store: String
  private var path: String { store + "-reserve" }

  init(store path: String) { store = path }

  /// Creates or completes the reserve if the store is large enough and the disk has room. Removes the reserve of a
  /// small store.
  func update() {
    guard DiskSpace.size(of: store) >= Self.minimumStoreSize else { return release() }
    let present = Int(DiskSpace.size(of: path))
    guard present < Self.size else { return }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Fill with random bytes: some file systems allocate no space for zeros.
    var random = SystemRandomNumberGenerator()
    let block = (0...(Self.size - present) / 8).map { _ in random.next() }
    let missing = Self.size - present
    let written = block.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, missing, off_t(present)) }
    if written == missing { return }
    if present == 0 { release() } else { ftruncate(descriptor, off_t(present)) }
  }

  func release() { unlink(path) }

  /// Shortens the reserve, so that a full disk has room to open the store.
  func makeRoomForOpening() {
    let rest = Int(DiskSpace.size(of: path)) - Self.openingSize
    guard rest >= Self.erasingSize else { return }
    let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    ftruncate(descriptor, off_t(rest))
    close(descriptor)
  }
}
