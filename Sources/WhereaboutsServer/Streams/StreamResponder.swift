import Hummingbird

/// Answers requests for event streams in tasks of their own, and all others as before.
///
/// A task keeps the memory of its deepest call until its end, and a stream lasts as long as its connection's task. The
/// calls through the middleware, the check of the token and the store would take 20 KB of each idle stream.
struct StreamResponder<Base: HTTPResponder>: HTTPResponder where Base.Context == ServerContext {
  let base: Base

  @Sendable func respond(to request: Request, context: ServerContext) async throws -> Response {
    guard request.uri.path == "/api/v1/stream" else {
      return try await base.respond(to: request, context: context)
    }
    let task = Task { try await base.respond(to: request, context: context) }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
