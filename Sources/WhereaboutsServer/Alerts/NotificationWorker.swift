import AsyncHTTPClient
import Crypto
import Foundation
import Logging
import Synchronization
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsUploadQueue

/// The deliveries of one channel, in order, each at least once.
///
/// The store is the queue. The result of an attempt is stored before the next one, so that a kill repeats at most one
/// delivery, under the same id.
final class NotificationWorker: Sendable {
  /// The number of refusals after which a notification is given up.
  private static let maximumRefusals = 5

  /// The wait after a failed attempt, by a clock that nobody sets.
  private struct Pause {
    /// The notification whose attempt failed.
    var notification: Int64
    /// The end of the wait.
    var end: ContinuousClock.Instant
    /// The number of attempts that the receiver has refused.
    var refusals: Int
  }

  /// A failed attempt that is repeated.
  private struct Failure {
    /// The time until the next attempt.
    var wait: Duration
    /// The number of attempts that the receiver has refused.
    var refusals: Int
  }

  private let core: ServerCore
  private let channel: NotificationChannel
  private let client: HTTPClient
  private let words: NotificationText
  private let wakes: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation
  private let backoff = Endpoint.Backoff()

  init(core: ServerCore, channel: NotificationChannel, client: HTTPClient, words: NotificationText) {
    self.core = core
    self.channel = channel
    self.client = client
    self.words = words
    (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Makes the worker check for new notifications.
  func wake() { waker.yield() }

  /// Works until the task is cancelled, or until the receiver wants no more.
  func run() async {
    var timer: Task<Void, any Error>?
    var pause = storedPause
    defer { timer?.cancel() }
    // Deliver the notifications left from the previous run.
    wake()
    for await _ in wakes {
      timer?.cancel()
      guard let due = await deliver(&pause) else { continue }
      guard core.alerts.stop(of: channel.name) == nil else { return }
      timer = Task {
        try await Task.sleep(for: max(.zero, due.since(.now)))
        wake()
      }
    }
  }

  /// The rest of the wait that the previous run left; `nil` if the channel has another receiver now.
  private var storedPause: Pause? {
    guard let stored = try? core.store.notificationPause(of: channel.name),
      stored.receiver == channel.receiverHash
    else { return nil }
    return Pause(
      notification: stored.notification, end: .now.advanced(by: stored.rest(at: .now)),
      refusals: stored.refusals)
  }

  /// Delivers the due notifications.
  ///
  /// - Parameter pause: the wait after the last failed attempt. A new notification does not end the wait.
  /// - Returns: the time of the next attempt; `nil` if no notification waits.
  private func deliver(_ pause: inout Pause?) async -> UTCTime? {
    while !Task.isCancelled {
      do throws(StoreError) {
        guard let next = try core.store.nextNotification(of: channel.name) else { return nil }
        let now = UTCTime.now
        guard next.notBefore <= now else { return next.notBefore }
        if let pause, pause.notification == next.id, pause.end > .now {
          return now.advanced(by: pause.end - ContinuousClock.now)
        }
        let refusals = pause?.notification == next.id ? pause?.refusals ?? 0 : 0
        if let failure = try await attempt(next, refusals: refusals, at: now) {
          pause = Pause(
            notification: next.id, end: .now.advanced(by: failure.wait), refusals: failure.refusals)
          return UTCTime.now.advanced(by: failure.wait)
        }
        if core.alerts.stop(of: channel.name) != nil { return now }
      } catch {
        core.logger.error("notification not stored; trying again", metadata: ["code": "\(error.code)"])
        return UTCTime.now.advanced(by: .seconds(1))
      }
    }
    return nil
  }

  /// Makes an attempt, and stores its result.
  ///
  /// - Parameter refusals: the number of earlier attempts that the receiver has refused.
  /// - Returns: the failure, if the attempt is to be repeated; `nil` if the notification has ended.
  private func attempt(
    _ notification: StoredNotification, refusals: Int, at now: UTCTime
  ) async throws(StoreError) -> Failure? {
    func end(_ status: StoredNotification.Status, _ reason: String? = nil) throws(StoreError) {
      try core.store.endAttempt(of: notification.id, status, reason: reason, at: .now)
    }
    guard now.since(notification.created) <= channel.givesUpAfter || notification.attempts == 0 else {
      report("notification given up", notification.reason)
      try end(.expired, notification.reason)
      return nil
    }
    // Before the crossing is read: one that is revoked meanwhile is corrected.
    core.alerts.setAttempt(of: channel.name, notification)
    defer { core.alerts.setAttempt(of: channel.name, nil) }
    let composer = NotificationComposer(core: core, places: channel.places)
    guard let message = try await composer.message(notification) else {
      try end(.withdrawn, "its crossing is erased, or withheld by a privacy zone")
      return nil
    }
    switch await send(message) {
    case .delivered:
      core.alerts.setFailure(of: channel.name, nil)
      try end(.delivered)
      return nil
    // A program that was ended with the server has not failed.
    case _ where Task.isCancelled: return Failure(wait: .zero, refusals: refusals)
    case .failed(let reason, let retryAfter):
      return try fail(notification, reason, retryAfter, refusals: refusals)
    case .refused(let reason):
      // Attempts without an answer do not count: a receiver that comes back may refuse once or twice.
      guard refusals + 1 >= Self.maximumRefusals else {
        return try fail(notification, reason, nil, refusals: refusals + 1)
      }
      report("notification refused", reason)
      try end(.refused, reason)
      return nil
    case .gone(let reason):
      report("channel stopped until the next start", reason)
      core.alerts.stop(channel.name, because: reason)
      try end(.waiting, reason)
      return nil
    }
  }

  private func fail(
    _ notification: StoredNotification, _ reason: String, _ retryAfter: Double?, refusals: Int
  ) throws(StoreError) -> Failure {
    // A receiver that is away for hours is one line, not one for each attempt.
    if core.alerts.setFailure(of: channel.name, reason) {
      report("notification not delivered; trying again", reason)
    }
    var random = SystemRandomNumberGenerator()
    let wait = backoff.delay(after: notification.attempts + 1, retryAfter: retryAfter, using: &random)
    let now = UTCTime.now
    let pause = NotificationPause(
      notification: notification.id, end: now.advanced(by: wait), length: wait, refusals: refusals,
      receiver: channel.receiverHash)
    try core.store.endAttempt(of: notification.id, .waiting, reason: reason, pause: pause, at: now)
    return Failure(wait: wait, refusals: refusals)
  }

  private func report(_ message: Logger.Message, _ reason: String?) {
    var metadata: Logger.Metadata = ["channel": "\(channel.name)", "reason": "\(reason ?? "")"]
    if case .webhook(let webhook) = channel.kind { metadata["host"] = "\(webhook.host)" }
    core.logger.warning(message, metadata: metadata)
  }

  private func send(_ message: NotificationMessage) async -> DeliveryResult {
    switch channel.kind {
    case .webhook(let webhook):
      await WebhookSender(client: client, webhook: webhook, timeout: channel.timeout).send(message, words)
    case .command(let command):
      await CommandSender(command: command, timeout: channel.timeout).send(message, words)
    }
  }
}

extension NotificationChannel {
  /// A hash of the URL or the program, which may be secrets.
  fileprivate var receiverHash: String {
    let text =
      switch kind {
      case .webhook(let webhook): webhook.url
      case .command(let command): command.joined(separator: "\0")
      }
    return Data(SHA256.hash(data: Data(text.utf8)).prefix(12)).base64EncodedString()
  }
}
