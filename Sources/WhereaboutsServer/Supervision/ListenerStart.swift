import Foundation
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// The start of all listeners of a server, which is ready once each of them answers.
final class ListenerStart: Sendable {
  private struct State {
    var missing: Int
    var url = ""
  }

  private let state: Mutex<State>
  private let onReady: @Sendable (String) async -> Void

  /// - Parameters:
  ///   - count: the number of listeners.
  ///   - onReady: called once with the URL of the server's own listener.
  init(count: Int, onReady: @escaping @Sendable (String) async -> Void) {
    state = Mutex(State(missing: count))
    self.onReady = onReady
  }

  /// Notes that a listener answers.
  ///
  /// - Parameter url: its URL; `nil` for a listener beside the server's own.
  func started(_ url: String?) async {
    let ready: String? = state.withLock { state in
      if let url { state.url = url }
      state.missing -= 1
      return state.missing == 0 ? state.url : nil
    }
    if let ready { await onReady(ready) }
  }
}

/// A listener at a port, whose errors name the address.
struct PortListener: Service {
  let listener: any Service
  /// The host and the port, as in a URL.
  let address: String
  /// The flag and the key that set the address.
  let setting: String

  func run() async throws {
    do { try await listener.run() } catch { throw Self.described(error, address, setting) }
  }

  /// Throws if nothing can listen at a port: it is taken, or the machine does not have the address.
  ///
  /// - Parameters:
  ///   - host: the host as it is set.
  ///   - address: the host and the port, as in a URL.
  ///   - setting: the flag and the key that set the address.
  static func check(host: String, port: Int, address: String, setting: String) async throws {
    do {
      let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        // A client that connects meanwhile is refused, as before the start.
        .serverChannelOption(.autoRead, value: false)
        .bind(host: host, port: port).get()
      try await channel.close()
    } catch {
      throw described(error, address, setting)
    }
  }

  static func described(_ error: any Error, _ address: String, _ setting: String) -> any Error {
    switch error {
    case let error as IOError:
      return ServerError(
        "could not listen at \(address): \(reason(error.errnoCode, setting))",
        isInUse: error.errnoCode == EADDRINUSE, isTemporary: error.errnoCode != EACCES)
    case is SocketAddressError, is SocketAddressError.UnknownHost:
      return ServerError(
        "could not listen at \(address): no such address. Choose another with \(setting)", isTemporary: true)
    default: return error
    }
  }

  private static func reason(_ code: CInt, _ setting: String) -> String {
    let text = String(cString: strerror(code)).lowercased()
    return switch code {
    case EADDRINUSE: "\(text). End the program that listens there, or choose another with \(setting)"
    case EACCES:
      """
      \(text). Choose a port from 1024 with \(setting), also behind a proxy (docs/proxy.md), or give this program \
      the capability CAP_NET_BIND_SERVICE for a port below 1024, as the unit of --systemd does
      """
    default: "\(text). Check the network, or choose another with \(setting)"
    }
  }
}

/// Listeners that end at the same time. A group of services would end them one after the other.
struct ListenerGroup: Service {
  let listeners: [any Service]

  func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for listener in listeners { group.addTask { try await listener.run() } }
      // The first error cancels the others.
      while try await group.next() != nil {}
    }
  }
}
