import Foundation
import GRDB
import GRDBSQLite
import Whereabouts
import WhereaboutsSystem

/// Files and folders that only their owner may access.
enum PrivateFile {
  // MARK: Paths

  /// Returns the path of a store with every symbolic link resolved, so that one file has one lock and one log.
  ///
  /// - Parameter makesFolders: whether to make missing folders (0700).
  /// - Throws: ``Whereabouts/StoreError`` if the path leads to a missing target or to a file of another kind.
  static func resolve(_ path: String, makesFolders: Bool) throws -> String {
    if let real = realPath(path) {
      try requireRegularFile(real)
      return real
    }
    guard errno == ENOENT else { throw storeError(errno, path) }
    var status = stat()
    if lstat(path, &status) == 0 {
      // The disk of the target may not be mounted: a new file in its place would hide the old one.
      throw StoreError(
        .missing,
        message: "open \(path): this symbolic link leads to a missing file; mount its disk or remove the link"
      )
    }
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().path
    if makesFolders { try makeFolder(folder) }
    guard let real = realPath(folder) else { throw storeError(errno, path) }
    return (real == "/" ? "" : real) + "/" + url.lastPathComponent
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Throws unless the file is a regular one: opening a pipe would block, and a device or socket is no store.
  private static func requireRegularFile(_ path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw storeError(errno, path) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw storeError(EISDIR, path)
    default:
      throw StoreError(
        .corrupt,
        message: "open \(path): it is no plain file but a pipe, socket or device; choose another file")
    }
  }

  /// Returns a URI that opens a file without a log or a lock, for a read-only medium. SQLite can't create its
  /// auxiliary files there.
  ///
  /// - Throws: if a log exists, because the file is incomplete without the log.
  static func immutableURI(of path: String) throws -> String {
    guard DiskSpace.size(of: path + "-wal") == 0 else {
      throw StoreError(
        .readOnly,
        message:
          "read \(path): its folder may only be read, and \(path)-wal holds what came last; copy both to a folder that may be written"
      )
    }
    guard sqlite3_compileoption_used("USE_URI") != 0,
      let name = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    else { throw storeError(EACCES, path) }
    return "file:\(name)?immutable=1"
  }

  // MARK: Creating files

  /// Creates a file (0600) if none exists.
  ///
  /// - Parameter path: a path returned by ``resolve(_:makesFolders:)``.
  static func create(at path: String) throws {
    // Never open and close an existing file. Closing would release this process's locks on the file, which prevent
    // other processes from deleting the log.
    if access(path, F_OK) == 0 {
      guard access(path, R_OK | W_OK) == 0 else { throw readOnlyError(path, errno) }
      makeCompanionsWritable(of: path)
      return
    }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw storeError(errno, path) }
    close(descriptor)
  }

  /// Returns the error of a read-only file. The check is here and not in SQLite: beside a read-only file SQLite creates
  /// read-only auxiliary files, which remain.
  private static func readOnlyError(_ path: String, _ code: Int32) -> StoreError {
    guard access(path, R_OK) == 0 else { return storeError(code, path) }
    return StoreError(
      .readOnly,
      message: "open \(path): it or its folder may only be read; make both writable, or choose another file")
  }

  /// Makes the auxiliary files writable that SQLite created while the store was read-only.
  private static func makeCompanionsWritable(of path: String) {
    for suffix in ["-wal", "-shm"] where access(path + suffix, F_OK) == 0 && access(path + suffix, W_OK) != 0
    {
      chmod(path + suffix, 0o600)
    }
  }

  /// - Throws: if no file exists.
  static func requireExisting(at path: String) throws {
    guard access(path, F_OK) == 0 else { throw storeError(errno, path) }
  }

  private static func makeFolder(_ path: String) throws {
    guard path != "/", access(path, F_OK) != 0 else { return }
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try makeFolder(parent)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw storeError(errno, path) }
    syncFolder(parent)
  }

  /// Syncs a folder, so that a power cut doesn't lose a new file's name. Some file systems can't sync folders, and
  /// need not.
  private static func syncFolder(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  static func storeError(_ code: Int32, _ path: String) -> StoreError {
    switch code {
    case ENOENT: StoreError(.missing, message: "open \(path): it is not there")
    case EACCES, EPERM:
      StoreError(
        .notPermitted, message: "open \(path): access is denied; name a file in a folder of this user")
    case EROFS:
      StoreError(.readOnly, message: "open \(path): its disk may only be read; name a file on another")
    case ENOSPC, EDQUOT:
      StoreError(.full, message: "open \(path): the disk is full; free some space")
    case ENOTDIR, EISDIR:
      StoreError(
        .notPermitted, message: "open \(path): there is a folder where a file should be, or the reverse")
    default: StoreError(.failed, message: "open \(path): \(String(cString: strerror(code)))")
    }
  }
}
