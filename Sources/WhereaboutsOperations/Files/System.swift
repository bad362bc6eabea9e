// System and its extensions call the operating system. Foundation would need longer to start than most runs last.
import WhereaboutsSystem

/// Calls to the operating system with typed errors.
package enum System {
  package static let standardOutput: Int32 = 1
  package static let standardError: Int32 = 2

  /// An error of a system call.
  package struct CallError: Error, Equatable {
    /// The value of `errno`.
    package var code: Int32
    /// The system's description in lower case: `no such file or directory`.
    package var reason: String {
      let text = String(cString: strerror(code))
      return text.prefix(1).lowercased() + text.dropFirst()
    }
    /// Whether the reader has closed the pipe, or no longer reads.
    var isBrokenPipe: Bool { code == EPIPE || self == .readerTimeout }
    /// The error of a write whose reader does not read within the time limit.
    static let readerTimeout = CallError(code: ETIMEDOUT)
    /// Whether the file exists already.
    var isExisting: Bool { code == EEXIST }
    /// Whether permission was denied.
    var isForbidden: Bool { code == EACCES || code == EPERM || code == EROFS }
  }

  /// The type of a file.
  package struct FileStatus {
    var isDirectory: Bool
    var isRegular: Bool
  }

  /// Returns the result of a system call, or throws for a failure.
  static func throwingOnFailure(_ result: Int32) throws(CallError) -> Int32 {
    guard result >= 0 else { throw CallError(code: errno) }
    return result
  }

  /// Ignores SIGPIPE and SIGXFSZ. Writing to a pipe without a reader, or beyond the limit of a file's size, then gives an
  /// error instead of ending the process.
  package static func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Turns the first Ctrl-C or SIGTERM into a byte that can be read from the returned descriptor: 0 for Ctrl-C, 1 for
  /// SIGTERM. A later Ctrl-C ends the process, and so does a later SIGTERM after Ctrl-C. A signal that is sent twice has
  /// one effect, since `timeout` sends it to the process and again to its group: a later SIGTERM has none after SIGTERM,
  /// and a SIGINT none directly after SIGINT.
  ///
  /// Only one such descriptor can exist at a time.
  static func beginInterrupts() throws(CallError) -> Int32 {
    var ends: [Int32] = [-1, -1]
    _ = try throwingOnFailure(pipe(&ends))
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    if outputLimitPipe.out < 0 {
      var hurry: [Int32] = [-1, -1]
      _ = try throwingOnFailure(pipe(&hurry))
      for end in hurry { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      outputLimitPipe = (hurry[0], hurry[1])
    }
    interruptPipe = ends[1]
    for number in [SIGINT, SIGTERM] { signal(number, handleInterrupt) }
    return ends[0]
  }

  /// Reads the interrupt's byte, so that the interrupt is reported only once.
  ///
  /// - Returns: whether the interrupt was a SIGTERM.
  static func consumeInterrupt(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    _ = read(descriptor, &byte, 1)
    return byte == 1
  }

  /// Whether an `InterruptListener` has received a SIGTERM, even if its event is still to come.
  static var hasReceivedTermination: Bool { isTerminating }

  /// Limits the wait for a reader of standard output and standard error to one second. After one failed wait, later
  /// writes do not wait. Safe to call from any thread.
  static func limitOutputWait() {
    var byte: UInt8 = 0
    if outputLimitPipe.in >= 0 { _ = Self.writeOnce(outputLimitPipe.in, &byte, 1) }
  }

  private static let graceMilliseconds: Int32 = 1_000
  /// The number of bytes that a pipe with free space accepts without blocking.
  private static let nonblockingWriteSize = 4_096

  /// Waits until standard output or standard error accepts bytes without blocking.
  private static func waitForReader(_ descriptor: Int32) throws(CallError) {
    while true {
      var waits = [
        pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: outputLimitPipe.out, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waits, 2, -1) >= 0 else {
        if errno == EINTR { continue }
        return
      }
      if waits[0].revents != 0 { return }
      guard waits[1].revents != 0 else { continue }
      // A second byte in the pipe means that the time is up.
      var bytes: [UInt8] = [0, 0]
      let count = read(outputLimitPipe.out, &bytes, 2)
      let isRead = count == 1 && poll(&waits, 1, graceMilliseconds) > 0
      _ = writeOnce(outputLimitPipe.in, bytes, isRead ? 1 : 2)
      guard isRead else { throw .readerTimeout }
      return
    }
  }

  private static func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    WhereaboutsSystem.write(descriptor, bytes, count)
  }

  /// Returns whether a SIGINT is the duplicate of the first one, by their times on the monotonic clock in nanoseconds.
  static func isDuplicateInterrupt(at time: Int64, first: Int64) -> Bool {
    time &- first < duplicateInterruptNanoseconds
  }

  /// Restores the default effect of Ctrl-C, but for the duplicate of one that has arrived, and of SIGTERM unless it has
  /// arrived. The descriptor is invalid afterwards.
  static func endInterrupts(_ descriptor: Int32) {
    for number in isTerminating ? [SIGINT] : [SIGINT, SIGTERM] {
      // The duplicate of a Ctrl-C must not end the process meanwhile.
      if number == SIGINT, interruptTime != 0 {
        signal(number, endUnlessDuplicate)
      } else {
        signal(number, hasRemains ? removeRemainsAndEnd : SIG_DFL)
      }
    }
    close(descriptor)
    // The other end stays open: a handler in another thread may be about to write to it.
    interruptPipe = -1
  }

  /// Creates a file that must not exist.
  package static func create(_ path: String) throws(CallError) -> Int32 {
    try throwingOnFailure(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
  }

  /// Creates a file that will replace another file, with the permissions of the other file. Without another file,
  /// works like ``create(_:)``.
  package static func create(_ path: String, inPlaceOf other: String) throws(CallError) -> Int32 {
    var info = stat()
    guard stat(other, &info) == 0, FileStatus(info).isRegular else { return try create(path) }
    // No other user can open the file before its permissions are final.
    let descriptor = try throwingOnFailure(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    var mode = info.st_mode & 0o777
    // Group permissions are valid only for the group of the other file.
    if fchown(descriptor, info.st_uid, info.st_gid) != 0, fchown(descriptor, uid_t.max, info.st_gid) != 0 {
      mode &= ~0o070
    }
    guard fchmod(descriptor, mode) == 0 else {
      let failure = CallError(code: errno)
      close(descriptor)
      unlink(path)
      throw failure
    }
    return descriptor
  }

  /// Opens an existing device or named pipe for writing.
  static func openForWriting(_ path: String) throws(CallError) -> Int32 {
    try throwingOnFailure(open(path, O_WRONLY | O_CLOEXEC))
  }

  package static func close(_ descriptor: Int32) {
    _ = WhereaboutsSystem.close(descriptor)
  }

  /// Returns the status of a path; `nil` if the path does not exist.
  package static func status(atPath path: String) -> FileStatus? {
    var info = stat()
    return stat(path, &info) == 0 ? FileStatus(info) : nil
  }

  /// Returns whether a path leads nowhere. A link to a missing file and a path into a folder of another user lead
  /// somewhere: opening them tells why they can't be used.
  static func isMissing(_ path: String) -> Bool {
    var info = stat()
    return lstat(path, &info) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  /// Returns whether a path leads to a pipe, a terminal or another device. The path `-` stands for the descriptor.
  static func isStream(_ path: String, or descriptor: Int32) -> Bool {
    var info = stat()
    guard (path == "-" ? fstat(descriptor, &info) : stat(path, &info)) == 0 else { return false }
    let status = FileStatus(info)
    return !status.isRegular && !status.isDirectory
  }

  /// Returns whether two paths refer to the same regular file. The other path may be `-` for standard input.
  static func isSameFile(_ path: String, _ other: String) -> Bool {
    var (one, another) = (stat(), stat())
    let isThere = other == "-" ? fstat(0, &another) : stat(other, &another)
    guard stat(path, &one) == 0, isThere == 0 else { return false }
    return one.st_dev == another.st_dev && one.st_ino == another.st_ino && FileStatus(one).isRegular
  }

  /// Writes all bytes.
  package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(CallError) {
    var rest = bytes
    let isWaitedFor =
      outputLimitPipe.out >= 0 && (descriptor == standardOutput || descriptor == standardError)
    while !rest.isEmpty {
      if isWaitedFor { try waitForReader(descriptor) }
      let count = writeOnce(
        descriptor, rest.baseAddress, isWaitedFor ? min(rest.count, nonblockingWriteSize) : rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      } else if errno != EINTR {
        throw CallError(code: errno)
      }
    }
  }

  /// Writes all bytes at an offset in a file.
  package static func write(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64
  ) throws(CallError) {
    var rest = bytes
    var offset = offset
    while !rest.isEmpty {
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset))
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        offset += Int64(count)
      } else if errno != EINTR {
        throw CallError(code: errno)
      }
    }
  }

  /// Renames a file in its folder and replaces a file of the new name.
  package static func move(_ path: String, to other: String) throws(CallError) {
    _ = try throwingOnFailure(rename(path, other))
  }

  /// Renames a file like ``move(_:to:)``, but fails if a file of the new name exists.
  static func moveWithoutReplacing(_ path: String, to other: String) throws(CallError) {
    // A hard link checks and creates the name in one atomic step.
    if link(path, other) == 0 {
      unlink(path)
      return
    }
    // Some file systems have no hard links (FAT, some network file systems).
    guard errno != EEXIST, status(atPath: other) == nil else { throw CallError(code: EEXIST) }
    try move(path, to: other)
  }

  package static func remove(_ path: String) {
    unlink(path)
  }

  package static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Whether a descriptor is a terminal that can erase lines. A terminal with `TERM=dumb`, as in an editor, cannot.
  package static func isErasableTerminal(_ descriptor: Int32) -> Bool {
    isTerminal(descriptor) && environment("TERM") != "dumb"
  }

  /// Returns the number of columns of a terminal; `nil` if unknown.
  package static func columns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Opens descriptors in place of a closed standard input, output or error.
  ///
  /// Without this, a file that is opened later could get such a descriptor and receive the text of standard output.
  /// Reads from the placeholder return no bytes, and writes fail.
  package static func reserveStandardDescriptors() {
    for descriptor in [0, standardOutput, standardError] where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDONLY)
    }
  }

  /// Registers a file for removal if a signal ends the process (Ctrl-C, a hang-up, `kill`).
  ///
  /// At most four files can be registered at a time.
  static func removeOnSignal(_ path: String) {
    let files = filesToRemove ?? .allocate(capacity: removableFiles)
    if filesToRemove == nil {
      files.initialize(repeating: nil, count: removableFiles)
      filesToRemove = files
    }
    guard let free = (0..<removableFiles).first(where: { files[$0] == nil }) else { return }
    files[free] = strdup(path)
    handleEndingSignals(with: removeRemainsAndEnd)
  }

  /// Unregisters a file. After the last file, the previous signal handlers are restored.
  static func keepOnSignal(_ path: String) {
    guard let files = filesToRemove else { return }
    // The handler may read the old text at this moment, so it is not freed: a few bytes for each output file.
    for index in 0..<removableFiles {
      if let file = files[index], strcmp(file, path) == 0 { files[index] = nil }
    }
    restoreSignals()
  }

  /// Lets a signal that ends the process erase the line of progress on standard error: the shell's prompt would follow it.
  static func eraseProgressOnSignal() {
    guard !hasProgress else { return }
    hasProgress = true
    handleEndingSignals(with: removeRemainsAndEnd)
  }

  /// Ends the effect of ``eraseProgressOnSignal()``.
  static func endProgress() {
    guard hasProgress else { return }
    hasProgress = false
    restoreSignals()
  }

  /// Restores the effect of the signals that end the process, unless something is left to remove.
  private static func restoreSignals() {
    if !hasRemains { handleEndingSignals(with: SIG_DFL) }
  }

  /// Sets the effect of the signals that end the process. An ignored signal stays ignored, as a hang-up under `nohup`.
  private static func handleEndingSignals(with handler: (@convention(c) (Int32) -> Void)?) {
    for number in endingSignals {
      let former = signal(number, handler)
      if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
  }

  private static var hasRemains: Bool {
    hasProgress || filesToRemove.map { files in (0..<removableFiles).contains { files[$0] != nil } } ?? false
  }

  /// The signals that end the process. Ctrl-C and SIGTERM are not among them while an `InterruptListener` is active,
  /// nor is SIGTERM after it has arrived.
  private static var endingSignals: [Int32] {
    guard interruptPipe == -1 else { return [SIGHUP] }
    return isTerminating ? [SIGINT, SIGHUP] : [SIGINT, SIGTERM, SIGHUP]
  }

  package static var processIdentifier: Int32 { getpid() }

  /// Ends the process immediately.
  package static func exit(_ code: Int32) -> Never {
    WhereaboutsSystem.exit(code)
  }
}

