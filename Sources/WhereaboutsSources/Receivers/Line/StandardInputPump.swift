import NIOCore
import NIOPosix
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Passes standard input on to a socket, from a thread of its own.
///
/// An event loop could read it only if it never blocked, and that is a property of what is open and not of who has it
/// open: a shell, or this process's own output where both are one terminal, would trip over it.
struct StandardInputPump {
  /// Begins to pass on; stops when the other end is closed, and closes it at the end.
  ///
  /// - Parameter isFresh: whether what is waiting to be read is passed on too; otherwise it is thrown away, being of a
  ///   time when nobody wanted it.
  /// - Returns: the other end, which is the caller's.
  static func start(isFresh: Bool) throws -> SystemDescriptor {
    let (own, other) = try pair()
    let pool = NIOThreadPool(numberOfThreads: 1)
    pool.start()
    pool.submit { _ in
      if !isFresh { drain() }
      pass(to: own)
      // Its end is what the reader waits for; there is nothing to do about one that can't be closed.
      try? own.close()
      pool.shutdownGracefully { _ in }
    }
    return other
  }

  private static func pair() throws -> (SystemDescriptor, SystemDescriptor) {
    #if os(Linux)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    var ends: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &ends) {
      socketpair(AF_UNIX, kind, 0, $0.baseAddress?.assumingMemoryBound(to: Int32.self))
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
    return (SystemDescriptor(rawValue: ends.0), SystemDescriptor(rawValue: ends.1))
  }

  private static let size = 1 << 16

  private static func pass(to own: SystemDescriptor) {
    withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
      while true {
        // With no events asked for, the socket reports only that its other end is gone.
        var waits = [
          pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
          pollfd(fd: own.rawValue, events: 0, revents: 0),
        ]
        guard poll(&waits, nfds_t(waits.count), -1) > 0 else {
          if errno == EINTR { continue }
          return
        }
        guard waits[1].revents == 0 else { return }
        let count = read(STDIN_FILENO, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        guard count > 0, write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: own) else { return }
      }
    }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to own: SystemDescriptor) -> Bool {
    #if os(Linux)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    var rest = bytes
    while !rest.isEmpty {
      let count = send(own.rawValue, rest.baseAddress, rest.count, flags)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return true
  }

  /// Reads what is there without waiting for more. A file has no past to throw away.
  private static func drain() {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
      while true {
        var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 0) > 0, wait.revents & Int16(POLLIN) != 0 else { return }
        guard read(STDIN_FILENO, buffer.baseAddress, buffer.count) > 0 else { return }
      }
    }
  }
}
