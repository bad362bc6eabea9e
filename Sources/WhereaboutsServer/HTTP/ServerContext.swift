import Hummingbird
import NIOCore
import ServiceLifecycle

/// The context of one request.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The peer's address without its port, which may be that of a proxy; `nil` for a socket of this machine.
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

  /// Runs a body that waits, and cancels it soon after the client has ended its side of the connection, and when the
  /// server begins to end.
  ///
  /// - Throws: the errors of the body; ``Problem`` 400 after an end of the client, `CancellationError` after one of the
  ///   server.
  func runWhileClientWaits<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await clientEndHandler().run {
      try await cancelWhenGracefulShutdown {
        // A wait that is cancelled could otherwise end as one whose time is over.
        do { return try await body() } catch  where Task.isCancelled { throw CancellationError() }
      }
    }
  }

  /// Returns the observer of the client's end.
  ///
  /// - Throws: ``Problem`` 400 after such an end.
  func clientEndHandler() async throws -> ClientEndHandler {
    do { return try await channel.pipeline.handler(type: ClientEndHandler.self).get() } catch {
      // A closed connection has no handlers.
      throw ClientEndHandler.clientEnded
    }
  }

  /// Ends the server's side of the connection after everything that was written.
  func endOutput() async { try? await channel.close(mode: .output).get() }

  /// Closes the connection once the client can have read the response. Closing at once could destroy the response
  /// while the client still sends.
  func closeSoon() {
    channel.eventLoop.scheduleTask(in: .seconds(1)) { [channel] in channel.close(promise: nil) }
  }
}
