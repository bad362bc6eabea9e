import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsStore

/// Sends what of one device goes to one endpoint: in order, and one request at a time.
///
/// What it remembers is of no consequence for what is sent: the store has everything, and another lane made for the same
/// goes on where this one was.
struct Lane: Sendable {
  /// What came of a step.
  enum Step: Equatable {
    /// There may be more to do at once.
    case did
    /// There is nothing to do until then, or until something comes.
    case waits(until: Instant?)
    /// A request was refused for now: not before then.
    case failed(reason: String, until: Instant)
    /// Nothing is sent until somebody has looked after it.
    case stopped(reason: String)
    /// The endpoint is no more.
    case gone
  }

  let store: SQLiteStore
  let sender: HTTPSender
  let endpoint: Int64
  let device: UploadDevice
  var random: any RandomNumberGenerator & Sendable
  var makeKey: @Sendable () -> String = SQLiteStore.newKey
  let tell: @Sendable (UploadNews) -> Void

  /// What it has done so far.
  struct Tally: Equatable {
    var sent = 0
    var sentItems = 0
    var setAside = 0
  }

  private(set) var tally = Tally()

  /// When requests were made last.
  private var lastFormed: Instant?
  /// Until when a request waits, by the clock that nobody can set.
  private var notBefore: (batch: Int64, until: Instant)?
  /// What the server has taken and could not be noted.
  private var unnoted: UploadBatch?
  /// The server does not understand compressed bodies.
  private var sendsPlain = false
  /// When somebody asked last for everything to be sent.
  private var heard: UTCTime?
  /// What has come was not read to its end.
  private var isReading = false
  /// Everything is being sent at once, since somebody asked: until it is, or until the first failure.
  private var isFlushing = false

  /// So many answers in a row by which the URL or the device is wrong stop the endpoint.
  static let mostMisdirected = 3

  init(
    store: SQLiteStore, sender: HTTPSender, endpoint: EndpointRow, device: UploadDevice,
    random: any RandomNumberGenerator & Sendable, tell: @escaping @Sendable (UploadNews) -> Void
  ) {
    self.store = store
    self.sender = sender
    self.endpoint = endpoint.id
    self.device = device
    self.random = random
    self.tell = tell
    heard = endpoint.asked
  }

  private var clock: UploadClock { sender.clock }

  /// Does the next thing there is to do: makes requests, or sends one.
  ///
  /// - Parameter atOnce: without waiting for more fixes, and without patience after a failure.
  /// - Throws: ``Whereabouts/StoreTrouble``; `CancellationError` where the task is cancelled.
  mutating func step(atOnce: Bool = false) async throws -> Step {
    if let batch = unnoted {
      try store.uploadSent(batch, of: endpoint, at: clock.wall)
      unnoted = nil
      return .did
    }
    guard let work = try store.uploadWork(endpoint, device) else { return .gone }
    let row = work.row
    if let reason = row.stopped { return .stopped(reason: reason) }
    if let asked = row.asked, heard.map({ $0 < asked }) ?? true { (heard, isFlushing) = (asked, true) }
    if let batch = work.next {
      let ready = readiness(of: batch)
      guard atOnce || isFlushing || ready <= clock.now else { return .waits(until: ready) }
      return try await send(batch, to: row)
    }
    let step = try form(row, work, isUrgent: atOnce || isFlushing)
    if case .waits = step { isFlushing = false }
    return step
  }

  // MARK: Making requests

  private mutating func form(
    _ row: EndpointRow, _ work: SQLiteStore.UploadWork, isUrgent: Bool
  ) throws -> Step {
    let now = clock.now
    let isDue = isUrgent || isReading || formsFixes(unread: work.unread, row.endpoint)
    guard work.hasNews || (work.unread > 0 && isDue) else {
      return .waits(until: work.unread > 0 ? formingDue(row.endpoint) : nil)
    }
    let formed = try store.formUploads(row, device, at: clock.wall, makeKey: makeKey)
    lastFormed = now
    isReading = formed.hasMore
    guard formed.batches == 0, !formed.hasMore else { return .did }
    return .waits(until: now.advanced(by: row.endpoint.interval))
  }

