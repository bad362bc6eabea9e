import NIOCore
import NIOPosix
import WhereaboutsModel
import WhereaboutsFormats

/// The sockets of a relay.
enum RelayTransport {
  /// The events of the sockets and the source.
  enum Event: Sendable {
    case connected(any Channel, RelaySession.Dialect)
    case bytes(ObjectIdentifier, ByteBuffer)
    case disconnected(ObjectIdentifier)
    case signal(SourceSignal)
  }

  /// The limits of unsent data for a client.
  private static let writeBufferLimits = ChannelOptions.Types.WriteBufferWaterMark(low: 32_768, high: 65_536)

  static func listen(
    host: String, port: Int, _ dialect: RelaySession.Dialect, _ events: AsyncStream<Event>.Continuation
  ) async throws -> any Channel {
    try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.writeBufferWaterMark, value: writeBufferLimits)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      // The system would buffer megabytes for a client that does not read: hours of fixes.
      .childChannelOption(.socketOption(.so_sndbuf), value: 65_536)
      // Requests are read after the previous ones are answered: a client with too many requests waits.
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(RelayInboundHandler(dialect, events))
        }
      }
      .bind(host: host, port: port).get()
  }
}

/// Forwards a client's actions as events.
private final class RelayInboundHandler: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let dialect: RelaySession.Dialect
  private let events: AsyncStream<RelayTransport.Event>.Continuation

  init(_ dialect: RelaySession.Dialect, _ events: AsyncStream<RelayTransport.Event>.Continuation) {
    self.dialect = dialect
    self.events = events
  }

  func channelActive(context: ChannelHandlerContext) {
    guard case .enqueued = events.yield(.connected(context.channel, dialect)) else {
      context.close(promise: nil)
      return
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    events.yield(.bytes(ObjectIdentifier(context.channel), unwrapInboundIn(data)))
  }

  func channelInactive(context: ChannelHandlerContext) {
    events.yield(.disconnected(ObjectIdentifier(context.channel)))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// The connected clients. Used by one task only.
struct RelayClients {
  /// The limit of clients for each protocol, as in gpsd; one protocol's clients never displace the other's.
  static let maxClients = 64

  private struct Client {
    let channel: any Channel
    let dialect: RelaySession.Dialect
    var requests = GPSDRequestReader()
  }

  private var numbers: [ObjectIdentifier: Int] = [:]
  private var clients: [Int: Client] = [:]
  private var nextNumber = 0
  /// The number of clients dropped as too slow.
  private(set) var droppedClients = 0
  /// The number of clients refused at the limit.
  private(set) var refusedClients = 0

  /// Processes an event, and returns the session's events; `nil` if there are none.
  mutating func process(_ event: RelayTransport.Event) -> [RelaySession.Event]? {
    switch event {
    case .signal(let signal): return [.signal(signal)]
    case .connected(let channel, let dialect):
      guard clients.values.count(where: { $0.dialect == dialect }) < Self.maxClients else {
        refusedClients += 1
        channel.close(promise: nil)
        return []
      }
      let number = nextNumber
      nextNumber += 1
      numbers[ObjectIdentifier(channel)] = number
      clients[number] = Client(channel: channel, dialect: dialect)
      return [.clientConnected(number, dialect)]
    case .disconnected(let channel):
      guard let number = numbers.removeValue(forKey: channel) else { return nil }
      clients[number] = nil
      return [.clientDisconnected(number)]
    case .bytes(let channel, let bytes):
      guard let number = numbers[channel] else { return nil }
      var asked: [RelaySession.Event] = []
      bytes.withUnsafeReadableBytes { raw in
        clients[number]?.requests.read(raw) { asked.append(.requestReceived(number, $0)) }
      }
      return asked
    }
  }

  /// Sends the same bytes to several clients.
  mutating func send(_ bytes: [UInt8], to numbers: [Int]) {
    let buffer = ByteBuffer(bytes: bytes)
    for number in numbers {
      guard let channel = clients[number]?.channel else { continue }
      if channel.isWritable {
        channel.writeAndFlush(buffer, promise: nil)
      } else {
        if channel.isActive { droppedClients += 1 }
        // The end of the connection is still to be reported.
        clients[number] = nil
        channel.close(promise: nil)
      }
    }
  }

  /// Requests more bytes of a client.
  func readMore(after event: RelayTransport.Event) {
    switch event {
    case .connected(let channel, _): if numbers[ObjectIdentifier(channel)] != nil { channel.read() }
    case .bytes(let channel, _): if let number = numbers[channel] { clients[number]?.channel.read() }
    case .disconnected, .signal: break
    }
  }

  func closeAll() {
    for client in clients.values { client.channel.close(promise: nil) }
  }
}
