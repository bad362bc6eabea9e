import Foundation
import HummingbirdCore
import Logging
import NIOCore

/// A connection over a Unix socket, which only the user who runs the server and root may open.
struct OwnerChannel<Base: ServerChildChannel>: ServerChildChannel {
  /// The connection of another user.
  struct OtherUserError: Error {}

  /// Linux's `struct ucred`, which the C module leaves out.
  private struct PeerCredentials {
    var process: pid_t
    var user: uid_t
    var group: gid_t
  }

  let base: Base

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    // The mode of the socket's file is set after its creation only, so each client's user is checked.
    guard let options = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeFailedFuture(OtherUserError())
    }
    let peer: EventLoopFuture<PeerCredentials> = options.unsafeGetSocketOption(
      level: NIOBSDSocket.OptionLevel(rawValue: SOL_SOCKET),
      name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    return peer.flatMapThrowing { peer in
      guard peer.user == geteuid() || peer.user == 0 else { throw OtherUserError() }
    }
    .flatMap { base.setup(channel: channel, logger: logger) }
  }

  func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
