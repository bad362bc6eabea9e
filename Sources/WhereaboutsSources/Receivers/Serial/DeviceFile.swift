import SystemPackage
import WhereaboutsCore

#if os(Linux)
  import CEpoll
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An open file of the system; NIO has another type of that name.
typealias SystemDescriptor = FileDescriptor

/// Opens devices and pipes so that their bytes can be waited for.
struct DeviceFile {
  let port: ReceiverPort
  let path: String
  private var words: ReceiverTrouble { ReceiverTrouble(port: port) }

  init(_ port: ReceiverPort, path: String) {
    self.port = port
    self.path = path
  }

  /// Opens it for reading, without waiting for a carrier or a writer, and without making a terminal ours.
  ///
  /// - Parameter isExclusive: whether it is to be had by this process alone.
  func open(isExclusive: Bool) throws(LineFailure) -> FileDescriptor {
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
      // It was not even read.
      try? descriptor.close()
      throw error
    }
  }

  /// Opens it to see whether that can be done, and closes it.
  func probe(isExclusive: Bool) throws(LineFailure) {
    let descriptor = try open(isExclusive: isExclusive)
    try? descriptor.close()  // It was not even read.
  }

  private func check(_ descriptor: FileDescriptor, isExclusive: Bool) throws(LineFailure) {
    var status = stat()
    guard fstat(descriptor.rawValue, &status) == 0 else { throw failure(Errno(rawValue: errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: throw LineFailure(trouble: words.isRecording, retry: .never)
    case S_IFDIR: throw LineFailure(trouble: words.unfit("it is a folder"), retry: .never)
    case S_IFBLK: throw LineFailure(trouble: words.unfit("it is a disk"), retry: .never)
    default: break
    }
    guard try canBeWaitedFor(descriptor) else {
      throw LineFailure(trouble: words.unfit("it is no device that sends bytes"), retry: .never)
    }
    guard isExclusive, isatty(descriptor.rawValue) == 1 else { return }
    // Falls with the descriptor, however this process ends; binds those who ask for it too.
    guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
      throw LineFailure(trouble: words.inUse(by: DeviceUser.all(of: path)), retry: .atOnce)
    }
    // The other end of a pseudo-terminal may be held by whoever made it, and stays exclusive when we are gone.
    guard !Self.isPseudoTerminal(status) else { return }
    let users = DeviceUser.all(of: path)
    guard users.isEmpty else { throw LineFailure(trouble: words.inUse(by: users), retry: .later) }
    // Binds everybody but the superuser. Where it can't be had the line is read all the same.
    _ = ioctl(descriptor.rawValue, UInt(TIOCEXCL), 0)
  }

  /// Whether an event loop can wait for its bytes: the system refuses that for some devices, such as `/dev/null` and
  /// `/dev/zero`.
  private func canBeWaitedFor(_ descriptor: FileDescriptor) throws(LineFailure) -> Bool {
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

  /// By its major number: that of the slaves of pseudo-terminals is 136 to 143 on Linux.
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

  private func failure(_ error: Errno?) -> LineFailure {
    switch error {
    case .permissionDenied?, .notPermitted?:
      LineFailure(trouble: words.refused(path), retry: .whenPermitted)
    case .noSuchFileOrDirectory?:
      LineFailure(trouble: words.absent, retry: .atOnce)
    case .noSuchAddressOrDevice? where isSocket:
      LineFailure(
        trouble: words.unfit("it is a socket", remedy: "Connect over TCP, as in tcp://localhost:10110."),
        retry: .never)
    case .noSuchAddressOrDevice?, .some(.init(rawValue: ENODEV)), .ioError?:
      // The name is still there, and what it names is not.
      LineFailure(trouble: words.unplugged, retry: .atOnce)
    case .resourceBusy?:
      LineFailure(trouble: words.inUse(by: DeviceUser.all(of: path)), retry: .atOnce)
    case let error?:
      LineFailure(trouble: words.unusable(error.description.asFragment), retry: .later)
    case nil:
      LineFailure(trouble: words.unusable("it does not answer"), retry: .later)
    }
  }
}

extension String {
  /// In the system's words, but not as the beginning of a sentence.
  var asFragment: String { prefix(1).lowercased() + dropFirst() }
}

extension DeviceFile {
  /// Throws away what is waiting to be read, as much as a pipe can hold.
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
