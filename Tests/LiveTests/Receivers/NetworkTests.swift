import Foundation
import NIOCore
import NIOPosix
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsSources

/// A server that sends to each client, and can be restarted at the same port.
private final class SentenceServer: Sendable {
  private final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    let channelContinuation: AsyncStream<any Channel>.Continuation
    init(_ joined: AsyncStream<any Channel>.Continuation) { self.channelContinuation = joined }
    func channelActive(context: ChannelHandlerContext) { channelContinuation.yield(context.channel) }
  }

  let port: Int
  private let channel: any Channel
  let clients: AsyncStream<any Channel>

  init(port: Int = 0) async throws {
    let (clients, joined) = AsyncStream.makeStream(of: (any Channel).self)
    self.clients = clients
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ConnectionHandler(joined))
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
    self.port = try #require(channel.localAddress?.port)
  }

  /// Returns the next client that connects.
  func nextClient() async throws -> any Channel {
    var iterator = clients.makeAsyncIterator()
    return try #require(await iterator.next())
  }

  func stop() async throws { try await channel.close() }
}

extension Channel {
  fileprivate func send(_ bytes: [UInt8]) async throws {
    try await writeAndFlush(ByteBuffer(bytes: bytes))
  }
}

@Suite struct NetworkTests {
  @Test func closedConnectionIsReopened() async throws {
    let server = try await SentenceServer(port: FreePort.tcp())
    var rig = SourceHarness(
      ReceiverSource(.tcp(host: "127.0.0.1", port: server.port), settings: ReceiverSamples.settings()))
    let client = try await server.nextClient()
    // Packets end at any byte.
    let bytes = (0..<4).flatMap { ReceiverSamples.instant($0) }
    for piece in stride(from: 0, to: bytes.count, by: 37) {
      try await client.send(Array(bytes[piece..<min(piece + 37, bytes.count)]))
    }
    #expect(await rig.fixes(3).compactMap { $0.time?.civil.second } == [0, 1, 2])
    // The connection ends in the middle of a sentence.
    try await client.send(Array(ReceiverSamples.instant(4).prefix(30)))
    try await server.stop()
    try await client.close()
    #expect(await rig.problem(.unreachable)?.message.contains("has closed the connection") == true)
    #expect(await rig.problem(.unreachable)?.message.contains("connection refused") == true)
    let second = try await SentenceServer(port: server.port)
    let again = try await second.nextClient()
    try await again.send((3..<7).flatMap { ReceiverSamples.instant($0) })
    // Fixes that were reported before are not reported again, although the server sends them again.
    #expect(await rig.fixes(2).compactMap { $0.time?.civil.second } == [4, 5])
    let seconds = rig.receivedSignals.compactMap { $0.fix?.time?.civil.second }
    #expect(seconds == [0, 1, 2, 3, 4, 5])
    _ = await rig.end()
    try await second.stop()
  }

  @Test func silentConnectionIsReplaced() async throws {
    let server = try await SentenceServer()
    var settings = ReceiverSamples.settings()
    settings.silenceTimeout = .milliseconds(500)
    settings.session.silenceTimeout = .milliseconds(100)
    var rig = SourceHarness(ReceiverSource(.tcp(host: "127.0.0.1", port: server.port), settings: settings))
    let first = try await server.nextClient()
    #expect(await rig.problem(.silent) != nil)
    // On a slow machine, more than one connection may time out before any data arrives.
    let serving = Task {
      for await client in server.clients {
        try? await client.send((0..<3).flatMap { ReceiverSamples.instant($0) })
      }
    }
    #expect(await rig.fixes(2).count == 2)
    serving.cancel()
    _ = await rig.end()
    try? await first.close()
    try await server.stop()
  }

  @Test func unknownHostIsReported() async throws {
    var rig = SourceHarness(ReceiverSource(.tcp(host: "no-such-host.invalid", port: 10110)))
    let problem = await rig.problem(.unreachable)
    #expect(problem?.message == "connect to tcp://no-such-host.invalid:10110: there is no such host")
    _ = await rig.end()
  }

  @Test func datagramsOfOneSenderAreUsed() async throws {
    let port = try FreePort.udp()
    var rig = SourceHarness(
      ReceiverSource(.udp(port: port, host: "127.0.0.1"), settings: ReceiverSamples.settings()))
    let near = try await Self.sender(), far = try await Self.sender()
    let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
    func send(_ bytes: [UInt8], from sender: any Channel) async throws {
      // The write is refused until the source listens.
      try? await sender.writeAndFlush(
        AddressedEnvelope(remoteAddress: address, data: ByteBuffer(bytes: bytes)))
    }
    // Sends until the source receives.
    let knocking = Task {
      for second in 0..<10_000 {
        try await send(ReceiverSamples.instant(second % 3600), from: near)
        try await send(ReceiverSamples.instant(second % 3600, north: 48), from: far)
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    let fixes = await rig.fixes(50)
    knocking.cancel()
    // A sender that is silent for 5 s loses its turn, which is reported: so does one on a machine that stands still.
    let hasChanged = rig.receivedSignals.contains {
      if case .unavailable(let problem) = $0 { problem.message.contains("any more at") } else { false }
    }
    #expect(
      hasChanged || Set(fixes.map { Int($0.coordinate.latitude) }).count == 1, "all fixes are from one sender"
    )
    var other = SourceHarness(
      ReceiverSource(.udp(port: port, host: "127.0.0.1"), settings: ReceiverSamples.settings()))
    #expect(await other.problem(.inUse) != nil)
    _ = await other.end()
    _ = await rig.end()
    try await near.close()
    try await far.close()
  }

  @Test func anotherSenderIsReported() async throws {
    let port = try FreePort.udp()
    var rig = SourceHarness(
      ReceiverSource(.udp(port: port, host: "127.0.0.1"), settings: ReceiverSamples.settings()))
    let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
    func knock(from sender: any Channel) -> Task<Void, any Error> {
      Task {
        for second in 0..<10_000 {
          try? await sender.writeAndFlush(
            AddressedEnvelope(
              remoteAddress: address, data: ByteBuffer(bytes: ReceiverSamples.instant(second % 3600))))
          try await Task.sleep(for: .milliseconds(20))
        }
      }
    }
    let first = try await Self.sender(), second = try await Self.sender()
    let knocking = knock(from: first)
    #expect(await rig.fixes(3).count == 3)
    knocking.cancel()
    let other = knock(from: second)
    var problem = try #require(await rig.problem(.silent))
    while !problem.message.contains("any more at") { problem = try #require(await rig.problem(.silent)) }
    #expect(problem.message.contains("127.0.0.1:\(first.localAddress?.port ?? 0)"))
    #expect(problem.message.contains("127.0.0.1:\(second.localAddress?.port ?? 0)"))
    #expect(await rig.next() == .segmentBegan)
    #expect(await rig.fixes(1).count == 1)
    other.cancel()
    _ = await rig.end()
    try await first.close()
    try await second.close()
  }

  private static func sender() async throws -> any Channel {
    try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: "127.0.0.1", port: 0)
      .get()
  }
}
