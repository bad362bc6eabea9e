import GRDB
import GRDBSQLite

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Room on the disk for the pages of a store's file.
enum StoreRoom {
  /// The file grows and shrinks by so many bytes: the smallest page that SQLite knows, so that it is cut where its last
  /// page ends. Were it more, copies of pages that shortening the file has moved would be left behind the end, where
  /// nothing overwrites them when their rows are erased.
  private static let chunk: Int32 = 512

  /// Sets by how much the file grows and shrinks on a connection. Only with that is room ever reserved.
  static func setChunk(of database: Database) {
    var chunk = Self.chunk
    sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_CHUNK_SIZE, &chunk)
  }

  /// Sees that so many bytes of the file have room on the disk.
  ///
  /// - Throws: `SQLITE_FULL` where there is none.
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

/// A file beside a store that is removed where the disk is full, so that there is room to erase something: erasing writes
/// to the log first.
struct StoreReserve: Sendable {
  /// As much as one step of erasing writes to the log.
  private static let size = 524_288
  /// A smaller store is not worth a reserve: erasing writes hardly anything.
  private static let worth: Int64 = 262_144

  private let store: String
  private var path: String { store + "-reserve" }

  init(store path: String) { store = path }

  /// Makes it where the store is large and it is not there. Without room there is none.
  func make() {
    guard StoreRoom.size(of: store) >= Self.worth, StoreRoom.size(of: path) < Self.size else { return }
    release()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // No zeros: some file systems give those no room.
    var random = SystemRandomNumberGenerator()
    let block = (0..<Self.size / 8).map { _ in random.next() }
    let written = block.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if written != Self.size { release() }
  }

  func release() { unlink(path) }
}
