import NIOCore
import NIOPosix
import WhereaboutsCore
import WhereaboutsFormats

/// The sockets of a relay.
enum RelayWire {
  /// What happens at them, and what the source tells.
  enum Event: Sendable {
    case joined(any Channel, RelayDesk.Dialect)
    case bytes(ObjectIdentifier, ByteBuffer)
    case left(ObjectIdentifier)
    case signal(SourceSignal)
  }

  /// How much may wait for a client.
  private static let patience = ChannelOptions.Types.WriteBufferWaterMark(low: 32_768, high: 65_536)

  static func listen(
    host: String, port: Int, _ dialect: RelayDesk.Dialect, _ events: AsyncStream<Event>.Continuation
  ) async throws -> any Channel {
    try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.writeBufferWaterMark, value: patience)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      // The system would take megabytes for whoever does not read: hours of fixes.
      .childChannelOption(.socketOption(.so_sndbuf), value: 65_536)
      // Requests are read when those before have been answered: who asks too much waits.
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(RelayInlet(dialect, events))
        }
      }
      .bind(host: host, port: port).get()
  }
}

/// Hands over what a client does.
private final class RelayInlet: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let dialect: RelayDesk.Dialect
  private let events: AsyncStream<RelayWire.Event>.Continuation

  init(_ dialect: RelayDesk.Dialect, _ events: AsyncStream<RelayWire.Event>.Continuation) {
    self.dialect = dialect
    self.events = events
  }

  func channelActive(context: ChannelHandlerContext) {
    guard case .enqueued = events.yield(.joined(context.channel, dialect)) else {
      context.close(promise: nil)
      return
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    events.yield(.bytes(ObjectIdentifier(context.channel), unwrapInboundIn(data)))
  }

  func channelInactive(context: ChannelHandlerContext) {
    events.yield(.left(ObjectIdentifier(context.channel)))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Who is connected. Touched by one task only.
struct RelayClients {
  /// As many as gpsd takes, of each protocol: those of one keep none of the other's out.
  static let most = 64

  private struct Client {
    let channel: any Channel
    let dialect: RelayDesk.Dialect
    var requests = GPSDRequestReader()
  }

  private var numbers: [ObjectIdentifier: Int] = [:]
  private var clients: [Int: Client] = [:]
  private var nextNumber = 0
  /// How many were dropped for being too slow.
  private(set) var dropped = 0
  /// How many were refused because there were as many as fit.
  private(set) var refused = 0

  /// What an event means for the desk; `nil` where nothing.
  mutating func take(_ event: RelayWire.Event) -> [RelayDesk.Event]? {
    switch event {
    case .signal(let signal): return [.signal(signal)]
    case .joined(let channel, let dialect):
      guard clients.values.count(where: { $0.dialect == dialect }) < Self.most else {
        refused += 1
        channel.close(promise: nil)
        return []
      }
      let number = nextNumber
      nextNumber += 1
      numbers[ObjectIdentifier(channel)] = number
      clients[number] = Client(channel: channel, dialect: dialect)
      return [.joined(number, dialect)]
    case .left(let channel):
      guard let number = numbers.removeValue(forKey: channel) else { return nil }
      clients[number] = nil
      return [.left(number)]
    case .bytes(let channel, let bytes):
      guard let number = numbers[channel] else { return nil }
      var asked: [RelayDesk.Event] = []
      bytes.withUnsafeReadableBytes { raw in
        clients[number]?.requests.read(raw) { asked.append(.asked(number, $0)) }
      }
      return asked
    }
  }

  /// Sends the same to several.
  mutating func send(_ bytes: [UInt8], to numbers: [Int]) {
    let buffer = ByteBuffer(bytes: bytes)
    for number in numbers {
      guard let channel = clients[number]?.channel else { continue }
      if channel.isWritable {
        channel.writeAndFlush(buffer, promise: nil)
      } else {
        if channel.isActive { dropped += 1 }
        // Its end is still to be told.
        clients[number] = nil
        channel.close(promise: nil)
      }
    }
  }

  /// Asks a client for more.
  func readOn(after event: RelayWire.Event) {
    switch event {
    case .joined(let channel, _): if numbers[ObjectIdentifier(channel)] != nil { channel.read() }
    case .bytes(let channel, _): if let number = numbers[channel] { clients[number]?.channel.read() }
    case .left, .signal: break
    }
  }

  func closeAll() {
    for client in clients.values { client.channel.close(promise: nil) }
  }
}
