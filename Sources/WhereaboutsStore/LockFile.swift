package import Whereabouts

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A lock file beside a store, held until it is released or the process ends.
package final class LockFile: Sendable {
  private let descriptor: Int32

  /// Opens and locks a file (0600), which is made where it is missing and stays.
  ///
  /// Never follows a symbolic link, and never writes to a file that has another name: both may belong to somebody else.
  ///
  /// - Parameter holder: written to the file, for whoever asks next; nothing where `nil`.
  /// - Returns: `nil` in `lock` where another holds it; `other` is the text that it left.
  package static func lock(
    _ path: String, holder: String? = nil
  ) throws(StoreTrouble) -> (lock: LockFile?, other: String?) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw errno == ELOOP ? noPlainFile(path) : PrivateFile.trouble(errno, path)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink <= 1 else {
      close(descriptor)
      throw noPlainFile(path)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      let other = text(of: descriptor)
      close(descriptor)
      guard code == EWOULDBLOCK else { throw PrivateFile.trouble(code, path) }
      return (nil, other)
    }
    if let holder { sign(descriptor, holder) }
    return (LockFile(descriptor: descriptor), nil)
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  private static func noPlainFile(_ path: String) -> StoreTrouble {
    StoreTrouble(
      .notPermitted,
      message: "lock \(path): it is a link, or no plain file, so the store is not opened; remove it")
  }

  private static func sign(_ descriptor: Int32, _ holder: String) {
    ftruncate(descriptor, 0)
    var holder = holder
    holder.withUTF8 { _ = pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  private static func text(of descriptor: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 300)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }
}
