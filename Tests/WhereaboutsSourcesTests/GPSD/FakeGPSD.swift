import Foundation
import NIOCore
import NIOPosix
import Whereabouts
import WhereaboutsSources

/// A server that listens as gpsd does, sends the lines that a test chooses, and reports the lines that it receives.
final class FakeGPSD: @unchecked Sendable {
  enum Event: Hashable, Sendable {
    /// A client connected; clients are numbered from 0.
    case connected(Int)
    /// A client sent this line.
    case received(Int, String)
    case closed(Int)
  }

  /// The events in order, for one reader.
  let events: AsyncStream<Event>
  let port: Int

  private let server: any Channel
  private let clients: Clients

  /// - Parameter answer: the lines for a client that has sent a line. They are sent at once, however busy the test is: a
  ///   source waits for some seconds only.
  init(
    host: String = "127.0.0.1", port: Int = 0,
    answer: @escaping @Sendable (String) -> [String] = { FakeGPSD.gpsdAnswer(to: $0) }
  ) async throws {
    let (events, inlet) = AsyncStream.makeStream(of: Event.self)
    let clients = Clients()
    self.events = events
    self.clients = clients
    server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let number = clients.add(channel)
          try channel.pipeline.syncOperations.addHandler(
            LineHandler(number: number, answer: answer) { inlet.yield($0) })
        }
      }
      .bind(host: host, port: port).get()
    self.port = server.localAddress?.port ?? 0
  }

  /// Says lines to a client.
  func send(_ lines: String..., to number: Int) {
    clients[number]?.writeAndFlush(ByteBuffer(string: lines.map { $0 + "\r\n" }.joined()), promise: nil)
  }

  /// The output of gpsd to a client that begins to watch, and to one that probes.
  static func gpsdAnswer(to line: String) -> [String] {
    if line.hasPrefix(#"?WATCH={"enable":true"#) {
      return [GPSDSessionHarness.greeting, GPSDSessionHarness.devices, GPSDSessionHarness.watching]
    }
    return line == probe ? [GPSDSessionHarness.greeting] : []
  }

  /// The request of a client that has heard nothing for some seconds. It is no event.
  private static let probe = "?VERSION;"

  func disconnect(_ number: Int) { clients[number]?.close(promise: nil) }

  /// Gone, as if it had been killed.
  func stop() async {
    try? await server.close()
    for channel in clients.all { try? await channel.close() }
  }

  /// A lock guards the state, since event loops and tests use it.
  private final class Clients: @unchecked Sendable {
    private let lock = NSLock()
    private var channels: [any Channel] = []

    func add(_ channel: any Channel) -> Int {
      lock.withLock {
        channels.append(channel)
        return channels.count - 1
      }
    }

    subscript(number: Int) -> (any Channel)? {
      lock.withLock { channels.indices.contains(number) ? channels[number] : nil }
    }

    var all: [any Channel] { lock.withLock { channels } }
  }

  private final class LineHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    let number: Int
    let answer: @Sendable (String) -> [String]
    let report: @Sendable (Event) -> Void
    private var rest = ""

    init(
      number: Int, answer: @escaping @Sendable (String) -> [String],
      notify: @escaping @Sendable (Event) -> Void
    ) {
      self.number = number
      self.answer = answer
      self.report = notify
    }

    func channelActive(context: ChannelHandlerContext) { report(.connected(number)) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      rest += String(buffer: unwrapInboundIn(data))
      while let end = rest.firstIndex(of: "\n") {
        let line = String(rest[..<end])
        rest.removeSubrange(...end)
        let lines = answer(line).map { $0 + "\r\n" }.joined()
        if !lines.isEmpty { context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: lines)), promise: nil) }
        if line != FakeGPSD.probe { report(.received(number, line)) }
      }
    }

    func channelInactive(context: ChannelHandlerContext) { report(.closed(number)) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}

/// A running source with a demand, whose signals a test reads.
final class RunningSource: Sendable {
  /// The signals, for one reader.
  let signals: AsyncStream<SourceSignal>
  private let demands: AsyncStream<Demand>.Continuation
  private let task: Task<Void, Never>

  /// - Parameter process: processes each signal before a test reads it; the source waits meanwhile.
  init(
    _ source: some LocationSource, process: @escaping @Sendable (SourceSignal) async -> Void = { _ in }
  ) {
    let (signals, inlet) = AsyncStream.makeStream(of: SourceSignal.self)
    let (demands, outlet) = AsyncStream.makeStream(of: Demand.self, bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    self.demands = outlet
    let link = SourceLink(
      demands: demands, authorizationRequests: AsyncStream { $0.finish() },
      background: ManagerSettings.Background()
    ) { signal, _ in
      if let signal {
        await process(signal)
        inlet.yield(signal)
      }
      return SourceLink.Status(demand: .off)
    }
    task = Task {
      await source.run(link)
      inlet.finish()
    }
  }

  func setDemand(_ demand: Demand) { demands.yield(demand) }

  /// Returns the problem of a source that delivers nothing, other than silence: on a busy machine the source may be
  /// silent before. `nil` if another signal comes first.
  func problemAfterSilence() async -> SourceProblem? {
    for await signal in signals {
      guard case .unavailable(let problem) = signal else { return nil }
      if problem.code != .silent { return problem }
    }
    return nil
  }

  /// Cancels it, and waits for its return.
  func cancel() async {
    task.cancel()
    await task.value
  }

  /// Ends the demands and waits for the source's return.
  func finish() async {
    demands.finish()
    await task.value
  }
}
