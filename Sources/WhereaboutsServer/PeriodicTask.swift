import ServiceLifecycle

/// A service that repeats some work until the server ends.
struct PeriodicTask: Service {
  /// The time between two runs.
  let interval: Duration
  let work: @Sendable () async -> Void

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while (try? await Task.sleep(for: interval)) != nil { await work() }
    }
  }
}
