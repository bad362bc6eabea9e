import NIOCore
import NIOPosix
import SystemPackage
import WhereaboutsCore

/// The connection itself, and the one timer. Touched by one task only; what others have to say comes as events.
final class GPSDWire {
  /// Something that happened, to which connection.
  struct Event: Sendable {
    let event: GPSDSession.Event
    /// Which of the connections it belongs to; `nil` where to none.
    let attempt: Int?

    init(_ event: GPSDSession.Event, attempt: Int? = nil) {
      self.event = event
      self.attempt = attempt
    }
  }

  private static let patience = TimeAmount.seconds(5)

  private let host: String
  private let port: Int
  private let events: AsyncStream<Event>.Continuation
  private let loop: any EventLoop
  private var attempts = 0
  private var channel: EventLoopFuture<any Channel>?
  private var alarm: (at: Instant, task: Scheduled<Void>)?

  init(host: String, port: Int, events: AsyncStream<Event>.Continuation) {
    self.host = host
    self.port = port
    self.events = events
    loop = MultiThreadedEventLoopGroup.singleton.next()
  }

  /// Whether an event is of the connection at hand, or of none.
  func isCurrent(_ event: Event) -> Bool {
    if case .woke = event.event { alarm = nil }
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
      case .failure(let error): events.yield(Event(.refused(GPSDRefusal(error)), attempt: attempt))
      }
    }
  }

  private func connect(_ take: @escaping @Sendable (GPSDSession.Event) -> Void) -> EventLoopFuture<
    any Channel
  > {
    let loop = loop
    let port = port
    @Sendable func bootstrap() -> ClientBootstrap {
      ClientBootstrap(group: loop)
        .connectTimeout(Self.patience)
        // Bytes are read when those before have been dealt with: who is slow makes gpsd wait, and needs no memory.
        .channelOption(.autoRead, value: false)
        // One buffer for each read: several would each ask for as many again, and the backlog would grow without end.
        .channelOption(.maxMessagesPerRead, value: 1)
        .channelOption(.socketOption(.so_keepalive), value: 1)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(GPSDInlet(take))
          }
        }
    }
    // Asking for a name may take seconds where there is no network; this one is known.
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
    alarm?.task.cancel()
    alarm = nil
  }

  /// Asks for more bytes.
  func readOn(after event: Event) {
    switch event.event {
    case .connected, .bytes: channel?.whenSuccess { $0.read() }
    case .demand, .refused, .closed, .woke: break
    }
  }

  /// Wakes then; one that is set for earlier stays, for a wake is only a hint.
  func wake(at instant: Instant?, now: Instant) {
    guard let instant else {
      alarm?.task.cancel()
      alarm = nil
      return
    }
    if let alarm {
      guard instant < alarm.at else { return }
      alarm.task.cancel()
    }
    let events = events
    let wait = max(instant.since(now), .zero).clampedNanoseconds
    alarm = (instant, loop.scheduleTask(in: .nanoseconds(wait)) { _ = events.yield(Event(.woke)) })
  }
}

/// Hands over what comes in.
private final class GPSDInlet: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let take: @Sendable (GPSDSession.Event) -> Void

  init(_ take: @escaping @Sendable (GPSDSession.Event) -> Void) { self.take = take }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { take(.bytes(unwrapInboundIn(data))) }

  func channelInactive(context: ChannelHandlerContext) { take(.closed) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension GPSDRefusal {
  init(_ error: any Error) {
    switch error {
    case let error as IOError:
      let errno = Errno(rawValue: error.errnoCode)
      self.init(isNobodyThere: errno == .connectionRefused, reason: errno.description.lowercased())
    case is SocketAddressError:
      self.init(isNobodyThere: false, reason: "its name is not known")
    case ChannelError.connectTimeout:
      self.init(isNobodyThere: false, reason: "it does not answer")
    case let error as NIOConnectionError:
      if let first = error.connectionErrors.first {
        self.init(first.error)
      } else {
        self.init(isNobodyThere: false, reason: "its name is not known")
      }
    default:
      self.init(isNobodyThere: false, reason: "\(error)")
    }
  }
}
