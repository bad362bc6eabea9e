public import Whereabouts
import WhereaboutsCore
import WhereaboutsStore

extension Uploader {
  /// How far a flush has come.
  public struct Flush: Hashable, Sendable {
    /// Requests that were taken.
    public var sent = 0
    /// Fixes and crossings in them.
    public var sentItems = 0
    /// Requests that were set aside.
    public var setAside = 0
    /// Requests that are still to be sent.
    public var left = 0
    /// Why it did not go on; `nil` where nothing is left.
    public var reason: String?
  }

  /// Sends everything there is for an endpoint now, without waiting for more and without patience: at the first failure
  /// it ends, and what is left stays in the queue.
  ///
  /// Where another process sends to it, that is asked to, and its progress is followed.
  ///
  /// - Parameters:
  ///   - name: of the endpoint.
  ///   - patience: how long another process may take.
  ///   - progress: is told how far it has come after each request.
  /// - Returns: what came of it.
  /// - Throws: ``Whereabouts/StoreTrouble``: `missing` where there is no endpoint of that name.
  /// - Cancellation: ends it, with what has been sent so far; the reason says so.
  public func flush(
    _ name: String, patience: Duration = .seconds(60),
    progress: @escaping @Sendable (Flush) -> Void = { _ in }
  ) async throws(StoreTrouble) -> Flush {
    guard let (row, devices) = try store.uploadLanes().first(where: { $0.0.endpoint.name == name }) else {
      throw StoreTrouble(.missing, message: "find the endpoint \(name): there is none of that name")
    }
    guard let lock = SendingLock(store: store.path) else {
      return try await follow(row, patience: patience, progress: progress)
    }
    defer { withExtendedLifetime(lock) {} }
    do {
      return try await withSender { try await drain(row, devices, by: $0, progress: progress) }
    } catch let trouble as StoreTrouble {
      throw trouble
    } catch {
      return Flush(left: try left(row), reason: "it was interrupted")
    }
  }

  private func drain(
    _ row: EndpointRow, _ devices: [UploadDevice], by sender: HTTPSender, progress: @Sendable (Flush) -> Void
  ) async throws -> Flush {
    var flush = Flush()
    devices: for device in devices {
      var lane = lane(row, device, by: sender)
      let before = flush
      while true {
        let step = try await lane.step(atOnce: true)
        flush.sent = before.sent + lane.tally.sent
        flush.sentItems = before.sentItems + lane.tally.sentItems
        flush.setAside = before.setAside + lane.tally.setAside
        flush.left = try left(row)
        progress(flush)
        switch step {
        case .did: continue
        case .waits: continue devices
        case .failed(let reason, _):
          flush.reason = reason
          continue devices
        case .stopped(let reason):
          flush.reason = reason
          return flush
        case .gone:
          flush.reason = "it was removed"
          return flush
        }
      }
    }
    return flush
  }

  private func follow(
    _ row: EndpointRow, patience: Duration, progress: @Sendable (Flush) -> Void
  ) async throws(StoreTrouble) -> Flush {
    let name = row.endpoint.name
    let start = try status(name)
    try store.askForUploads(to: row, at: clock.wall)
    let deadline = clock.now.advanced(by: patience)
    var flush = Flush()
    var quiet = 0
    while clock.now < deadline {
      do { try await clock.sleep(until: clock.now.advanced(by: Self.pace)) } catch {
        flush.reason = "it was interrupted"
        return flush
      }
      guard let start, let now = try status(name) else {
        flush.reason = "it was removed"
        return flush
      }
      flush.sent = now.sent - start.sent
      flush.sentItems = now.sentItems - start.sentItems
      flush.setAside = max(0, now.dead.requests - start.dead.requests)
      flush.left = now.waiting.requests
      progress(flush)
      if let reason = now.stopped
        ?? (now.lastFailed != start.lastFailed && now.attempts > 0 ? now.lastReason : nil)
      {
        flush.reason = reason
        return flush
      }
      // The other looks once in a pace: after two nothing more comes.
      quiet = flush.left == 0 ? quiet + 1 : 0
      if quiet > 2 { return flush }
    }
    flush.reason = "the process that sends has not come to an end in time"
    return flush
  }

  private func status(_ name: String) throws(StoreTrouble) -> UploadStatus? {
    try store.uploadStatus().first { $0.endpoint.name == name }
  }

  private func left(_ row: EndpointRow) throws(StoreTrouble) -> Int { try store.waitingUploads(to: row) }
}