private let removableFiles = 4
/// The time for a busy terminal to accept the sequence that erases the line of progress.
private let terminalMilliseconds: Int32 = 100

// Read by a signal handler, which must not lock or allocate: `nil` until the first file, and never freed. Written by the
// thread that opens and finishes the output, before the handler is installed or one pointer at a time.
private nonisolated(unsafe) var filesToRemove: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

// Read by a signal handler, which must not lock. Written by the one task that shows progress.
private nonisolated(unsafe) var hasProgress = false

// Read by a signal handler, which must not lock. Written before that handler is installed, and at its end.
private nonisolated(unsafe) var interruptPipe: Int32 = -1

// Written by a signal handler, and never reset.
private nonisolated(unsafe) var isTerminating = false

// The time of the first Ctrl-C on the monotonic clock; 0 before. Written by a signal handler, and never reset.
private nonisolated(unsafe) var interruptTime: Int64 = 0

/// The time within which a second SIGINT belongs to the same Ctrl-C: `timeout -s INT` sends one to the process and one to
/// its group.
private let duplicateInterruptNanoseconds: Int64 = 250_000_000

// Written by the main task before any output begins, and never closed.
private nonisolated(unsafe) var outputLimitPipe: (out: Int32, in: Int32) = (-1, -1)

/// Handles SIGINT and SIGTERM with calls that POSIX allows in a signal handler.
private func handleInterrupt(_ number: Int32) {
  if number == SIGTERM {
    isTerminating = true
    signal(SIGTERM, SIG_IGN)
    signal(SIGINT, removeRemainsAndEnd)
  } else {
    interruptTime = MonotonicClock.nanoseconds
    signal(SIGTERM, removeRemainsAndEnd)
    signal(SIGINT, endUnlessDuplicate)
  }
  var byte: UInt8 = number == SIGTERM ? 1 : 0
  let before = errno
  _ = write(interruptPipe, &byte, 1)
  errno = before
}

