// This and System+Files speak to the operating system. Foundation is not used: its start-up costs more than most runs.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Calls to the operating system, with its failures as typed errors.
enum System {
  static let standardOutput: Int32 = 1
  static let standardError: Int32 = 2

  /// What the system said when it would not.
  struct Failure: Error, Equatable {
    /// The system's number for it.
    var code: Int32
    /// In its own words, in lower case: `no such file or directory`.
    var reason: String {
      let text = String(cString: strerror(code))
      return text.prefix(1).lowercased() + text.dropFirst()
    }
    /// Nobody reads the other end any more.
    var isBrokenPipe: Bool { code == EPIPE || self == .unread }
    /// Nobody reads the other end for now, and there is no time left to wait for that.
    static let unread = Failure(code: ETIMEDOUT)
    /// The file is there already.
    var isExisting: Bool { code == EEXIST }
    /// Somebody says that it may not be done.
    var isForbidden: Bool { code == EACCES || code == EPERM || code == EROFS }
  }

  /// What kind of thing a file is.
  struct FileStatus {
    var isDirectory: Bool
    var isRegular: Bool
    /// Whether it is one that bytes come from one by one, such as a terminal or a serial port.
    var isDevice: Bool
  }

  /// What the system returned, where that is no failure.
  static func checked(_ result: Int32) throws(Failure) -> Int32 {
    guard result >= 0 else { throw Failure(code: errno) }
    return result
  }

  /// Writing to a pipe without a reader gives an error instead of ending the process, so that it can end quietly.
  static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// From now on Ctrl-C is a byte that can be read from the descriptor returned, once; pressed again, it ends the process.
  ///
  /// Only one at a time, which is all that the commands need.
  static func beginInterrupts() throws(Failure) -> Int32 {
    var ends: [Int32] = [-1, -1]
    _ = try checked(pipe(&ends))
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    if hurryPipe.out < 0 {
      var hurry: [Int32] = [-1, -1]
      _ = try checked(pipe(&hurry))
      for end in hurry { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      hurryPipe = (hurry[0], hurry[1])
    }
    interruptPipe = ends[1]
    signal(SIGINT, tellInterrupt)
    return ends[0]
  }

  /// Takes the byte that is there, so that it is not told twice.
  static func takeInterrupt(_ descriptor: Int32) {
    var byte: UInt8 = 0
    _ = read(descriptor, &byte, 1)
  }

  /// From now on whoever writes to standard output or standard error waits a second at most for its reader, and no longer
  /// once that was in vain. From any thread.
  static func hurryOutput() {
    var byte: UInt8 = 0
    if hurryPipe.in >= 0 { _ = Self.writeOnce(hurryPipe.in, &byte, 1) }
  }

  private static let grace: Int32 = 1_000
  /// What a pipe that has any room takes without waiting.
  private static let atOnce = 4_096

  /// Waits until something can be written to standard output or standard error without waiting.
  private static func waitForReader(_ descriptor: Int32) throws(Failure) {
    while true {
      var waits = [
        pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: hurryPipe.out, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waits, 2, -1) >= 0 else {
        if errno == EINTR { continue }
        return
      }
      if waits[0].revents != 0 { return }
      guard waits[1].revents != 0 else { continue }
      // A second byte says that the time is up.
      var bytes: [UInt8] = [0, 0]
      let count = read(hurryPipe.out, &bytes, 2)
      let isRead = count == 1 && poll(&waits, 1, grace) > 0
      _ = writeOnce(hurryPipe.in, bytes, isRead ? 1 : 2)
      guard isRead else { throw .unread }
      return
    }
  }

  private static func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes, count)
    #else
      Glibc.write(descriptor, bytes, count)
    #endif
  }

  /// Ctrl-C ends the process again; the descriptor is no longer in use.
  static func endInterrupts(_ descriptor: Int32) {
    signal(SIGINT, hasFilesToRemove ? removeFilesAndEnd : SIG_DFL)
    close(descriptor)
    close(interruptPipe)
    interruptPipe = -1
  }

  /// Makes a file that was not there before.
  static func create(_ path: String) throws(Failure) -> Int32 {
    try checked(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
  }

  /// Makes a file that is to replace another, with the other's permissions; as ``create(_:)`` where there is none.
  static func create(_ path: String, inPlaceOf other: String) throws(Failure) -> Int32 {
    var info = stat()
    guard stat(other, &info) == 0, FileStatus(info).isRegular else { return try create(path) }
    // Nobody else can open it before its permissions are those of the other.
    let descriptor = try checked(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    var mode = info.st_mode & 0o777
    // The group's permissions are meant for the other file's group alone.
    if fchown(descriptor, info.st_uid, info.st_gid) != 0, fchown(descriptor, uid_t.max, info.st_gid) != 0 {
      mode &= ~0o070
    }
    guard fchmod(descriptor, mode) == 0 else {
      let failure = Failure(code: errno)
      close(descriptor)
      unlink(path)
      throw failure
    }
    return descriptor
  }

  /// Opens what is there already for writing, as it is: a device, a named pipe.
  static func openForWriting(_ path: String) throws(Failure) -> Int32 {
    try checked(open(path, O_WRONLY | O_CLOEXEC))
  }

  static func close(_ descriptor: Int32) {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Glibc.close(descriptor)
    #endif
  }

  /// The status of a path, or `nil` where there is nothing.
  static func status(atPath path: String) -> FileStatus? {
    var info = stat()
    return stat(path, &info) == 0 ? FileStatus(info) : nil
  }

  /// Whether two paths lead to one file that can hold something; the other may be `-`, standard input.
  static func isSameFile(_ path: String, _ other: String) -> Bool {
    var (one, another) = (stat(), stat())
    let isThere = other == "-" ? fstat(0, &another) : stat(other, &another)
    guard stat(path, &one) == 0, isThere == 0 else { return false }
    return one.st_dev == another.st_dev && one.st_ino == another.st_ino && FileStatus(one).isRegular
  }

  /// Writes all of the bytes.
  static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var rest = bytes
    let isWaitedFor = hurryPipe.out >= 0 && (descriptor == standardOutput || descriptor == standardError)
    while !rest.isEmpty {
      if isWaitedFor { try waitForReader(descriptor) }
      let count = writeOnce(descriptor, rest.baseAddress, isWaitedFor ? min(rest.count, atOnce) : rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      } else if errno != EINTR {
        throw Failure(code: errno)
      }
    }
  }

  /// Writes all of the bytes at a place in a file.
  static func write(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64
  ) throws(Failure) {
    var rest = bytes
    var offset = offset
    while !rest.isEmpty {
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset))
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        offset += Int64(count)
      } else if errno != EINTR {
        throw Failure(code: errno)
      }
    }
  }

  /// Gives a file another name in the same folder, in place of what had that name.
  static func move(_ path: String, to other: String) throws(Failure) {
    _ = try checked(rename(path, other))
  }

  /// As ``move(_:to:)``, but fails where that name is taken.
  static func moveWithoutReplacing(_ path: String, to other: String) throws(Failure) {
    // A second name for the file asks and acts at once, so that nobody can come between.
    if link(path, other) == 0 {
      unlink(path)
      return
    }
    // Not every file system has second names (FAT, some network ones).
    guard errno != EEXIST, status(atPath: other) == nil else { throw Failure(code: EEXIST) }
    try move(path, to: other)
  }

  static func remove(_ path: String) {
    unlink(path)
  }

  static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// How many columns a terminal has, or `nil` where it does not say.
  static func columns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Takes the numbers of standard input, output and error where they are free.
  ///
  /// A file that is opened later would get such a number, and what is meant for standard output would go into it.
  /// Reading gives nothing there, and writing fails as it does without.
  static func reserveStandardDescriptors() {
    for descriptor in [0, standardOutput, standardError] where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDONLY)
    }
  }

  /// The file will be removed if a signal ends the process (Ctrl-C, a hang-up, `kill`).
  ///
  /// Four at a time at most, which is more than the commands need.
  static func removeOnSignal(_ path: String) {
    guard let free = (0..<removableFiles).first(where: { filesToRemove[$0] == nil }) else { return }
    filesToRemove[free] = strdup(path)
    for number in endingSignals { signal(number, removeFilesAndEnd) }
  }

  /// The file stays whatever happens; after the last one a signal does again what it did.
  static func keepOnSignal(_ path: String) {
    // The handler reads the pointers, so the old text is left where it is: a few bytes once in a process.
    for index in 0..<removableFiles {
      if let file = filesToRemove[index], strcmp(file, path) == 0 { filesToRemove[index] = nil }
    }
    guard !hasFilesToRemove else { return }
    for number in endingSignals { signal(number, SIG_DFL) }
  }

  private static var hasFilesToRemove: Bool { (0..<removableFiles).contains { filesToRemove[$0] != nil } }

  /// Ctrl-C is none of them while it is a byte to be read.
  private static var endingSignals: [Int32] {
    interruptPipe == -1 ? [SIGINT, SIGTERM, SIGHUP] : [SIGTERM, SIGHUP]
  }

  static var processIdentifier: Int32 { getpid() }

  /// Ends the process at once.
  static func exit(_ code: Int32) -> Never {
    #if canImport(Darwin)
      Darwin.exit(code)
    #elseif canImport(Musl)
      Musl.exit(code)
    #else
      Glibc.exit(code)
    #endif
  }
}

