import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A connection with TLS whose context is the one at the time of its opening. Hummingbird's own channel keeps the first
/// context for ever.
struct ReloadingTLSChannel<Base: ServerChildChannel>: ServerChildChannel {
  let base: Base
  let contexts: TLSContexts

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(PlainHTTPHandler(contexts, logger))
      try pipeline.addHandler(NIOSSLServerHandler(context: contexts.current))
    }
    .flatMap { base.setup(channel: channel, logger: logger) }
  }

  func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// Returns whether the first bytes of a connection are those of HTTP without TLS: a method and a path. SSH and the PROXY
/// protocol begin with capital letters, too, and TLS with a control character.
func isPlainHTTP(_ bytes: some Collection<UInt8>) -> Bool {
  let method = bytes.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  return !method.isEmpty && bytes.dropFirst(method.count).starts(with: " /".utf8)
}

/// A log entry for HTTP without TLS. The client sees only that the connection ends.
private final class PlainHTTPHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let contexts: TLSContexts
  private let logger: Logger
  private var isFirstRead = true

  init(_ contexts: TLSContexts, _ logger: Logger) {
    self.contexts = contexts
    self.logger = logger
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isFirstRead {
      isFirstRead = false
      if isPlainHTTP(unwrapInboundIn(data).readableBytesView), contexts.claimPlainHTTPReport() {
        logger.warning("a client used http:// at a port with TLS; its URL must begin with https://")
      }
    }
    context.fireChannelRead(data)
  }
}
