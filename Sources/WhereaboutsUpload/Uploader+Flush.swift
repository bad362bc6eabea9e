public import Whereabouts
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsUploadQueue

extension Uploader {
  /// The progress and result of a flush.
  public struct Flush: Hashable, Sendable {
    /// The number of requests that the server accepted.
    public var sent = 0
    /// The number of fixes and crossings in the accepted requests.
    public var sentItems = 0
    /// The number of requests that were set aside.
    public var deadLetters = 0
    /// The number of requests still to be sent.
    public var remaining = 0
    /// The reason of the last failure, by which requests are left; `nil` if nothing is left.
    public var reason: String?
  }

  /// Sends all data of an endpoint now, without delays. The first failure of a device ends its uploads, and unsent
  /// requests stay in the queue.
  ///
  /// If another process sends, the method asks that process to flush and follows its progress, until all data from
  /// before the call is sent. If that process ends meanwhile, the method sends the rest.
  ///
  /// - Parameters:
  ///   - name: the name of the endpoint.
  ///   - timeout: the longest wait for another process.
  ///   - progress: receives the progress after each request.
  /// - Returns: the result.
  /// - Throws: ``Whereabouts/StoreError``: `missing` if the endpoint is unknown.
  /// - Cancellation: ends the flush; the result holds the requests sent so far and the reason.
  public func flush(
    _ name: String, timeout: Duration = .seconds(60),
    progress: @escaping @Sendable (Flush) -> Void = { _ in }
  ) async throws(StoreError) -> Flush {
    let flushes = try await flush([name], timeout: timeout) { progress($1) }
    return flushes.first ?? Flush()
  }

  /// Sends all data of several endpoints now, each as ``flush(_:timeout:progress:)`` does, at the same time. A server
  /// that does not answer delays only its own requests.
  ///
  /// - Parameters:
  ///   - names: the names of the endpoints.
  ///   - timeout: the longest wait for another process.
  ///   - progress: receives the name of an endpoint and its progress after each request, on any thread.
  /// - Returns: the results, in the order of the names.
  package func flush(
    _ names: [String], timeout: Duration = .seconds(60),
    progress: @escaping @Sendable (String, Flush) -> Void = { _, _ in }
  ) async throws(StoreError) -> [Flush] {
    let lock = SharedLock(store: store.path)
    let results = await withTaskGroup(of: (Int, Result<Flush, StoreError>).self) { group in
      var results: [Int: Result<Flush, StoreError>] = [:]
      for (index, name) in names.enumerated() {
        if index >= Self.maximumConcurrency, let (done, result) = await group.next() {
          results[done] = result
        }
        group.addTask {
          do throws(StoreError) {
            let result = try await self.flush(name, sharing: lock, timeout: timeout) { progress(name, $0) }
            return (index, .success(result))
          } catch {
            return (index, .failure(error))
          }
        }
      }
      for await (done, result) in group { results[done] = result }
      return results
    }
    await lock.release()
    var flushes: [Flush] = []
    for index in names.indices {
      if let result = results[index] { flushes.append(try result.get()) }
    }
    return flushes
  }

  /// The greatest number of endpoints, and of devices of one endpoint, whose requests a flush sends at the same time.
  private static let maximumConcurrency = 8

  /// - Parameter shared: the lock that the endpoints share.
  private func flush(
    _ name: String, sharing shared: SharedLock, timeout: Duration,
    progress: @escaping @Sendable (Flush) -> Void
  ) async throws(StoreError) -> Flush {
    guard let (row, devices) = try store.uploadTargets().first(where: { $0.0.endpoint.name == name }) else {
      throw StoreError(.missing, message: "find the endpoint \(name): no endpoint has this name")
    }
    guard let lock = await shared.acquire() else {
      return try await followOtherProcess(row, devices, sharing: shared, timeout: timeout, progress: progress)
    }
    return try await drain(row, devices, holding: lock, after: Flush(), progress: progress)
  }

  /// - Parameter earlier: the progress so far.
  private func drain(
    _ row: EndpointRow, _ devices: [UploadDevice], holding lock: SendingLock, after earlier: Flush,
    progress: @Sendable (Flush) -> Void
  ) async throws(StoreError) -> Flush {
    defer { withExtendedLifetime(lock) {} }
    do {
      return try await withSender {
        try await drain(row, devices, by: $0, after: earlier, progress: progress)
      }
    } catch let problem as StoreError {
      throw problem
    } catch {
      return Flush(remaining: try remaining(row), reason: "it was interrupted")
    }
  }

