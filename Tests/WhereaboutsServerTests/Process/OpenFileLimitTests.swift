import Foundation
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import WhereaboutsServer

/// The server at its limit of open files.
@Suite struct OpenFileLimitTests {
  /// The system allows 256 open files, and more connections want to be accepted.
  @Test func connectionsLeaveOpenFilesForDevices() async throws {
    let folder = try TemporaryPlace(), store = folder.path("store.sqlite")
    let server = try ServerProcess(["--listen", "127.0.0.1:0", "--store", store], openFiles: 192)
    let line = try await server.line(with: "a listener has at most ")
    #expect(line.contains("warning: ") && line.contains("LimitNOFILE="), "\(line)")
    let port = try await server.ready(), token = try server.token()
    let connections = try (0..<240).map { _ in try RawConnection(port: port) }
    for number in 0..<8 {
      try connections[number].request(
        "GET", "/osmand?id=phone\(number)&lat=47.3&lon=8.5&timestamp=1700000000&accuracy=5", token: token)
      let answer = await connections[number].read(until: "\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
    }
    server.send(SIGKILL)
    _ = await server.end()
    await server.readRest()
    let failures = server.seenErrors.filter { $0.lowercased().contains("too many open files") }
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test(arguments: [
    // The limit of the server's unit permits the standard number of connections.
    (65_536, 8, 1, 25_000...65_536), (1_048_576, 64, 2, 25_000...524_288),
    // Half of the files are for devices.
    (1_024, 2, 1, 300...500), (1_024, 2, 2, 150...250), (128, 2, 1, 8...60),
    // The event loops of many cores take more than all.
    (256, 128, 1, 8...64), (40, 2, 2, 2...10),
  ])
  func connectionsHaveAShareOfTheOpenFiles(limit: Int, cores: Int, ports: Int, expected: ClosedRange<Int>) {
    let shares = ConnectionShares(openFiles: limit, cores: cores, ports: ports, hasSocket: true)
    #expect(expected.contains(shares.port), "\(shares)")
    #expect(shares.socket >= 2 && shares.port * ports + shares.socket <= limit / 2, "\(shares)")
    let without = ConnectionShares(openFiles: limit, cores: cores, ports: ports, hasSocket: false)
    #expect(without.socket == 0 && without.port >= shares.port, "\(without)")
  }

  @Test func boundIsTheLowerOneOfShareAndSetting() {
    var limits = ServerLimits()
    limits.connections = 2
    let live = LiveLimits(limits)
    var bound = ConnectionBound(live, share: 3)
    bound.connectionOpened()
    #expect(bound.isAcceptingNewConnections())
    bound.connectionOpened()
    #expect(!bound.isAcceptingNewConnections())
    limits.connections = 10
    live.set(live: limits)
    #expect(bound.isAcceptingNewConnections())
    bound.connectionOpened()
    #expect(!bound.isAcceptingNewConnections())
    bound.connectionClosed()
    #expect(bound.isAcceptingNewConnections())
  }

  // MARK: Pause

  /// Returns a listener with a pause, and the connections that it accepts.
  private static func listener(
    pausing duration: TimeAmount
  ) async throws -> (channel: any Channel, accepted: AsyncStream<Void>) {
    let (accepted, acceptedIn) = AsyncStream.makeStream(of: Void.self)
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { child in
        acceptedIn.yield()
        return child.eventLoop.makeSucceededVoidFuture()
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    await AcceptPause.add(to: channel, of: duration, logger: logger)
    return (channel, accepted)
  }

  /// Makes the listener fail as by a system without a free open file.
  private static func fail(_ channel: any Channel, _ code: CInt) async throws {
    try await channel.eventLoop.submit {
      channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
    }.get()
  }

  @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
  func failedAcceptStopsReading(code: CInt) async throws {
    let (channel, _) = try await Self.listener(pausing: .hours(1))
    let before = try await channel.getOption(.autoRead).get()
    try await Self.fail(channel, code)
    let after = try await channel.getOption(.autoRead).get()
    #expect(before && !after)
    try await channel.close()
  }

  @Test func connectionOfAClientThatIsGoneIsNoReasonToPause() async throws {
    let (channel, _) = try await Self.listener(pausing: .hours(1))
    try await Self.fail(channel, ECONNABORTED)
    let isReading = try await channel.getOption(.autoRead).get()
    #expect(isReading)
    try await channel.close()
  }

  @Test func connectionsAreAcceptedAfterThePause() async throws {
    let (channel, accepted) = try await Self.listener(pausing: .milliseconds(1))
    for _ in 0..<2 {
      try await Self.fail(channel, EMFILE)
      let client = try RawConnection(port: try #require(channel.localAddress?.port))
      var arrivals = accepted.makeAsyncIterator()
      let arrival: Void? = await arrivals.next()
      #expect(arrival != nil)
      withExtendedLifetime(client) {}
    }
    try await channel.close()
  }
}
