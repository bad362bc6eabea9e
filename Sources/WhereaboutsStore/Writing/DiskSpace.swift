import GRDB
import GRDBSQLite
import WhereaboutsSystem

/// Disk space for the pages of a store's file.
enum DiskSpace {
  /// The file's growth step in bytes: SQLite's smallest page, so that the file ends with its last page. A larger step
  /// would leave copies of moved pages behind the end, where erasing never overwrites them.
  private static let chunk: Int32 = 512

  /// Sets the growth step of a connection's file. Space is reserved only with a growth step.
  static func setChunk(of database: Database) {
    var chunk = Self.chunk
    sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_CHUNK_SIZE, &chunk)
  }

  /// Reserves disk space for a number of bytes of the file.
  ///
  /// - Throws: `SQLITE_FULL` if the disk is full.
  static func reserve(_ bytes: Int64, in path: String, of database: Database) throws {
    if size(of: path) >= bytes { return }
    var bytes = bytes
    let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_SIZE_HINT, &bytes)
    if code != SQLITE_OK {
      throw DatabaseError(resultCode: .SQLITE_FULL, message: "there is no room for the file to grow")
    }
  }

  static func size(of path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}

/// A reserve file beside a store. Removing the file on a full disk makes room for erasing, which writes to the log
/// first.
struct StoreReserve: Sendable {
  /// The number of bytes that one erasing step writes to the log.
  private static let size = 524_288
  /// The smallest store with a reserve: erasing in a smaller store writes hardly anything.
  private static let minimumStoreSize: Int64 = 262_144

  private let store: String
  private var path: String { store + "-reserve" }

  init(store path: String) { store = path }

  /// Creates the reserve if the store is large enough and the disk has room.
  func create() {
    guard DiskSpace.size(of: store) >= Self.minimumStoreSize, DiskSpace.size(of: path) < Self.size else {
      return
    }
    release()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Fill with random bytes: some file systems allocate no space for zeros.
    var random = SystemRandomNumberGenerator()
    let block = (0..<Self.size / 8).map { _ in random.next() }
    let written = block.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if written != Self.size { release() }
  }

  func release() { unlink(path) }
}
