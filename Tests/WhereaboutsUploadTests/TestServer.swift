import NIOCore
import NIOPosix

/// A server of HTTP in raw bytes, so that it can do everything wrong that a server can.
final class TestServer: Sendable {
  /// The server's handling of a request.
  enum Behaviour: Sendable {
    /// Takes it, and answers.
    case answer(Int, [(String, String)] = [], body: String = "")
    /// Takes it, and cuts the connection before the answer.
    case acceptThenDisconnect
    /// Takes it, and cuts the connection in the middle of the answer's head.
    case acceptThenTruncateReply
    /// Takes it, and answers with what is no HTTP.
    case acceptThenSendGarbage
    /// Takes it, and never answers.
    case acceptThenHang
    /// Cuts the connection before it has read the body.
    case disconnect
    /// Answers with success and a body without end.
    case endlessReply

    /// Whether the request has had its effect.
    var accepts: Bool {
      switch self {
      case .answer(let status, _, _): (200..<300).contains(status)
      case .acceptThenDisconnect, .acceptThenTruncateReply, .acceptThenSendGarbage, .acceptThenHang,
        .endlessReply:
        true
      case .disconnect: false
      }
    }
  }

  /// A request as it came.
  struct Request: Sendable {
    var line = ""
    var fields: [String: String] = [:]
    var body: [UInt8] = []
    var behaviour: Behaviour = .disconnect

    var key: String { fields["idempotency-key"] ?? "" }
    var text: String { String(decoding: body, as: UTF8.self) }
    var target: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
  }

  private let channel: any Channel
  private let log: Locked<[Request]>
  /// Every request that came whole, when it has.
  let arrivals: AsyncStream<Request>
  private let arrivalContinuation: AsyncStream<Request>.Continuation

  private init(
    channel: any Channel, log: Locked<[Request]>,
    _ stream: (stream: AsyncStream<Request>, continuation: AsyncStream<Request>.Continuation)
  ) {
    self.channel = channel
    self.log = log
    (arrivals, arrivalContinuation) = stream
  }

  /// Everything that came whole, in the order in which it did; what was cut off is not in it.
  var requests: [Request] { log.current }

  /// The requests that took effect, in order, with repetitions.
  var accepted: [Request] { requests.filter(\.behaviour.accepts) }

  var port: Int { channel.localAddress?.port ?? 0 }
  var url: String { "http://127.0.0.1:\(port)/pub" }

  /// - Parameter behave: what to do with a request of which the head has come.
  static func start(
    port: Int = 0, _ behave: @escaping @Sendable (Request) -> Behaviour
  ) async throws -> TestServer {
    let log = Locked<[Request]>([])
    let stream = AsyncStream<Request>.makeStream()
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            RequestHandler(behave: behave) { request in
              log.withLock { $0.append(request) }
              stream.continuation.yield(request)
            })
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
    return TestServer(channel: channel, log: log, stream)
  }

  func stop() async throws {
    try await channel.close()
    arrivalContinuation.finish()
  }
}

/// One connection.
private final class RequestHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let behave: @Sendable (TestServer.Request) -> TestServer.Behaviour
  private let recordRequest: @Sendable (TestServer.Request) -> Void
  private var bytes: [UInt8] = []
  private var request: TestServer.Request?

  init(
    behave: @escaping @Sendable (TestServer.Request) -> TestServer.Behaviour,
    took: @escaping @Sendable (TestServer.Request) -> Void
  ) {
    self.behave = behave
    self.recordRequest = took
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    bytes += Array(unwrapInboundIn(data).readableBytesView)
    while advance(context) {}
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func advance(_ context: ChannelHandlerContext) -> Bool {
    if request == nil {
      guard let end = headEnd else { return false }
      var head = TestServer.Request()
      let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
      head.line = lines.first.map(String.init) ?? ""
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        head.fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
      }
      bytes.removeFirst(end + 4)
      head.behaviour = behave(head)
      if case .disconnect = head.behaviour {
        context.close(promise: nil)
        return false
      }
      request = head
    }
    guard var whole = request, let length = Int(whole.fields["content-length"] ?? "0"), bytes.count >= length
    else {
      return false
    }
    whole.body = Array(bytes[..<length])
    bytes.removeFirst(length)
    request = nil
    recordRequest(whole)
    answer(whole.behaviour, context)
    return !bytes.isEmpty
  }

  private var headEnd: Int? {
    guard bytes.count >= 4 else { return nil }
    return (0...(bytes.count - 4)).first { bytes[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }
  }

  private func answer(_ behaviour: TestServer.Behaviour, _ context: ChannelHandlerContext) {
    switch behaviour {
    case .answer(let status, let fields, let body):
      var head = "HTTP/1.1 \(status) Whatever\r\nContent-Length: \(body.utf8.count)\r\n"
      for (name, value) in fields { head += "\(name): \(value)\r\n" }
      write("\(head)\r\n\(body)", context)
    case .acceptThenDisconnect, .disconnect: context.close(promise: nil)
    case .acceptThenTruncateReply:
      write("HTTP/1.1 200 OK\r\nContent-Le", context)
      context.close(promise: nil)
    case .acceptThenSendGarbage:
      write("\u{0}\u{1}not http at all {]\r\n\r\n", context)
      context.close(promise: nil)
    case .acceptThenHang: break
    case .endlessReply:
      write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", context)
      sendEndlessChunks(context)
    }
  }

  /// As fast as the other side reads, and no faster.
  private func sendEndlessChunks(_ context: ChannelHandlerContext) {
    let text = "1000\r\n\(String(repeating: "x", count: 4096))\r\n"
    let written = context.eventLoop.makePromise(of: Void.self)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    written.futureResult.whenSuccess { bound.value.0.sendEndlessChunks(bound.value.1) }
    context.writeAndFlush(
      wrapOutboundOut(context.channel.allocator.buffer(string: text)), promise: written)
  }

  private func write(_ text: String, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: text)), promise: nil)
  }
}
