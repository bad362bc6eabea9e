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
/// The store is the queue. The result of an attempt is stored before the next one, however long a full disk prevents
/// that, so that a kill repeats at most one delivery, under the same id.
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

  /// The result of an attempt.
  private struct AttemptResult {
    var notification: Int64
    var status: StoredNotification.Status
    /// The reason of a failure.
    var reason: String?
    /// The wait until the next attempt; `nil` if there is none.
    var pause: NotificationPause?
    var time = UTCTime.now
  }

  /// The state between two attempts.
  private struct State {
    /// The wait after the last failed attempt. A new notification does not end the wait.
    var pause: Pause?
    /// The result of the last attempt until it is stored.
    var unstored: AttemptResult?
    /// The error of the store that was logged last; `nil` if the store works.
    var reported: StoreError.Code?
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
    var state = State(pause: storedPause)
    defer { timer?.cancel() }
    // Deliver the notifications left from the previous run.
    wake()
    for await _ in wakes {
      timer?.cancel()
      guard let due = await deliver(&state) else { continue }
      guard core.alerts.stop(of: channel.name) == nil || state.unstored != nil else { return }
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
  /// - Returns: the time of the next attempt, to deliver or to store a result; `nil` if no notification waits.
  private func deliver(_ state: inout State) async -> UTCTime? {
    while !Task.isCancelled {
      do throws(StoreError) {
        // Without the result on the disk another attempt would repeat a delivery, or not wait as the receiver asks.
        try storeResult(&state)
        if core.alerts.stop(of: channel.name) != nil { return UTCTime.now }
        let first = try core.store.nextNotification(of: channel.name)
        state.reported = nil
        guard let next = first else { return nil }
        let now = UTCTime.now
        guard next.notBefore <= now else { return next.notBefore }
        if let pause = state.pause, pause.notification == next.id, pause.end > .now {
          return now.advanced(by: pause.end - ContinuousClock.now)
        }
        let refusals = state.pause?.notification == next.id ? state.pause?.refusals ?? 0 : 0
        let result = try await attempt(next, refusals: refusals, at: now)
        state.unstored = result
        if let pause = result?.pause {
          state.pause = Pause(
            notification: next.id, end: .now.advanced(by: pause.length), refusals: pause.refusals)
        }
        try storeResult(&state)
        if let pause = result?.pause { return UTCTime.now.advanced(by: pause.length) }
      } catch {
        if state.unstored == nil { core.alerts.setAttempt(of: channel.name, nil) }
        if state.reported != error.code {
          core.logger.error("notification not stored; trying again", metadata: ["code": "\(error.code)"])
        }
        state.reported = error.code
        return UTCTime.now.advanced(by: .seconds(1))
      }
    }
    return nil
  }

  /// Stores the result of the last attempt unless the store has it.
  private func storeResult(_ state: inout State) throws(StoreError) {
    if let result = state.unstored {
      try core.store.endAttempt(
        of: result.notification, result.status, reason: result.reason, pause: result.pause, at: result.time)
      state.unstored = nil
    }
    core.alerts.setAttempt(of: channel.name, nil)
  }

  /// Makes an attempt.
  ///
  /// - Parameter refusals: the number of earlier attempts that the receiver has refused.
  /// - Returns: the result; `nil` if the task was cancelled before the end of the attempt.
  private func attempt(
    _ notification: StoredNotification, refusals: Int, at now: UTCTime
  ) async throws(StoreError) -> AttemptResult? {
    func end(_ status: StoredNotification.Status, _ reason: String? = nil) -> AttemptResult {
      AttemptResult(notification: notification.id, status: status, reason: reason)
    }
    guard now.since(notification.created) <= channel.givesUpAfter || notification.attempts == 0 else {
      report("notification given up", notification.reason)
      return end(.expired, notification.reason)
    }
    // Before the crossing is read, until the result is stored: one that is revoked meanwhile is corrected.
    core.alerts.setAttempt(of: channel.name, notification)
    let composer = NotificationComposer(core: core, places: channel.places)
    guard let message = try await composer.message(notification) else {
      return end(.withdrawn, "its crossing is erased, or withheld by a privacy zone")
    }
    switch await send(message) {
    case .delivered:
      core.alerts.setFailure(of: channel.name, nil)
      return end(.delivered)
    // A program that was ended with the server has not failed.
    case _ where Task.isCancelled: return nil
    case .failed(let reason, let retryAfter):
      return failure(of: notification, reason, retryAfter, refusals: refusals)
    case .refused(let reason):
      // Attempts without an answer do not count: a receiver that comes back may refuse once or twice.
      guard refusals + 1 >= Self.maximumRefusals else {
        return failure(of: notification, reason, nil, refusals: refusals + 1)
      }
      report("notification refused", reason)
      return end(.refused, reason)
    case .gone(let reason):
      report("channel stopped until the next start", reason)
      core.alerts.stop(channel.name, because: reason)
      return end(.waiting, reason)
    }
  }

  /// Returns the result of a failed attempt that is repeated.
  ///
  /// - Parameter refusals: the number of attempts that the receiver has refused.
  private func failure(
    of notification: StoredNotification, _ reason: String, _ retryAfter: Double?, refusals: Int
  ) -> AttemptResult {
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
    return AttemptResult(
      notification: notification.id, status: .waiting, reason: reason, pause: pause, time: now)
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
