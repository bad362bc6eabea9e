import WhereaboutsSystem

/// The sender of a service's state to systemd, by the protocol of `sd_notify`: a datagram to the socket of
/// NOTIFY_SOCKET.
package struct ServiceNotifier: Sendable {
  /// The interval within which systemd wants a sign of life; `nil` without a watchdog.
  package let watchdogInterval: Duration?
  /// The socket's path, shorter than the field of the address. An abstract name begins with a zero byte.
  private let path: [UInt8]

  /// Creates the notifier of an environment.
  ///
  /// - Parameters:
  ///   - environment: the environment of the process.
  ///   - process: the identifier of the process, for which a watchdog may be meant or not.
  /// - Returns: `nil` if no supervisor wants to be notified.
  package init?(environment: [String: String], process: Int32 = getpid()) {
    guard let socket = environment["NOTIFY_SOCKET"] else { return nil }
    var path = Array(socket.utf8)
    guard path.count > 1, path.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
    switch path[0] {
    case UInt8(ascii: "/"): break
    case UInt8(ascii: "@"): path[0] = 0
    default: return nil
    }
    self.path = path
    let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    watchdogInterval = isMeant ? microseconds.map { .microseconds($0) } : nil
  }

  /// A state of the service.
  package enum State: Hashable, Sendable {
    case ready
    case reloading
    case stopping
    case alive
  }

  /// Notifies the supervisor of a state.
  ///
  /// - Returns: whether the datagram was sent. A supervisor that is gone is no error of the service.
  @discardableResult
  package func send(_ state: State) -> Bool {
    switch state {
    case .ready: send("READY=1")
    case .reloading: send("RELOADING=1\nMONOTONIC_USEC=\(Self.monotonicMicroseconds)")
    case .stopping: send("STOPPING=1")
    case .alive: send("WATCHDOG=1")
    }
  }

  private func send(_ text: String) -> Bool {
    #if os(Linux)
      let descriptor = socket(AF_UNIX, Self.kind, 0)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
      // A path ends with a zero byte, an abstract name with its length.
      let size = MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map {
        $0 + path.count + (path[0] == 0 ? 0 : 1)
      }
      let bytes = Array(text.utf8)
      let sent = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(size ?? 0))
        }
      }
      return sent == bytes.count
    #else
      return false
    #endif
  }

  #if os(Linux)
    #if canImport(Musl)
      private static let kind = SOCK_DGRAM | SOCK_CLOEXEC
    #else
      private static let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    #endif
  #endif

  private static var monotonicMicroseconds: Int64 { MonotonicClock.nanoseconds / 1000 }
}
