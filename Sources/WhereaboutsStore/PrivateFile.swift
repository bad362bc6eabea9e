import Foundation
import GRDB
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
  /// Makes a file (0600) and the folders that lead to it (0700) where they are not there.
  static func make(at path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try makeFolder(folder)
    // A file that is there is not opened and closed: that would end the locks that this process has on it, and with them
    // what keeps other processes from deleting its log.
    if access(path, F_OK) == 0 {
      guard access(path, R_OK | W_OK) == 0 else { throw readOnly(path, errno) }
      freeCompanions(of: path)
      return
    }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
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
