package import Whereabouts
import WhereaboutsSystem

/// A lock file beside a store, held until it is released or the process ends.
package final class LockFile: Sendable {
  private let descriptor: Int32
  private let path: String
  /// Whether the end of the lock removes the file. The guard of a lock that several tasks know guards it too.
  nonisolated(unsafe) var removesFile = false

  /// Opens and locks a file (0600). A missing file is created.
  ///
  /// The method never follows a symbolic link and never writes to a file with a second name: both may belong to
  /// others.
  ///
  /// - Parameters:
  ///   - path: the lock file.
  ///   - store: the store, whose owner owns the file also if root creates it.
  ///   - holder: the text written to the file for other claimants; `nil` writes nothing.
  /// - Returns: the lock, or `nil` in `lock` with the holder's text in `other` if another process holds the file.
  package static func lock(
    _ path: String, of store: String, holder: String? = nil
  ) throws(StoreError) -> (lock: LockFile?, other: String?) {
    while true {
      let (lock, other, isRemoved) = try attempt(path, of: store, holder: holder)
      if !isRemoved { return (lock, other) }
    }
  }

  /// - Returns: as ``lock(_:of:holder:)``, and whether the file was removed before it was locked. A lock on it would bind
  ///   nobody.
  private static func attempt(
    _ path: String, of store: String, holder: String?
  ) throws(StoreError) -> (lock: LockFile?, other: String?, isRemoved: Bool) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw errno == ELOOP ? notRegularFileError(path) : PrivateFile.storeError(errno, path)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink <= 1 else {
      close(descriptor)
      throw notRegularFileError(path)
    }
    var owner = stat()
    // A file that root creates would refuse the store's owner later. A file with content may be somebody's.
    if geteuid() == 0, status.st_uid == 0, status.st_size == 0, stat(store, &owner) == 0, owner.st_uid != 0 {
      fchown(descriptor, owner.st_uid, owner.st_gid)
    }
    switch ExclusiveLock.acquire(descriptor) {
    case .acquired:
      guard fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
        close(descriptor)
        return (nil, nil, isRemoved: true)
      }
      if let holder { writeHolder(descriptor, holder) }
      return (LockFile(descriptor: descriptor, path: path), nil, isRemoved: false)
    case .held:
      let other = text(of: descriptor)
      close(descriptor)
      return (nil, other, isRemoved: false)
    case .failed(let code):
      close(descriptor)
      throw PrivateFile.storeError(code, path)
    }
  }

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    // Only the holder of a lock removes its file, so that nobody else holds the file of that name. If somebody has moved
    // the store meanwhile, the name may be that of another file.
    var held = stat(), named = stat()
    if removesFile, fstat(descriptor, &held) == 0, lstat(path, &named) == 0, held.st_dev == named.st_dev,
      held.st_ino == named.st_ino
    {
      unlink(path)
    }
    close(descriptor)
  }

  private static func notRegularFileError(_ path: String) -> StoreError {
    StoreError(
      .notPermitted,
      message: "lock \(path): it is a link, or no plain file, so the store is not opened; remove it")
  }

  private static func writeHolder(_ descriptor: Int32, _ holder: String) {
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
