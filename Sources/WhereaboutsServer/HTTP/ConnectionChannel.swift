import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// The channel of one connection: HTTP/1.1, an end wherever the client expects one, an interim answer for a client that
/// waits for one, a limit of time for the rest of an answered request, the end of a wait with its client, no chunk in a
/// response to HEAD, and problem details for a request that can't be read.
///
/// Hummingbird knows only `Connection: close`, spelled exactly so. Trackers with HTTP/1.0 wait for the end of the
/// connection. Hummingbird ignores `Expect`.
struct ConnectionChannel: ServerChildChannel {
  let base: HTTP1Channel
  let limits: LiveLimits

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    base.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(KeepAliveHandler(), position: .after(decoder))
      try pipeline.addHandler(UnreadableRequestHandler(), position: .after(decoder))
      try pipeline.addHandler(ContinueHandler(limits), position: .after(decoder))
      try pipeline.addHandler(UnreadBodyHandler(limits), position: .after(decoder))
      try pipeline.addHandler(ClientEndHandler(), position: .after(decoder))
      // Next to the encoder: the other handlers count the ends of responses.
      try pipeline.addHandler(HeadResponseHandler(), position: .after(decoder))
      return value
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}

/// The mark `Connection: close` on every request after which the client expects the end of the connection.
private final class KeepAliveHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), !head.isKeepAlive else {
      return context.fireChannelRead(data)
    }
    head.headers.replaceOrAdd(name: "Connection", value: "close")
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}

/// The problem details in the response to a request that can't be read, which Hummingbird writes without a body. Every
/// other response with the status 400 has one.
private final class UnreadableRequestHandler: ChannelOutboundHandler {
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
      head.headers.first(name: "Content-Length") == "0"
    else { return context.write(data, promise: promise) }
    let body = Problem(.badRequest, "The request is not valid HTTP, or its head is too large.").body
    head.headers.replaceOrAdd(name: "Content-Length", value: "\(body.count)")
    head.headers.replaceOrAdd(name: "Content-Type", value: Problem.type)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: promise)
  }
}

/// The interim answer 100 for a client that sends its body only then. curl waits for a second.
///
/// A body that is too large gets none, because the client need not send it. A request behind an unanswered one gets
/// none either: the client would take it for an answer to the first one.
private final class ContinueHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let limits: LiveLimits
  /// The number of requests without a whole response.
  private var unanswered = 0

  init(_ limits: LiveLimits) { self.limits = limits }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) {
      if unanswered == 0, isAwaitingContinue(head) {
        let interim = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(interim)), promise: nil)
      }
      unanswered += 1
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { unanswered -= 1 }
    context.write(data, promise: promise)
  }

  private func isAwaitingContinue(_ head: HTTPRequestHead) -> Bool {
    guard head.version == .http1_1, head.headers.first(name: "Expect")?.lowercased() == "100-continue" else {
      return false
    }
    let length = head.headers.first(name: "Content-Length").flatMap { Int($0) }
    return length.map { $0 <= limits.current.bodySize } ?? true
  }
}

/// The end of a connection whose client does not send the rest of an answered request in time.
///
/// ``BodyReader`` limits the time of a body that is read. Many requests are answered without their body, such as
/// `GET /health` with one. A client without a token could otherwise hold its connection by such a body, byte by byte.
private final class UnreadBodyHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let limits: LiveLimits
  /// The number of requests without a whole response.
  private var unanswered = 0
  /// Whether a part of the newest request has not arrived.
  private var isReceiving = false
  private var deadline: Scheduled<Void>?

  init(_ limits: LiveLimits) { self.limits = limits }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      unanswered += 1
      isReceiving = true
    case .body: break
    case .end:
      isReceiving = false
      cancelDeadline()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      unanswered -= 1
      if unanswered == 0, isReceiving {
        let limit = TimeAmount(limits.current.bodyTimeout)
        deadline = context.eventLoop.scheduleTask(in: limit) { [channel = context.channel] in
          channel.close(promise: nil)
        }
      }
    }
    context.write(data, promise: promise)
  }

  func handlerRemoved(context: ChannelHandlerContext) { cancelDeadline() }

  private func cancelDeadline() {
    deadline?.cancel()
    deadline = nil
  }
}

/// The omission of the last chunk in responses to HEAD. NIO's encoder writes one after each response of unknown length,
/// and the client would take it for the next response.
///
/// A response to HEAD that states the end of the connection ends it: the body, which ends the connection of a stream, is
/// left out.
private final class HeadResponseHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// Whether each request without a whole response is one of HEAD, in their order.
  private var unanswered: [Bool] = []
  /// Whether the response that is written states the end of the connection.
  private var isLast = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) { unanswered.append(head.method == .HEAD) }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let part = unwrapOutboundIn(data)
    if case .head(let head) = part { isLast = !head.isKeepAlive }
    guard case .end = part, !unanswered.isEmpty, unanswered.removeFirst() else {
      return context.write(data, promise: promise)
    }
    promise?.succeed(())
    guard isLast else { return }
    context.flush()
    context.close(mode: .output, promise: nil)
  }
}
