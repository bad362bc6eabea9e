import HTTPTypes
import NIOCore
import NIOHTTP1
import Synchronization

/// The observer of the end of the client's side of a connection, for a request that waits.
///
/// A connection answers one request after the other, so that at most one waits.
final class ClientEndHandler: ChannelInboundHandler, Sendable {
  typealias InboundIn = HTTPServerRequestPart

  private struct State {
    var hasEnded = false
    /// Ends the wait.
    var onEnd: (@Sendable () -> Void)?
  }

  /// The time for an answer that needs no wait, after the end.
  private static let grace = Duration.seconds(5)

  private let state = Mutex(State())

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed { end() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  private func end() {
    let onEnd = state.withLock { state in
      state.hasEnded = true
      return state.onEnd
    }
    onEnd?()
  }

  /// Sets what happens when the client ends its side; at once if it has. `nil` for nothing.
  func observe(_ onEnd: (@Sendable () -> Void)?) {
    let hasEnded = state.withLock { state in
      state.onEnd = onEnd
      return state.hasEnded
    }
    if hasEnded { onEnd?() }
  }

  /// Runs a body, and cancels it a few seconds after the client has ended its side.
  ///
  /// A client may end its side with its request, as `nc -N` does, and still gets an answer that needs no wait.
  ///
  /// - Throws: the errors of the body; ``clientEnded`` if the end has cancelled it.
  func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task { try await body() }
    let cancelSoon: @Sendable () -> Void = {
      _ = Task {
        try? await Task.sleep(for: Self.grace)
        task.cancel()
      }
    }
    observe(cancelSoon)
    defer { observe(nil) }
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch {
      // The end of the server cancels both tasks.
      if task.isCancelled, !Task.isCancelled { throw Self.clientEnded }
      throw error
    }
  }

  /// The answer to a client that has ended its side. It may still read.
  static var clientEnded: Problem {
    Problem(
      .badRequest,
      "The client ended its side of the connection during the wait. Keep it open until the answer.")
  }
}
