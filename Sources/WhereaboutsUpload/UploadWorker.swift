import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsStore
import WhereaboutsUploadQueue

/// A worker that sends the data of one device to one endpoint, in order and one request at a time.
///
/// The store holds all lasting state. A new worker for the same device and endpoint resumes at the same point.
struct UploadWorker: Sendable {
  /// The result of a step.
  enum Step: Equatable {
    /// The worker progressed and may have more to do at once.
    case progressed
    /// Nothing to do until an instant or until new data arrives.
    case waiting(until: Instant?)
    /// The server refused a request; the next attempt is not before an instant.
    case failed(reason: String, until: Instant)
    /// Uploads are stopped until a person resumes them.
    case stopped(reason: String)
    /// The endpoint was removed.
    case removed
  }

  let store: SQLiteStore
  let sender: HTTPSender
  let endpoint: Int64
  let device: UploadDevice
  var random: any RandomNumberGenerator & Sendable
  var makeKey: @Sendable () -> String = SQLiteStore.newKey
  let report: @Sendable (UploadEvent) -> Void

  /// The numbers of finished operations.
  struct Counts: Equatable {
    var sent = 0
    var sentItems = 0
    var deadLetters = 0
  }

  private(set) var counts = Counts()

  /// The time of the last building of requests.
  private var lastBuiltAt: Instant?
  /// The earliest time of a request's next attempt, by the monotonic clock.
  private var notBefore: (batch: Int64, until: Instant)?
  /// The request that the server accepted and the store has not recorded yet.
  private var unrecorded: UploadBatch?
  /// Whether bodies are sent uncompressed, because the server rejects compression.
  private var sendsPlain = false
  /// The time of the last known flush request.
  private var lastFlushRequest: UTCTime?
  /// Whether new data is left to read.
  private var hasMoreToRead = false
  /// Whether everything is being sent at once, until the end or the first failure.
  private var isFlushing = false

  /// The number of misdirected answers in a row that stops the endpoint.
  static let maximumMisdirected = 3

  init(
    store: SQLiteStore, sender: HTTPSender, endpoint: EndpointRow, device: UploadDevice,
    random: any RandomNumberGenerator & Sendable, report: @escaping @Sendable (UploadEvent) -> Void
  ) {
    self.store = store
    self.sender = sender
    self.endpoint = endpoint.id
    self.device = device
    self.random = random
    self.report = report
    lastFlushRequest = endpoint.flushRequestedAt
  }

  private var clock: UploadClock { sender.clock }

  /// Performs the next step: builds requests or sends one.
  ///
  /// - Parameter atOnce: whether to skip the wait for more fixes and the delay after a failure.
  /// - Throws: ``Whereabouts/StoreError``; `CancellationError` if the task is cancelled.
  mutating func step(atOnce: Bool = false) async throws -> Step {
    if let batch = unrecorded {
      try store.recordUploadSent(batch, of: endpoint, at: clock.wall)
      unrecorded = nil
      return .progressed
    }
    guard let work = try store.uploadWork(endpoint, device) else { return .removed }
    let row = work.row
    if let reason = row.stopReason { return .stopped(reason: reason) }
    if let asked = row.flushRequestedAt, lastFlushRequest.map({ $0 < asked }) ?? true {
      (lastFlushRequest, isFlushing) = (asked, true)
    }
    if let batch = work.next {
      let ready = readiness(of: batch)
      guard atOnce || isFlushing || ready <= clock.now else { return .waiting(until: ready) }
      return try await send(batch, to: row)
    }
    let step = try buildRequests(row, work, isUrgent: atOnce || isFlushing)
    if case .waiting = step { isFlushing = false }
    return step
  }

  // MARK: Building requests

  private mutating func buildRequests(
    _ row: EndpointRow, _ work: SQLiteStore.UploadWork, isUrgent: Bool
  ) throws -> Step {
    let now = clock.now
    let isDue = isUrgent || hasMoreToRead || isBuildDue(unread: work.unreadFixes, row.endpoint)
    guard work.hasNewEvents || (work.unreadFixes > 0 && isDue) else {
      return .waiting(until: work.unreadFixes > 0 ? nextBuild(row.endpoint) : nil)
    }
    let formed = try store.buildUploads(row, device, at: clock.wall, makeKey: makeKey)
    lastBuiltAt = now
    hasMoreToRead = formed.hasMore
    guard formed.batches == 0, !formed.hasMore else { return .progressed }
    return .waiting(until: now.advanced(by: row.endpoint.interval))
  }

