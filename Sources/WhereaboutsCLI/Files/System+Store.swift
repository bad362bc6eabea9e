// What it takes to keep things for good: what is said to be written is on the disk.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension System {
  /// What tells one content of a file from another without reading it.
  struct FileVersion: Hashable {
    fileprivate var device: UInt64
    fileprivate var inode: UInt64
    fileprivate var size: Int64
    fileprivate var seconds: Int64
    fileprivate var nanoseconds: Int64
  }

  /// Which content a file has now; `nil` where there is no file.
  static func version(atPath path: String) -> FileVersion? {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    #if canImport(Darwin)
      let time = info.st_mtimespec
    #else
      let time = info.st_mtim
    #endif
    return FileVersion(
      device: UInt64(truncatingIfNeeded: info.st_dev), inode: UInt64(truncatingIfNeeded: info.st_ino),
      size: Int64(info.st_size), seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }

  /// A variable of the environment.
  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Now, in nanoseconds since 1970.
  static var wallClock: Int64 {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Makes a folder that is its owner's alone, and the folders it is in where they are missing.
  static func makePrivateFolder(_ path: String) throws(Failure) {
    if status(atPath: path)?.isDirectory == true { return }
    if let end = path.lastIndex(of: "/"), end != path.startIndex {
      let parent = String(path[..<end])
      if status(atPath: parent) == nil { try makePrivateFolder(parent) }
    }
    // Somebody else may have made it meanwhile.
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw Failure(code: errno) }
    guard status(atPath: path)?.isDirectory == true else { throw Failure(code: ENOTDIR) }
  }

  /// Opens a file that is its owner's alone for reading and writing, and makes it where it is missing.
  ///
  /// - Parameters:
  ///   - isEmptied: whether what it held is gone.
  ///   - appends: whether all that is written goes to its end.
  static func openPrivate(
    _ path: String, isEmptied: Bool = false, appends: Bool = false
  ) throws(Failure) -> Int32 {
    let how = O_RDWR | O_CREAT | O_CLOEXEC | (isEmptied ? O_TRUNC : 0) | (appends ? O_APPEND : 0)
    return try checked(open(path, how, 0o600))
  }

  /// Opens a file for reading; `nil` where there is none.
  static func openForReading(_ path: String) throws(Failure) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    return try checked(descriptor)
  }

  /// All that a file holds, from where it is read on.
  static func contents(of descriptor: Int32) throws(Failure) -> [UInt8] {
    var info = stat()
    _ = try checked(fstat(descriptor, &info))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(max(0, Int(info.st_size)) + 1)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      _ = try checked(Int32(clamping: count))
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// All that a file holds; `nil` where there is none.
  static func contents(ofPath path: String) throws(Failure) -> [UInt8]? {
    guard let descriptor = try openForReading(path) else { return nil }
    defer { close(descriptor) }
    return try contents(of: descriptor)
  }

  /// All that comes on standard input.
  static func allInput() throws(Failure) -> [UInt8] { try contents(of: 0) }

  /// Writes all of the bytes.
  static func write(_ descriptor: Int32, _ bytes: [UInt8]) throws(Failure) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
      try write(descriptor, UnsafeRawBufferPointer(buffer))
    }
  }

  /// Cuts a file to so many bytes.
  static func cut(_ descriptor: Int32, to size: Int) throws(Failure) {
    _ = try checked(ftruncate(descriptor, off_t(size)))
  }

  /// Returns once all that was written is on the disk.
  static func synchronize(_ descriptor: Int32) throws(Failure) {
    #if canImport(Darwin)
      // fsync leaves it in the disk's own memory there. Not every file system knows the stronger word.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    _ = try checked(fsync(descriptor))
  }

  /// Returns once the names of the files in a folder are on the disk.
  static func synchronizeFolder(_ path: String) throws(Failure) {
    let descriptor = try checked(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    defer { close(descriptor) }
    // Some network file systems have no such thing, and keep names by themselves.
    if fsync(descriptor) != 0, errno != EINVAL { throw Failure(code: errno) }
  }

  /// Keeps all others from a file until the descriptor is closed, however the process ends.
  ///
  /// - Returns: false where another keeps it.
  static func lock(_ descriptor: Int32) throws(Failure) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw Failure(code: errno) }
    }
    return true
  }

  /// Waits a hundredth of a second.
  static func waitABit() {
    usleep(10_000)
  }
}
