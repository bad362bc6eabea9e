// What it takes to read files as a whole, and to know where and when it is.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension System {
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

  /// Opens a folder, to hold it.
  static func openFolder(_ path: String) throws(Failure) -> Int32 {
    try checked(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
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

  /// Keeps all others from a file or folder until the descriptor is closed, however the process ends.
  ///
  /// - Returns: false where another keeps it.
  static func lock(_ descriptor: Int32) throws(Failure) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw Failure(code: errno) }
    }
    return true
  }

  /// The names in a folder, in order; none where it can't be looked into.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      // The name is a fixed array in the structure, which Swift sees as a tuple.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
          String(cString: $0)
        }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether two paths lead to one device.
  static func isSameDevice(_ path: String, _ other: String) -> Bool {
    var (one, another) = (stat(), stat())
    guard stat(path, &one) == 0, stat(other, &another) == 0 else { return path == other }
    return one.st_rdev == another.st_rdev && one.st_ino == another.st_ino
  }

  /// Waits a hundredth of a second.
  static func waitABit() {
    usleep(10_000)
  }
}

extension System.Failure {
  /// The exit code that goes with it.
  func code(otherwise code: CommandFailure.Code) -> CommandFailure.Code {
    isForbidden ? .notPermitted : code
  }
}
