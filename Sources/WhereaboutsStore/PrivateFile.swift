import Foundation
import GRDB
import GRDBSQLite
import Whereabouts

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Files and folders that only their owner may look into.
enum PrivateFile {
  // MARK: Paths

  /// Returns the path of a store with every symbolic link resolved, so that one file has one lock and one log.
  ///
  /// - Parameter makesFolders: whether to make missing folders (0700).
  /// - Throws: ``Whereabouts/StoreTrouble`` where the path leads to a missing target or to something that is no plain file.
  static func resolve(_ path: String, makesFolders: Bool) throws -> String {
    if let real = realPath(path) {
      try requirePlainFile(real)
      return real
    }
    guard errno == ENOENT else { throw trouble(errno, path) }
    var status = stat()
    if lstat(path, &status) == 0 {
      // The disk of the target may not be mounted: a new file in its place would hide the old one.
      throw StoreTrouble(
        .missing,
        message: "open \(path): this symbolic link leads to a missing file; mount its disk or remove the link"
      )
    }
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().path
    if makesFolders { try makeFolder(folder) }
    guard let real = realPath(folder) else { throw trouble(errno, path) }
    return (real == "/" ? "" : real) + "/" + url.lastPathComponent
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// A pipe would block whoever opens it, and a device or socket is no store.
  private static func requirePlainFile(_ path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw trouble(errno, path) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw trouble(EISDIR, path)
    default:
      throw StoreTrouble(
        .notPermitted,
        message: "open \(path): it is no plain file but a pipe, socket or device; name another file")
    }
  }

  /// The name of a file for SQLite to read without a log or a lock: on a medium that may only be read, beside the file
  /// nothing can be made that SQLite needs otherwise.
  ///
  /// - Throws: where a log is there, without which the file is not whole.
  static func unchangingName(of path: String) throws -> String {
    guard StoreRoom.size(of: path + "-wal") == 0 else {
      throw StoreTrouble(
        .readOnly,
        message:
          "read \(path): its folder may only be read, and \(path)-wal holds what came last; copy both to a folder that may be written"
      )
    }
    guard sqlite3_compileoption_used("USE_URI") != 0,
      let name = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    else { throw trouble(EACCES, path) }
    return "file:\(name)?immutable=1"
  }

  // MARK: Making files

  /// Makes a file (0600) where there is none.
  ///
  /// - Parameter path: as ``resolve(_:makesFolders:)`` returns it.
  static func make(at path: String) throws {
    // A file that is there is not opened and closed: that would end the locks that this process has on it, and with them
    // what keeps other processes from deleting its log.
    if access(path, F_OK) == 0 {
      guard access(path, R_OK | W_OK) == 0 else { throw readOnly(path, errno) }
      freeCompanions(of: path)
      return
    }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw trouble(errno, path) }
    close(descriptor)
  }

  /// Not left to SQLite: beside a file that may only be read it makes others that may only be read, and they stay.
  private static func readOnly(_ path: String, _ code: Int32) -> StoreTrouble {
    guard access(path, R_OK) == 0 else { return trouble(code, path) }
    return StoreTrouble(
      .readOnly,
      message: "open \(path): it or its folder may only be read; make both writable, or name another file")
  }

  /// Lets the files beside a store be written that SQLite made while the store might only be read.
  private static func freeCompanions(of path: String) {
    for suffix in ["-wal", "-shm"] where access(path + suffix, F_OK) == 0 && access(path + suffix, W_OK) != 0
    {
      chmod(path + suffix, 0o600)
    }
  }

  /// - Throws: where there is no file.
  static func find(at path: String) throws {
    guard access(path, F_OK) == 0 else { throw trouble(errno, path) }
  }

  private static func makeFolder(_ path: String) throws {
    guard path != "/", access(path, F_OK) != 0 else { return }
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try makeFolder(parent)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw trouble(errno, path) }
    syncFolder(parent)
  }

  /// So that a power cut doesn't cost the name of what was made in it. Some file systems can't, and need not.
  private static func syncFolder(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  static func trouble(_ code: Int32, _ path: String) -> StoreTrouble {
    switch code {
    case ENOENT: StoreTrouble(.missing, message: "open \(path): it is not there")
    case EACCES, EPERM:
      StoreTrouble(
        .notPermitted, message: "open \(path): access is denied; name a file in a folder of this user")
    case EROFS:
      StoreTrouble(.readOnly, message: "open \(path): its disk may only be read; name a file on another")
    case ENOSPC, EDQUOT:
      StoreTrouble(.full, message: "open \(path): the disk is full; free some space")
    case ENOTDIR, EISDIR:
      StoreTrouble(
        .notPermitted, message: "open \(path): there is a folder where a file should be, or the reverse")
    default: StoreTrouble(.failed, message: "open \(path): \(String(cString: strerror(code)))")
    }
  }
}
