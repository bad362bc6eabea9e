import Hummingbird
import NIOCore

/// The context of one request.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The client's address without its port; `nil` for a socket of this machine.
  let address: String?

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    address = source.channel.remoteAddress?.ipAddress
  }
}
