import NIOCore
import NIOPosix
import SystemPackage
import WhereaboutsModel

/// The connection and the timer of a session. Used by one task only; callbacks arrive as events.
final class GPSDTransport {
  /// An event, with the connection it belongs to.
  struct Event: Sendable {
    let event: GPSDSession.Event
    /// The number of the connection attempt; `nil` for events of no connection.
    let attempt: Int?

    init(_ event: GPSDSession.Event, attempt: Int? = nil) {
      self.event = event
      self.attempt = attempt
    }
  }

  private static let connectTimeout = TimeAmount.seconds(5)

  private let host: String
  private let port: Int
  private let events: AsyncStream<Event>.Continuation
  private let loop: any EventLoop
  private var attempts = 0
  private var channel: EventLoopFuture<any Channel>?
  private var timer: (at: Instant, task: Scheduled<Void>)?

  init(host: String, port: Int, events: AsyncStream<Event>.Continuation) {
    self.host = host
    self.port = port
    self.events = events
    loop = MultiThreadedEventLoopGroup.singleton.next()
  }

  /// Returns whether an event belongs to the current connection, or to none.
  func isCurrent(_ event: Event) -> Bool {
    if case .timerFired = event.event { timer = nil }
    return event.attempt == nil || (event.attempt == attempts && channel != nil)
  }

  func connect() {
    close()
    attempts += 1
    let attempt = attempts
    let events = events
    let channel = connect { events.yield(Event($0, attempt: attempt)) }
    self.channel = channel
    channel.whenComplete { result in
      switch result {
      case .success: events.yield(Event(.connected, attempt: attempt))
      case .failure(let error):
        events.yield(Event(.connectionFailed(GPSDConnectionFailure(error)), attempt: attempt))
      }
    }
  }

  private func connect(_ report: @escaping @Sendable (GPSDSession.Event) -> Void) -> EventLoopFuture<
    any Channel
  > {
    let loop = loop
    let port = port
    @Sendable func bootstrap() -> ClientBootstrap {
      ClientBootstrap(group: loop)
        .connectTimeout(Self.connectTimeout)
        // Bytes are read after the previous ones are processed: a slow reader makes gpsd wait, and needs no memory.
        .channelOption(.autoRead, value: false)
        // One buffer for each read: several would each request another read, and the backlog would grow without end.
        .channelOption(.maxMessagesPerRead, value: 1)
        .channelOption(.socketOption(.so_keepalive), value: 1)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(GPSDInboundHandler(report))
          }
        }
    }
    // A name lookup may take seconds without a network; localhost needs none.
    let addresses = (host == "localhost" ? ["127.0.0.1", "::1"] : [host]).compactMap {
      try? SocketAddress(ipAddress: $0, port: port)
    }
    guard let first = addresses.first else { return bootstrap().connect(host: host, port: port) }
    return bootstrap().connect(to: first).flatMapError { error in
      addresses.count > 1 ? bootstrap().connect(to: addresses[1]) : loop.makeFailedFuture(error)
    }
  }

  func send(_ text: String) {
    channel?.whenSuccess { $0.writeAndFlush(ByteBuffer(string: text), promise: nil) }
  }

  func close() {
    channel?.whenSuccess { $0.close(promise: nil) }
    channel = nil
    timer?.task.cancel()
    timer = nil
  }

  /// Requests more bytes.
  func readMore(after event: Event) {
    switch event.event {
    case .connected, .bytes: channel?.whenSuccess { $0.read() }
    case .demand, .connectionFailed, .closed, .timerFired: break
    }
  }

  /// Sets the timer; an earlier timer stays, since a timer event is only a hint.
  func scheduleTimer(at instant: Instant?, now: Instant) {
    guard let instant else {
      timer?.task.cancel()
      timer = nil
      return
    }
    if let timer {
      guard instant < timer.at else { return }
      timer.task.cancel()
    }
    let events = events
    let wait = max(instant.since(now), .zero).clampedNanoseconds
    timer = (instant, loop.scheduleTask(in: .nanoseconds(wait)) { _ = events.yield(Event(.timerFired)) })
  }
}

/// Forwards received data as events.
private final class GPSDInboundHandler: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let deliver: @Sendable (GPSDSession.Event) -> Void

  init(_ deliver: @escaping @Sendable (GPSDSession.Event) -> Void) { self.deliver = deliver }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { deliver(.bytes(unwrapInboundIn(data))) }

  func channelInactive(context: ChannelHandlerContext) { deliver(.closed) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension GPSDConnectionFailure {
  init(_ error: any Error) {
    switch error {
    case let error as IOError:
      let errno = Errno(rawValue: error.errnoCode)
      self.init(isConnectionRefused: errno == .connectionRefused, reason: errno.description.lowercased())
    case is SocketAddressError:
      self.init(isConnectionRefused: false, reason: "its name is not known")
    case ChannelError.connectTimeout:
      self.init(isConnectionRefused: false, reason: "it does not answer")
    case let error as NIOConnectionError:
      if let first = error.connectionErrors.first {
        self.init(first.error)
      } else {
        self.init(isConnectionRefused: false, reason: "its name is not known")
      }
    default:
      self.init(isConnectionRefused: false, reason: "\(error)")
    }
  }
}