  /// Whether requests are made of so many fixes now: there are enough for one, or they have waited for long enough.
  func formsFixes(unread: Int, _ endpoint: Endpoint) -> Bool {
    unread >= endpoint.batchSize || formingDue(endpoint) <= clock.now
  }

  private func formingDue(_ endpoint: Endpoint) -> Instant {
    lastFormed.map { $0.advanced(by: endpoint.interval) } ?? clock.now
  }

  /// From when on a request may be sent. The wall clock counts only where this lane hasn't been there when it failed, and
  /// for no longer than any wait can be: it may have been set since.
  private func readiness(of batch: UploadBatch) -> Instant {
    // Somebody asked for another try meanwhile, or it is the first.
    guard let nextTry = batch.nextTry else { return clock.now }
    if let notBefore, notBefore.batch == batch.id { return notBefore.until }
    let wait = min(max(.zero, nextTry.since(clock.wall)), Endpoint.Backoff.longestDelay)
    return clock.now.advanced(by: wait)
  }

  // MARK: Sending

  private mutating func send(_ batch: UploadBatch, to row: EndpointRow) async throws -> Step {
    let compresses = row.endpoint.compresses && !sendsPlain
    let reply = try await sender.send(batch, to: row.endpoint, compresses: compresses)
    let wall = clock.wall
    switch reply {
    case .taken:
      notBefore = nil
      tally.sent += 1
      tally.sentItems += batch.items
      say(.sent(items: batch.items), row)
      unnoted = batch
      try store.uploadSent(batch, of: row.id, at: wall)
      unnoted = nil
      return .did
    case .later(let patience, let reason):
      if let most = row.endpoint.maximumAttempts, batch.refusals + 1 >= most {
        return try setAside(batch, row, "\(reason), \(batch.refusals + 1) times")
      }
      return try fail(batch, row, .refused, reason, patience: patience)
    case .unconfirmed(let reason): return try fail(batch, row, .unconfirmed, reason)
    case .unreachable(let reason): return try fail(batch, row, .unreachable, reason)
    case .misdirected(let reason):
      guard row.misdirected + 1 >= Self.mostMisdirected else {
        return try fail(batch, row, .misdirected, reason)
      }
      return try stop(
        row,
        "\(reason), \(row.misdirected + 1) times in a row: its URL is wrong, or it does not know the device; everything is kept"
      )
    case .plainer:
      sendsPlain = true
      return .did
    case .tooLarge(let reason):
      if row.endpoint.template.holdsMany, batch.items > 1,
        try store.cutUpload(batch, of: row, device, at: wall, makeKey: makeKey)
      {
        return .did
      }
      return try setAside(batch, row, reason)
    case .never(let reason): return try setAside(batch, row, reason)
    case .stop(let reason): return try stop(row, reason)
    }
  }

  private mutating func fail(
    _ batch: UploadBatch, _ row: EndpointRow, _ failure: UploadFailure, _ reason: String,
    patience: Double? = nil
  ) throws -> Step {
    // Whoever asked for everything at once has asked for one try; after that patience counts again.
    isFlushing = false
    let delay = row.endpoint.backoff.delay(after: batch.attempts + 1, patience: patience, using: &random)
    let until = clock.now.advanced(by: delay)
    notBefore = (batch.id, until)
    say(.failed(reason: reason, again: delay), row)
    let wall = clock.wall
    try store.uploadFailed(
      batch, of: row, as: failure, nextTry: wall.advanced(by: delay), reason: reason, at: wall)
    return .failed(reason: reason, until: until)
  }

  private mutating func stop(_ row: EndpointRow, _ reason: String) throws -> Step {
    isFlushing = false
    say(.stopped(reason: reason), row)
    try store.stopUploads(to: row, reason: reason, at: clock.wall)
    return .stopped(reason: reason)
  }

  private mutating func setAside(_ batch: UploadBatch, _ row: EndpointRow, _ reason: String) throws -> Step {
    tally.setAside += 1
    say(.setAside(items: batch.items, reason: reason), row)
    try store.setUploadAside(batch, of: row, reason: reason, at: clock.wall)
    return .did
  }

  private func say(_ event: UploadNews.Event, _ row: EndpointRow) {
    tell(UploadNews(endpoint: row.endpoint.name, event: event))
  }
}