  private func drain(
    _ row: EndpointRow, _ devices: [UploadDevice], by sender: HTTPSender, after earlier: Flush,
    progress: @Sendable (Flush) -> Void
  ) async throws -> Flush {
    try await withThrowingTaskGroup(of: WorkerStep.self) { group in
      var flush = earlier
      let workers = devices.map { self.worker(row, $0, by: sender) }
      for worker in workers.prefix(Self.maximumConcurrency) { Self.addStep(of: worker, to: &group) }
      var waiting = workers.dropFirst(Self.maximumConcurrency)
      while let (worker, before, step) = try await group.next() {
        flush.sent += worker.counts.sent - before.sent
        flush.sentItems += worker.counts.sentItems - before.sentItems
        flush.deadLetters += worker.counts.deadLetters - before.deadLetters
        flush.remaining = try remaining(row)
        progress(flush)
        switch step {
        case .progressed:
          Self.addStep(of: worker, to: &group)
          continue
        case .waiting: break
        case .failed(let reason, _): flush.reason = flush.reason ?? reason
        case .stopped(let reason): flush.reason = reason
        case .removed: flush.reason = "it was removed"
        case nil:
          flush.reason = "it was interrupted"
          waiting = []
        }
        if let next = waiting.popFirst() { Self.addStep(of: next, to: &group) }
      }
      return flush
    }
  }

  /// A worker after a step, its counts before the step, and the result; `nil` if the task was cancelled.
  private typealias WorkerStep = (UploadWorker, before: UploadWorker.Counts, UploadWorker.Step?)

  private static func addStep(
    of worker: UploadWorker, to group: inout ThrowingTaskGroup<WorkerStep, any Error>
  ) {
    group.addTask {
      var worker = worker
      let before = worker.counts
      do {
        let step = try await worker.step(atOnce: true)
        return (worker, before, step)
      } catch is CancellationError {
        return (worker, before, nil)
      }
    }
  }

  private func followOtherProcess(
    _ row: EndpointRow, _ devices: [UploadDevice], sharing shared: SharedLock, timeout: Duration,
    progress: @Sendable (Flush) -> Void
  ) async throws(StoreError) -> Flush {
    let name = row.endpoint.name
    let start = try status(name), wall = clock.wall
    // The devices whose data may be in no request yet. Later data is no part of the flush.
    var unbuilt = try store.uploadSurvey(known: [:]).entries.filter { $0.row.id == row.id }
    try store.requestFlush(to: row, at: wall)
    let deadline = clock.now.advanced(by: timeout)
    var flush = Flush()
    while clock.now < deadline {
      do { try await clock.sleep(until: clock.now.advanced(by: Self.checkInterval)) } catch {
        flush.reason = "it was interrupted"
        return flush
      }
      // Requests that are built after this check are among the waiting ones below.
      while let entry = unbuilt.last, try !store.hasUnbuiltUploads(entry, at: wall) { unbuilt.removeLast() }
      guard let start, let now = try status(name) else {
        flush.reason = "it was removed"
        return flush
      }
      flush.sent = now.sent - start.sent
      flush.sentItems = now.sentItems - start.sentItems
      flush.deadLetters = max(0, now.dead.requests - start.dead.requests)
      flush.remaining = now.waiting.requests
      progress(flush)
      if let reason = now.stopReason
        ?? (now.lastFailed != start.lastFailed && now.attempts > 0 ? now.lastReason : nil)
      {
        flush.reason = reason
        return flush
      }
      if let lock = await shared.acquire() {
        // The other process has ended, perhaps before it noticed the request.
        return try await drain(row, devices, holding: lock, after: flush, progress: progress)
      }
      if unbuilt.isEmpty, flush.remaining == 0 { return flush }
    }
    flush.reason = "the process that sends has not come to an end in time"
    return flush
  }

  private func status(_ name: String) throws(StoreError) -> UploadStatus? {
    try store.uploadStatus().first { $0.endpoint.name == name }
  }

  private func remaining(_ row: EndpointRow) throws(StoreError) -> Int { try store.waitingUploads(to: row) }
}

/// The sending lock that the endpoints of a flush share: the first one that finds the lock free acquires it for all.
private actor SharedLock {
  private let path: String
  private var lock: SendingLock?

  init(store path: String) { self.path = path }

  /// Returns the lock; `nil` if another process sends.
  func acquire() -> SendingLock? {
    if lock == nil { lock = SendingLock(store: path) }
    return lock
  }

  /// Releases the lock, which no endpoint may use any more.
  func release() { lock = nil }
}
