import AsyncHTTPClient
import Foundation
import Logging
import ServiceLifecycle
import Whereabouts
import WhereaboutsEngine
import WhereaboutsStore

/// The alerts of a server: the evaluation of crossings, and a worker for each channel.
struct AlertService: Service {
  let core: ServerCore
  let settings: AlertSettings
  let timeZone: TimeZone

  func run() async throws {
    let client = HTTPClient(
      eventLoopGroupProvider: .singleton, configuration: WebhookSender.configuration)
    // A connection that is being made can't be cancelled. The server does not wait for its timeout.
    defer { Task { try? await client.shutdown() } }
    await cancelWhenGracefulShutdown { await work(client) }
  }

  private func work(_ client: HTTPClient) async {
    guard let subscription = core.hub.follow() else { return }
    defer { core.hub.unsubscribe(subscription) }
    let workers = settings.channels.map { channel in
      NotificationWorker(
        core: core, channel: channel, client: client, words: NotificationText(timeZone: timeZone))
    }
    let token = try? core.store.changeToken()
    await withTaskGroup(of: Void.self) { group in
      for worker in workers { group.addTask { await worker.run() } }
      @Sendable func wakeWorkers() { for worker in workers { worker.wake() } }
      group.addTask { await evaluate(subscription, onNews: wakeWorkers) }
      group.addTask {
        await followChanges(of: token) {
          forgetErasedDecisions()
          wakeWorkers()
        }
      }
    }
  }

  /// Calls a closure after changes of the store by other processes, until the task is cancelled: `whereabouts forget` may
  /// erase the notification whose next attempt a channel waits for.
  private func followChanges(of token: StoreChangeToken?, onChange: () -> Void) async {
    var last = token
    while (try? await Task.sleep(for: RegistryRefresher.interval)) != nil {
      guard let token = try? core.store.changeToken() else { continue }
      if last.map({ token.isChangedByOthers(since: $0) }) ?? true { onChange() }
      last = token
    }
  }

  /// Forgets the decisions about erased crossings. A store that can't be read now is asked again before an answer.
  private func forgetErasedDecisions() { _ = try? core.alerts.storedDecisions(in: core.store) }

  /// Evaluates crossings as they are stored. A store that does not work is tried again each second, and logged once
  /// until it works or fails for another cause.
  private func evaluate(_ subscription: StreamHub.Subscription, onNews: () -> Void) async {
    var evaluator: AlertEvaluator?
    var reported: StoreError.Code?
    // The records from before the start that a killed server has not evaluated.
    subscription.insertCrossings()
    for await _ in subscription.wakes {
      let latest = subscription.drain()
      if !latest.erased.isEmpty {
        forgetErasedDecisions()
        // A channel may wait for the next attempt of a notification that was erased.
        onNews()
      }
      guard latest.hasCrossings else { continue }
      do throws(StoreError) {
        var current: AlertEvaluator
        if let evaluator {
          current = evaluator
        } else {
          try core.store.withdrawNotifications(exceptChannels: settings.channels.map(\.name))
          try core.store.eraseAlertProgress(exceptAlerts: settings.alerts.map(\.alert.name))
          current = try AlertEvaluator(core, settings)
        }
        if try await current.evaluateNews() { onNews() }
        evaluator = current
        reported = nil
      } catch {
        if reported != error.code {
          core.logger.error("alerts not evaluated; trying again", metadata: ["code": "\(error.code)"])
        }
        reported = error.code
        evaluator = nil
        // The records before the failure may have notifications.
        onNews()
        try? await Task.sleep(for: .seconds(1))
        subscription.insertCrossings()
      }
    }
  }
}
