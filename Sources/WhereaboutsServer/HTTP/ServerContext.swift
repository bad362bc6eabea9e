import Hummingbird
import NIOCore

/// The context of one request.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The client's address without its port; `nil` for a socket of this machine.
  let address: String?

  /// Whether the client is a program of the user who runs the server, on the server's Unix socket.
  let isOwner: Bool

  private let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
    address = source.channel.remoteAddress?.ipAddress
    // Other users' connections are closed at once: see OwnerChannel.
    isOwner = source.channel.localAddress?.pathname != nil
  }

  /// Closes the connection once the client can have read the response. Closing at once could destroy the response
  /// while the client still sends.
  func closeSoon() {
    channel.eventLoop.scheduleTask(in: .seconds(1)) { [channel] in channel.close(promise: nil) }
  }
}
