import ServiceLifecycle

/// The limit of a server's time to end.
///
/// A client that reads nothing holds its connection open even when the connection's task is cancelled, because data
/// written before waits for the client. The server then ends without that task.
final class StopDeadline: Service {
  /// The time for requests to end; later they are cancelled.
  static let grace = Duration.seconds(3)
  /// The time after which the server does not wait for cancelled requests.
  static let limit = grace + .seconds(1)

  private let outcomes: AsyncStream<Result<Bool, any Error>>
  private let continuation: AsyncStream<Result<Bool, any Error>>.Continuation
  private let onStop: @Sendable () -> Void

  /// - Parameter onStop: called once when the server begins to end.
  init(onStop: @escaping @Sendable () -> Void) {
    (outcomes, continuation) = AsyncStream.makeStream()
    self.onStop = onStop
  }

  /// Waits for the beginning of the end. It is the last service of the group but the one for signals, so that it is the
  /// first to end.
  func run() async throws {
    try? await gracefulShutdown()
    onStop()
    Task { [continuation] in
      try? await Task.sleep(for: Self.limit)
      continuation.yield(.success(false))
    }
  }

  /// Runs a group that has this service.
  ///
  /// - Returns: whether all tasks have ended.
  func run(_ group: ServiceGroup) async throws -> Bool {
    let running = Task { [continuation] in
      do {
        try await group.run()
        continuation.yield(.success(true))
      } catch {
        continuation.yield(.failure(error))
        throw error
      }
    }
    return try await withTaskCancellationHandler {
      for await outcome in outcomes { return try outcome.get() }
      // This task is cancelled, and the services end as after a signal.
      try await running.value
      return true
    } onCancel: {
      Task { await group.triggerGracefulShutdown() }
    }
  }
}
