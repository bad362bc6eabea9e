import ServiceLifecycle
import UnixSignals
import WhereaboutsStore

/// The wait for a signal that ends the server. The group ends in order once this service has ended.
struct StopSignalService: Service {
  let signals: UnixSignalsSequence

  func run() async throws {
    await cancelWhenGracefulShutdown {
      for await _ in signals { return }
    }
  }
}

/// The reloading of the configuration at each SIGHUP, once the server is ready.
struct HangupService: Service {
  let hangups: UnixSignalsSequence
  let reloader: ConfigurationReloader
  /// A stream that ends when the server is ready.
  let ready: AsyncStream<Void>

  func run() async throws {
    await cancelWhenGracefulShutdown {
      // The end of a reload would tell a supervisor that the server is ready.
      for await _ in ready {}
      // The reloader has logged the problems.
      for await _ in hangups { _ = try? await reloader.reload() }
    }
  }
}

/// The signs of life for a supervisor, as long as the store answers.
struct WatchdogService: Service {
  let notifier: ServiceNotifier
  let interval: Duration
  let core: ServerCore

  func run() async throws {
    await cancelWhenGracefulShutdown {
      repeat {
        if (try? core.store.lastRecordPosition()) != nil { notifier.send(.alive) }
      } while (try? await Task.sleep(for: interval / 2)) != nil
    }
  }
}
