import Hummingbird
import NIOCore

/// The context of one request.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The client's address without its port; `nil` for a socket of this machine.
  let address: String?

  private let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
    address = source.channel.remoteAddress?.ipAddress
  }

  /// Closes the connection once the client can have read the response. Closing at once could destroy the response
  /// while the client still sends.
  func closeSoon() {
    channel.eventLoop.scheduleTask(in: .seconds(1)) { [channel] in channel.close(promise: nil) }
  }
}
