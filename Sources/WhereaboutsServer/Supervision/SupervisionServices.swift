import ServiceLifecycle
import UnixSignals
import WhereaboutsStore

/// The reloading of the configuration at each SIGHUP.
struct HangupService: Service {
  let reloader: ConfigurationReloader
  let listeners: ListenerStart

  func run() async throws {
    let signals = await UnixSignalsSequence(trapping: .sighup)
    await listeners.started(nil)
    await cancelWhenGracefulShutdown {
      // The reloader has logged the problems.
      for await _ in signals { _ = try? await reloader.reload() }
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
