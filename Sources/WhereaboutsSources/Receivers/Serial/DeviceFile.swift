import SystemPackage
import WhereaboutsModel
import WhereaboutsSystem

#if os(Linux)
  import CEpoll
#endif

/// An open file of the system; NIO has another type of that name.
typealias SystemDescriptor = FileDescriptor

/// Opens devices and pipes so that their bytes can be waited for.
struct DeviceFile {
  let port: ReceiverPort
  let path: String
  private var problems: ReceiverProblems { ReceiverProblems(port: port) }

  init(_ port: ReceiverPort, path: String) {
    self.port = port
    self.path = path
  }

  /// Opens the file for reading, without waiting for a carrier or a writer, and without making a terminal ours.
  ///
  /// - Parameter isExclusive: whether other processes are locked out.
  func open(isExclusive: Bool) throws(ReceiverLineError) -> FileDescriptor {
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(
        FilePath(path), .readOnly, options: [.nonBlocking, .init(rawValue: O_NOCTTY), .closeOnExec])
    } catch {
      throw failure(error as? Errno)
    }
    do {
      try check(descriptor, isExclusive: isExclusive)
      return descriptor
    } catch {
      // The descriptor was never read.
      try? descriptor.close()
      throw error
    }
  }

  /// Opens and closes the file to see whether opening succeeds.
  func probe(isExclusive: Bool) throws(ReceiverLineError) {
    let descriptor = try open(isExclusive: isExclusive)
    try? descriptor.close()  // The file was not even read.
  }

  private func check(_ descriptor: FileDescriptor, isExclusive: Bool) throws(ReceiverLineError) {
    var status = stat()
    guard fstat(descriptor.rawValue, &status) == 0 else { throw failure(Errno(rawValue: errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: throw ReceiverLineError(problem: problems.regularFile, retry: .never)
    case S_IFDIR:
      throw ReceiverLineError(problem: problems.unsupportedDevice("it is a folder"), retry: .never)
    case S_IFBLK: throw ReceiverLineError(problem: problems.unsupportedDevice("it is a disk"), retry: .never)
    default: break
    }
    guard try supportsPolling(descriptor) else {
      throw ReceiverLineError(
        problem: problems.unsupportedDevice("it is no device that sends bytes"), retry: .never)
    }
    guard isExclusive, isatty(descriptor.rawValue) == 1 else { return }
    guard ExclusiveLock.acquire(descriptor.rawValue) == .acquired else {
      throw ReceiverLineError(problem: problems.inUse(by: DeviceUser.all(of: path)), retry: .immediately)
    }
    // Another process may hold the other end of a pseudo-terminal, and the mode would stay exclusive after this
    // process.
    guard !Self.isPseudoTerminal(status) else { return }
    let users = DeviceUser.all(of: path)
    guard users.isEmpty else { throw ReceiverLineError(problem: problems.inUse(by: users), retry: .later) }
    // Binds everybody but the superuser. If exclusive mode fails, the line is read all the same.
    _ = ioctl(descriptor.rawValue, UInt(TIOCEXCL), 0)
  }

  /// Returns whether an event loop can wait for the file's bytes. The system refuses that for some devices, such as
  /// `/dev/null` and `/dev/zero`.
  private func supportsPolling(_ descriptor: FileDescriptor) throws(ReceiverLineError) -> Bool {
    #if os(Linux)
      let queue = epoll_create1(Int32(EPOLL_CLOEXEC))
      guard queue >= 0 else { throw failure(Errno(rawValue: errno)) }
      defer { close(queue) }
      var event = epoll_event()
      return epoll_ctl(queue, EPOLL_CTL_ADD, descriptor.rawValue, &event) == 0 || errno != EPERM
    #else
      return true
    #endif
  }

  /// Returns whether the major number is that of a pseudo-terminal's slave: 136 to 143 on Linux.
  private static func isPseudoTerminal(_ status: stat) -> Bool {
    #if os(Linux)
      let major = (status.st_rdev >> 8) & 0xFFF
      return (136...143).contains(major)
    #else
      return true
    #endif
  }

  private var isSocket: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  private func failure(_ error: Errno?) -> ReceiverLineError {
    switch error {
    case .permissionDenied?, .notPermitted?:
      ReceiverLineError(problem: problems.permissionDenied(path), retry: .whenPermitted)
    case .noSuchFileOrDirectory?:
      ReceiverLineError(problem: problems.deviceNotFound, retry: .immediately)
    case .noSuchAddressOrDevice? where isSocket:
      ReceiverLineError(
        problem: problems.unsupportedDevice(
          "it is a socket", remedy: "Connect over TCP, as in tcp://localhost:10110."),
        retry: .never)
    case .noSuchAddressOrDevice?, .some(.init(rawValue: ENODEV)), .ioError?:
      // The name still exists, but its device does not.
      ReceiverLineError(problem: problems.unplugged, retry: .immediately)
    case .resourceBusy?:
      ReceiverLineError(problem: problems.inUse(by: DeviceUser.all(of: path)), retry: .immediately)
    case let error?:
      ReceiverLineError(problem: problems.openFailed(error.description.lowercasedFirstLetter), retry: .later)
    case nil:
      ReceiverLineError(problem: problems.openFailed("it does not answer"), retry: .later)
    }
  }
}

extension String {
  /// The text with its first letter in lower case, for use within a sentence.
  var lowercasedFirstLetter: String { prefix(1).lowercased() + dropFirst() }
}

extension DeviceFile {
  /// Drops pending bytes, as much as a pipe can hold.
  static func drain(_ descriptor: FileDescriptor) {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      for _ in 0..<16 {
        guard let count = try? descriptor.read(into: buffer, retryOnInterrupt: true), count > 0 else {
          return
        }
      }
    }
  }
}