/// Ends the process as ``removeRemainsAndEnd(_:)`` does, unless the signal is a duplicate of the first Ctrl-C.
private func endUnlessDuplicate(_ number: Int32) {
  guard !System.isDuplicateInterrupt(at: MonotonicClock.nanoseconds, first: interruptTime) else { return }
  removeRemainsAndEnd(number)
}

/// Removes the registered files and the line of progress with calls that POSIX allows in a signal handler, then ends the
/// process.
private func removeRemainsAndEnd(_ number: Int32) {
  if let files = filesToRemove {
    for index in 0..<removableFiles {
      if let file = files[index] { unlink(file) }
    }
  }
  if hasProgress {
    // A terminal that accepts nothing, as of a lost connection, must not keep the process alive.
    var output = pollfd(fd: System.standardError, events: Int16(POLLOUT), revents: 0)
    // A return, and the terminal's sequence for erasing the rest of the line.
    var erasure: (UInt8, UInt8, UInt8, UInt8) = (0x0D, 0x1B, 0x5B, 0x4B)
    if poll(&output, 1, terminalMilliseconds) > 0 { _ = write(System.standardError, &erasure, 4) }
  }
  signal(number, SIG_DFL)
  raise(number)
}

extension System.FileStatus {
  fileprivate init(_ info: stat) {
    let kind = info.st_mode & S_IFMT
    isDirectory = kind == S_IFDIR
    isRegular = kind == S_IFREG
  }
}
