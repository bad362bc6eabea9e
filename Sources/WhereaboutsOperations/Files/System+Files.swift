// Whole files, files without a name, locks, the environment and the clock.
import WhereaboutsSystem

extension System {
  /// Returns the value of an environment variable.
  package static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Sets a variable of the environment, before other threads begin.
  package static func setEnvironment(_ name: String, to value: String) { setenv(name, value, 1) }

  /// The wall clock in nanoseconds since 1970.
  package static var wallClock: Int64 { WallClock.nanosecondsSince1970 }

  /// Opens a folder, for example to lock the folder.
  static func openFolder(_ path: String) throws(CallError) -> Int32 {
    try throwingOnFailure(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  }

  /// Opens a file for reading; returns `nil` if the file does not exist.
  static func openForReading(_ path: String) throws(CallError) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    return try throwingOnFailure(descriptor)
  }

  /// The folder for files that live as long as the process.
  static var temporaryFolder: String {
    environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
  }

  /// Creates a file in the temporary folder that has no name and that only this process can open.
  static func createWithoutName() throws(CallError) -> Int32 {
    var path = Array("\(temporaryFolder)/whereabouts-XXXXXX".utf8CString)
    let descriptor = try throwingOnFailure(mkstemp(&path))
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
    return descriptor
  }

  /// Sets the position of a file to its beginning.
  static func rewind(_ descriptor: Int32) throws(CallError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw CallError(code: errno) }
  }

  /// Returns the next bytes of a file; an empty array at its end.
  static func nextBytes(of descriptor: Int32, count: Int) throws(CallError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    while true {
      let length = buffer.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress, $0.count)
      }
      if length < 0, errno == EINTR { continue }
      _ = try throwingOnFailure(Int32(clamping: length))
      buffer.removeLast(count - length)
      return buffer
    }
  }

  /// Returns the rest of a file from its current position.
  package static func contents(of descriptor: Int32) throws(CallError) -> [UInt8] {
    var info = stat()
    _ = try throwingOnFailure(fstat(descriptor, &info))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(max(0, Int(info.st_size)) + 1)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      _ = try throwingOnFailure(Int32(clamping: count))
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Returns the content of a file; `nil` if the file does not exist.
  package static func contents(ofPath path: String) throws(CallError) -> [UInt8]? {
    guard let descriptor = try openForReading(path) else { return nil }
    defer { close(descriptor) }
    return try contents(of: descriptor)
  }

  /// Throws if an existing file can't be written. The file is not opened.
  static func requireWritableFile(_ path: String) throws(CallError) {
    _ = try throwingOnFailure(access(path, W_OK))
  }

  /// Throws if no file can be created in a folder, whose path ends with a slash.
  static func requireWritableFolder(_ path: String) throws(CallError) {
    _ = try throwingOnFailure(access(path, W_OK | X_OK))
  }

  /// Returns whether a file is an SQLite database, such as a store, or the log of one.
  static func isDatabase(_ path: String) -> Bool {
    // Opening a named pipe would wait for its writer.
    guard status(atPath: path)?.isRegular == true, let descriptor = try? openForReading(path) else {
      return false
    }
    defer { close(descriptor) }
    guard let opening = try? nextBytes(of: descriptor, count: 16) else { return false }
    return opening == Array("SQLite format 3\0".utf8) || opening.starts(with: [0x37, 0x7F, 0x06])
  }

  /// The ends of the names of the files beside a store that belong to the store. SQLite removes a file that has the name
  /// of a rollback journal (`-journal`).
  private static let databaseParts = ["-wal", "-shm", "-journal", "-reserve", "-lock", "-upload", "-server"]

  /// Returns the ends of the names of files that belong to a store: ``databaseParts``, and the end of a path if it may be
  /// `-lock-NAME`, the lock of a device. The name of a device may hold `-lock-`, too.
  static func databasePartEnds(of path: String) -> [String] {
    let name = path[(path.lastIndex(of: "/") ?? path.startIndex)...]
    let locks = name.indices.filter { name[$0...].hasPrefix("-lock-") }.map { String(name[$0...]) }
    return databaseParts + locks
  }

  /// Returns the path of the existing SQLite database to which a file of this name beside it belongs, whether or not the
  /// file exists; `nil` for any other path.
  static func database(withPart path: String) -> String? {
    let ends = databasePartEnds(of: path).filter { path.hasSuffix($0) }
    return ends.map { String(path.dropLast($0.count)) }.first { isDatabase($0) }
  }

  /// Returns the content of standard input.
  static func standardInputContents() throws(CallError) -> [UInt8] { try contents(of: 0) }

  /// Returns whether an open file is a regular file that other users may read or write.
  static func isReadableByOthers(_ descriptor: Int32) -> Bool {
    var info = stat()
    return fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFREG && info.st_mode & 0o077 != 0
  }

  /// Writes all bytes.
  package static func write(_ descriptor: Int32, _ bytes: [UInt8]) throws(CallError) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(CallError) in
      try write(descriptor, UnsafeRawBufferPointer(buffer))
    }
  }

  /// Locks a file or a folder until the descriptor is closed, even if the process is killed.
  ///
  /// - Returns: false if another process holds the lock.
  package static func lock(_ descriptor: Int32) throws(CallError) -> Bool {
    switch ExclusiveLock.acquire(descriptor) {
    case .acquired: true
    case .held: false
    case .failed(let code): throw CallError(code: code)
    }
  }

  /// Sleeps for 10 ms.
  static func sleepBriefly() {
    usleep(10_000)
  }
}

extension System.CallError {
  /// Returns the exit code for the error.
  package func code(otherwise code: CommandError.Code) -> CommandError.Code {
    isForbidden ? .notPermitted : code
  }
}
