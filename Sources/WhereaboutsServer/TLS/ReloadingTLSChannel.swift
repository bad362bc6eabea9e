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
      try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: contexts.current))
    }
    .flatMap { base.setup(channel: channel, logger: logger) }
  }

  func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
