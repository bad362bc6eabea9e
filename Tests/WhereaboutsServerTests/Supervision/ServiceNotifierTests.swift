#if os(Linux)
  import Foundation
  import Testing

  @testable import WhereaboutsServer

  @Suite struct ServiceNotifierTests {
    @Test(arguments: [false, true]) func sendsDatagrams(isAbstract: Bool) throws {
      let folder = try TemporaryPlace()
      let name = isAbstract ? "@\(folder.path("a").dropFirst())" : folder.path("s")
      let socket = try DatagramSocket(name)
      let notifier = try #require(ServiceNotifier(environment: ["NOTIFY_SOCKET": name]))
      #expect(notifier.watchdogInterval == nil)
      for (state, start) in [
        (ServiceNotifier.State.ready, "READY=1"), (.stopping, "STOPPING=1"), (.alive, "WATCHDOG=1"),
        (.reloading, "RELOADING=1\nMONOTONIC_USEC="),
      ] {
        #expect(notifier.send(state))
        let text = try socket.receive()
        #expect(state == .reloading ? text.hasPrefix(start) : text == start)
      }
    }

    @Test func supervisorThatIsGoneIsNoError() throws {
      let folder = try TemporaryPlace()
      let notifier = try #require(ServiceNotifier(environment: ["NOTIFY_SOCKET": folder.path("none")]))
      #expect(!notifier.send(.ready))
    }

    @Test(
      arguments: [nil, "", "/", "relative", "vsock:2:3", String(repeating: "/x", count: 60)] as [String?])
    func otherAddressesAreIgnored(name: String?) {
      #expect(ServiceNotifier(environment: name.map { ["NOTIFY_SOCKET": $0] } ?? [:]) == nil)
    }

    @Test(
      arguments: [
        (["WATCHDOG_USEC": "30000000"], .seconds(30)),
        (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], .seconds(30)),
        (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil),
        (["WATCHDOG_USEC": "x"], nil), ([:], nil),
      ] as [([String: String], Duration?)])
    func watchdogIsForThisProcess(environment: [String: String], expected: Duration?) throws {
      let environment = environment.merging(["NOTIFY_SOCKET": "/s"]) { $1 }
      let notifier = try #require(ServiceNotifier(environment: environment, process: 7))
      #expect(notifier.watchdogInterval == expected)
    }
  }

  /// A datagram socket as systemd has it.
  final class DatagramSocket: Sendable {
    private struct Failure: Error {}

    private let descriptor: Int32

    init(_ name: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un(), path = Array(name.utf8)
      address.sun_family = sa_family_t(AF_UNIX)
      let isAbstract = path.first == UInt8(ascii: "@")
      if isAbstract { path[0] = 0 }
      guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { throw Failure() }
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
      let size = 2 + path.count + (isAbstract ? 0 : 1)
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(size)) }
      }
      guard result == 0 else { throw Failure() }
    }

    deinit { close(descriptor) }

    /// Returns the next datagram; waits for it without a thread of the test.
    func next() async throws -> String {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try self.receive() }) }
      }
    }

    /// Returns the next datagram; waits for it.
    func receive() throws -> String {
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count >= 0 else { throw Failure() }
      return String(decoding: bytes[..<count], as: UTF8.self)
    }
  }
#endif
