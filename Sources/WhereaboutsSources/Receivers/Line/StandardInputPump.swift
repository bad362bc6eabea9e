import NIOCore
import NIOPosix
import SystemPackage
import WhereaboutsSystem

/// A thread that copies standard input to a socket.
///
/// An event loop needs a descriptor that never blocks. That property belongs to the open file, which a shell or this
/// process's own output may share.
struct StandardInputPump {
  /// Starts copying; stops when the other end is closed, and closes the socket at the end.
  ///
  /// - Parameter keepsPendingInput: whether bytes that already wait are copied; otherwise they are dropped as older
  ///   than the demand.
  /// - Returns: the other end, which the caller owns.
  static func start(keepsPendingInput: Bool) throws -> SystemDescriptor {
    let (own, other) = try pair()
    let pool = NIOThreadPool(numberOfThreads: 1)
    pool.start()
    pool.submit { _ in
      if !keepsPendingInput { drain() }
      forward(to: own)
      // The reader waits for the end of the socket; a failed close can't be repaired.
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
    #if canImport(Darwin)
      // There is no flag of `send` for it: a write after the reader's end must not end the process.
      var isOn: Int32 = 1
      setsockopt(ends.0, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return (SystemDescriptor(rawValue: ends.0), SystemDescriptor(rawValue: ends.1))
  }

  private static let bufferSize = 1 << 16

  private static func forward(to own: SystemDescriptor) {
    withUnsafeTemporaryAllocation(byteCount: bufferSize, alignment: 16) { buffer in
      while true {
        // With no events requested, the socket reports only that its other end is closed.
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

  /// Drops pending input without blocking. A file has no pending input.
  private static func drain() {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    withUnsafeTemporaryAllocation(byteCount: bufferSize, alignment: 16) { buffer in
      while true {
        var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 0) > 0, wait.revents & Int16(POLLIN) != 0 else { return }
        guard read(STDIN_FILENO, buffer.baseAddress, buffer.count) > 0 else { return }
      }
    }
  }
}
