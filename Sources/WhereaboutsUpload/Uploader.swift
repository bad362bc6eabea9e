import AsyncHTTPClient
import Whereabouts
import WhereaboutsModel
public import WhereaboutsStore
import WhereaboutsUploadQueue

/// An uploader of a store's data to its endpoints, independent of the store's writer.
///
/// Each endpoint reads the history with cursors of its own. Writing therefore costs nothing extra, and nothing is
/// lost while no uploader runs. An endpoint receives a device's requests in order, one at a time. Each request keeps
/// its key in every attempt (the `Idempotency-Key` field), so that a server can recognise repeated requests. Of
/// several uploaders on one file, in any processes, only one sends.
///
///     let uploader = Uploader(store: store)
///     let sending = Task { await uploader.run() }
///     …
///     sending.cancel()
///     await sending.value
///
/// - After a kill: the request in progress is sent again with the same key. Nothing else is repeated, and nothing is
///   lost.
public struct Uploader: Sendable {
  /// The interval of checks for new data, and the longest wait of a crossing.
  public static let checkInterval = Duration.seconds(1)

  let store: SQLiteStore
  let clock: UploadClock
  let makeRandom: @Sendable () -> any RandomNumberGenerator & Sendable
  let report: @Sendable (UploadEvent) -> Void

  /// Creates an uploader for a writable store.
  ///
  /// - Parameters:
  ///   - store: the store with the data and the cursors.
  ///   - clock: the clock of delays and timeouts.
  ///   - report: receives events, on any thread; for logs only.
  public init(
    store: SQLiteStore, clock: UploadClock = .system,
    report: @escaping @Sendable (UploadEvent) -> Void = { _ in }
  ) {
    self.init(store: store, clock: clock, makeRandom: { SystemRandomNumberGenerator() }, report: report)
  }

  /// Creates an uploader as ``init(store:clock:report:)`` does, with repeatable delays.
  package init(
    store: SQLiteStore, clock: UploadClock,
    makeRandom: @escaping @Sendable () -> any RandomNumberGenerator & Sendable,
    report: @escaping @Sendable (UploadEvent) -> Void
  ) {
    self.store = store
    self.clock = clock
    self.makeRandom = makeRandom
    self.report = report
  }

  /// Sends until the task is cancelled.
  ///
  /// Failures of a server or of the store are reported and retried; they never end the method.
  ///
  /// - Cancellation: the request in progress is abandoned at once and stays in the queue.
  public func run() async {
    try? await withSender { sender in
      var scheduler = UploadScheduler(uploader: self, sender: sender)
      await scheduler.run()
    }
  }

  /// Runs a closure with an HTTP sender, and closes the connections afterwards.
  ///
  /// A connection that is being made can't be cancelled, and ends by its own timeout. The method does not wait for it.
  func withSender<Value>(_ body: (HTTPSender) async throws -> Value) async throws -> Value {
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: HTTPSender.configuration)
    defer { Task { try? await client.shutdown() } }
    return try await body(HTTPSender(client: client, clock: clock))
  }

  func worker(_ row: EndpointRow, _ device: UploadDevice, by sender: HTTPSender) -> UploadWorker {
    UploadWorker(
      store: store, sender: sender, endpoint: row, device: device, random: makeRandom(), report: report)
  }
}