private let removableFiles = 4

// Read by a signal handler, which may take no lock; written by the one thread that opens and finishes the output, before
// that handler is in place or one pointer at a time.
private nonisolated(unsafe) let filesToRemove = {
  let files = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: removableFiles)
  files.initialize(repeating: nil, count: removableFiles)
  return files
}()

// Read by a signal handler, which may take no lock; written before that handler is in place.
private nonisolated(unsafe) var interruptPipe: Int32 = -1

// Written by the main task before anything that writes has begun, and never closed.
private nonisolated(unsafe) var hurryPipe: (out: Int32, in: Int32) = (-1, -1)

/// Only calls that POSIX allows in a signal handler.
private func tellInterrupt(_ number: Int32) {
  signal(number, removeFilesAndEnd)
  var byte: UInt8 = 0
  let before = errno
  _ = write(interruptPipe, &byte, 1)
  errno = before
}

/// Only calls that POSIX allows in a signal handler.
private func removeFilesAndEnd(_ number: Int32) {
  for index in 0..<removableFiles {
    if let file = filesToRemove[index] { unlink(file) }
  }
  signal(number, SIG_DFL)
  raise(number)
}

extension System.FileStatus {
  fileprivate init(_ info: stat) {
    let kind = info.st_mode & S_IFMT
    isDirectory = kind == S_IFDIR
    isRegular = kind == S_IFREG
    isDevice = kind == S_IFCHR
  }
}