  /// Returns whether requests are due: the fixes fill a request, or have waited for the interval.
  func isBuildDue(unread: Int, _ endpoint: Endpoint) -> Bool {
    unread >= endpoint.batchSize || nextBuild(endpoint) <= clock.now
  }

  private func nextBuild(_ endpoint: Endpoint) -> Instant {
    lastBuiltAt.map { $0.advanced(by: endpoint.interval) } ?? clock.now
  }

  /// Returns the earliest time to send a request. The wall clock counts only after failures before this worker's
  /// start, and at most for the longest delay, because the clock may have been set.
  private func readiness(of batch: UploadBatch) -> Instant {
    // The first attempt, or a person asked for another attempt.
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
    case .accepted:
      notBefore = nil
      counts.sent += 1
      counts.sentItems += batch.items
      emit(.sent(items: batch.items), row)
      unrecorded = batch
      try store.recordUploadSent(batch, of: row.id, at: wall)
      unrecorded = nil
      return .progressed
    case .retryLater(let patience, let reason):
      if let most = row.endpoint.maximumAttempts, batch.refusals + 1 >= most {
        return try moveToDeadLetters(batch, row, "\(reason), \(batch.refusals + 1) times")
      }
      return try recordFailure(batch, row, .refused, reason, retryAfter: patience)
    case .unconfirmed(let reason): return try recordFailure(batch, row, .unconfirmed, reason)
    case .unreachable(let reason): return try recordFailure(batch, row, .unreachable, reason)
    case .notFound(let reason):
      // The requests of several devices may get their first such answers at the same time.
      guard min(row.misdirectedCount, batch.attempts) + 1 >= Self.maximumMisdirected else {
        return try recordFailure(batch, row, .misdirected, reason)
      }
      return try stop(
        row,
        "\(reason), \(row.misdirectedCount + 1) times in a row: its URL is wrong, or it does not know the device; everything is kept"
      )
    case .compressionRejected:
      sendsPlain = true
      return .progressed
    case .tooLarge(let reason):
      if row.endpoint.template.allowsBatches, batch.items > 1,
        try store.splitUpload(batch, of: row, device, at: wall, makeKey: makeKey)
      {
        return .progressed
      }
      return try moveToDeadLetters(batch, row, reason)
    case .permanentlyRejected(let reason): return try moveToDeadLetters(batch, row, reason)
    case .actionRequired(let reason): return try stop(row, reason)
    }
  }

  private mutating func recordFailure(
    _ batch: UploadBatch, _ row: EndpointRow, _ failure: UploadFailure, _ reason: String,
    retryAfter: Double? = nil
  ) throws -> Step {
    // A flush covers one attempt; later failures have their delays again.
    isFlushing = false
    let delay = row.endpoint.backoff.delay(after: batch.attempts + 1, retryAfter: retryAfter, using: &random)
    let until = clock.now.advanced(by: delay)
    notBefore = (batch.id, until)
    emit(.failed(reason: reason, retryAfter: delay), row)
    let wall = clock.wall
    try store.recordUploadFailure(
      batch, of: row, as: failure, nextTry: wall.advanced(by: delay), reason: reason, at: wall)
    return .failed(reason: reason, until: until)
  }

  private mutating func stop(_ row: EndpointRow, _ reason: String) throws -> Step {
    isFlushing = false
    // A person may have repaired the endpoint while the answer was on its way: the request is then sent again.
    guard try store.stopUploads(to: row, reason: reason, at: clock.wall) else { return .progressed }
    emit(.stopped(reason: reason), row)
    return .stopped(reason: reason)
  }

  private mutating func moveToDeadLetters(_ batch: UploadBatch, _ row: EndpointRow, _ reason: String) throws
    -> Step
  {
    // As with a stop.
    guard try store.moveUploadToDeadLetters(batch, of: row, reason: reason, at: clock.wall) else {
      return .progressed
    }
    counts.deadLetters += 1
    emit(.deadLettered(items: batch.items, reason: reason), row)
    return .progressed
  }

  private func emit(_ event: UploadEvent.Kind, _ row: EndpointRow) {
    report(UploadEvent(endpoint: row.endpoint.name, kind: event))
  }
}
