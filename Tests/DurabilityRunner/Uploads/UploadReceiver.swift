import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A server on the loopback that accepts uploads, fails at times, and logs the accepted requests.
final class UploadReceiver: Sendable {
  /// A received request.
  struct Request: Sendable {
    var key: String
    var body: String
    /// The ids of the items in the body, in order.
    var ids: [String]
  }

  /// The fate of a request.
  enum Fate: Sendable {
    case accept, acceptThenDisconnect, refuse, disconnect
  }

  private let channel: any Channel
  private let log: RequestLog

  /// - Parameter fate: called for each received request.
  static func start(_ fate: @escaping @Sendable () -> Fate) async throws -> UploadReceiver {
    let log = RequestLog()
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(ReceivingHandler(log: log, fate: fate))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return UploadReceiver(channel: channel, log: log)
  }

  private init(channel: any Channel, log: RequestLog) {
    self.channel = channel
    self.log = log
  }

  var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/log" }

  /// The accepted requests, in order, with repetitions.
  var accepted: [Request] { log.all }

  func stop() async throws { try await channel.close() }
}

/// Requests, from any thread.
final class RequestLog: @unchecked Sendable {
  // Guarded by `lock`.
  private var requests: [UploadReceiver.Request] = []
  private let lock = NSLock()

  var all: [UploadReceiver.Request] { lock.withLock { requests } }

  func append(_ request: UploadReceiver.Request) { lock.withLock { requests.append(request) } }
}

private final class ReceivingHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let log: RequestLog
  private let fate: @Sendable () -> UploadReceiver.Fate
  private var key = ""
  private var body = ""

  init(log: RequestLog, fate: @escaping @Sendable () -> UploadReceiver.Fate) {
    self.log = log
    self.fate = fate
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): (key, body) = (head.headers.first(name: "Idempotency-Key") ?? "", "")
    case .body(let part): body += String(buffer: part)
    case .end: answer(context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func answer(_ context: ChannelHandlerContext) {
    let fate = self.fate()
    switch fate {
    case .accept, .acceptThenDisconnect:
      let ids = body.components(separatedBy: "{\"id\":\"").dropFirst().map {
        String($0.prefix { $0 != "\"" })
      }
      log.append(UploadReceiver.Request(key: key, body: body, ids: ids))
    case .refuse, .disconnect: break
    }
    switch fate {
    case .accept, .refuse:
      let head = HTTPResponseHead(
        version: .http1_1, status: fate == .accept ? .ok : .serviceUnavailable,
        headers: ["Content-Length": "0"])
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    case .acceptThenDisconnect, .disconnect: context.close(promise: nil)
    }
  }
}
