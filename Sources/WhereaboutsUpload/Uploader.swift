import AsyncHTTPClient
import Whereabouts
import WhereaboutsCore
public import WhereaboutsStore

/// Sends what a store keeps to its endpoints, beside whoever writes the store.
///
/// An endpoint is a reader of the history: what there is to send is told by cursors of its own, so that writing costs
/// nothing more for it, and nothing is lost while no uploader runs. Requests of one device go to an endpoint in order, one
/// at a time; each has a name that stays the same however often it must be sent (the `Idempotency-Key` field), so that a
/// server can recognise what it has. Of any number of uploaders on one file, in any processes, one sends.
///
///     let uploader = Uploader(store: store)
///     let sending = Task { await uploader.run() }
///     …
///     sending.cancel()
///     await sending.value
///
/// - After a kill: what was under way is sent again under its name. Nothing else is repeated and nothing lost.
public struct Uploader: Sendable {
  /// How often is looked for something new to send. Crossings wait no longer than this.
  public static let pace = Duration.seconds(1)

  let store: SQLiteStore
  let clock: UploadClock
  let makeRandom: @Sendable () -> any RandomNumberGenerator & Sendable
  let tell: @Sendable (UploadNews) -> Void

  /// An uploader for a store that may be written.
  ///
  /// - Parameters:
  ///   - store: what is sent, and where it is noted how far.
  ///   - clock: what it takes for the time.
  ///   - tell: is told what happens, on any thread; for people, since nothing depends on it.
  public init(
    store: SQLiteStore, clock: UploadClock = .system,
    tell: @escaping @Sendable (UploadNews) -> Void = { _ in }
  ) {
    self.init(store: store, clock: clock, makeRandom: { SystemRandomNumberGenerator() }, tell: tell)
  }

  /// As ``init(store:clock:tell:)``, with waits that can be repeated.
  package init(
    store: SQLiteStore, clock: UploadClock,
    makeRandom: @escaping @Sendable () -> any RandomNumberGenerator & Sendable,
    tell: @escaping @Sendable (UploadNews) -> Void
  ) {
    self.store = store
    self.clock = clock
    self.makeRandom = makeRandom
    self.tell = tell
  }

  /// Sends until the task is cancelled.
  ///
  /// Trouble with a server or with the store never ends it: that is told, and it is tried again.
  ///
  /// - Cancellation: what is under way is given up at once and stays in the queue.
  public func run() async {
    try? await withSender { sender in
      var scheduler = UploadScheduler(uploader: self, sender: sender)
      await scheduler.run()
    }
  }

  /// Does something with connections that are closed when it is done.
  func withSender<Value>(_ body: (HTTPSender) async throws -> Value) async throws -> Value {
    try await HTTPClient.withHTTPClient(configuration: HTTPSender.configuration) {
      try await body(HTTPSender(client: $0, clock: clock))
    }
  }

  func lane(_ row: EndpointRow, _ device: UploadDevice, by sender: HTTPSender) -> Lane {
    Lane(store: store, sender: sender, endpoint: row, device: device, random: makeRandom(), tell: tell)
  }
}
