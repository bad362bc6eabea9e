import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A receiver of webhooks on a free port.
final class WebhookReceiver: Sendable {
  /// A request, read to its end.
  struct Request: Sendable {
    var headers: HTTPHeaders
    var body: [UInt8]

    var id: String { headers.first(name: "webhook-id") ?? "" }
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  private let channel: any Channel
  /// The requests, in the order of their arrival.
  let requests: AsyncStream<Request>

  /// Starts a receiver.
  ///
  /// - Parameters:
  ///   - fields: the header fields of each answer.
  ///   - endsAnswers: whether an answer is sent to its end.
  ///   - answer: returns the status of the answer to the request of a number, from 1; `nil` to never answer.
  init(
    fields: HTTPHeaders = [:], endsAnswers: Bool = true,
    _ answer: @escaping @Sendable (Int) -> HTTPResponseStatus? = { _ in .ok }
  ) async throws {
    let (requests, arrived) = AsyncStream.makeStream(of: Request.self)
    self.requests = requests
    let counter = Counter()
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(
            Handler(fields, endsAnswers: endsAnswers) { request in
              arrived.yield(request)
              return answer(counter.next())
            })
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/hook" }

  func stop() async { try? await channel.close() }

  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let fields: HTTPHeaders
    private let endsAnswers: Bool
    private let process: (Request) -> HTTPResponseStatus?
    private var request = Request(headers: [:], body: [])

    init(
      _ fields: HTTPHeaders, endsAnswers: Bool, _ process: @escaping (Request) -> HTTPResponseStatus?
    ) {
      self.fields = fields
      self.endsAnswers = endsAnswers
      self.process = process
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head): request = Request(headers: head.headers, body: [])
      case .body(let part): request.body += part.readableBytesView
      case .end:
        guard let status = process(request) else { return }
        var headers = fields
        headers.add(name: "Content-Length", value: endsAnswers ? "0" : "10")
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        guard endsAnswers else {
          return context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      }
    }
  }
}
