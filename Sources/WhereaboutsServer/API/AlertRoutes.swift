import Foundation
import Hummingbird
import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsStore

/// The paths that show an administrator of every device the alerts, their channels, and the reasons for or against each
/// notification.
struct AlertRoutes: Sendable {
  private static let limits = 1...1000

  let core: ServerCore
  let timeZone: TimeZone

  func add(to api: RouterGroup<ServerContext>) {
    api.read("alerts") { request, context in try await show(request, context) }
  }

  private func show(_ request: Request, _ context: ServerContext) async throws -> Response {
    let token = try await core.authenticator.token(of: request, context, for: .admin)
    // The names, the crossings and the decisions are those of all devices.
    guard token.device == nil else {
      throw Problem(
        .forbidden, "The token is for one device. The alerts need an administrator of every device.")
    }
    let query = QueryReader(request)
    let name = try query.text("alert")
    let limit = try query.integer("limit", in: Self.limits) ?? 50
    let settings = core.alerts.settings ?? AlertSettings()
    if let name, !settings.alerts.contains(where: { $0.alert.name == name }) {
      throw Problem(.notFound, "There is no such alert.")
    }
    let alerts = settings.alerts.filter { name == nil || $0.alert.name == name }
    let counts = try core.store.notificationCounts()
    let notifications = try core.store.notifications(of: name, limit: limit)
    let decisions = try await decisions(of: name, limit: limit)
    let fences = core.fences.snapshot.registry
    return .json { body in
      body.appendJSONMember("alerts", alerts) { body, entry in
        body.appendJSONObject { $0.appendMembers(of: entry) { fences.fence($0) == nil } }
      }
      body.appendJSONMember("channels", settings.channels) { body, channel in
        body.appendJSONObject {
          $0.appendMembers(of: channel, counts[channel.name] ?? [:], core.alerts)
        }
      }
      body.appendJSONMember("notifications", notifications) { body, notification in
        body.appendJSONObject { $0.appendMembers(of: notification) }
      }
      body.appendJSONMember("decisions", decisions) { body, decision in
        body.appendJSONObject { $0.appendMembers(of: decision, NotificationText(timeZone: timeZone)) }
      }
    }
  }

  /// Returns the latest decisions about crossings that the store still has: others were erased.
  private func decisions(of alert: String?, limit: Int) async throws -> [AlertStatus.Decision] {
    let stored = try core.alerts.storedDecisions(in: core.store)
    let chosen = Array(stored.filter { alert == nil || $0.alert == alert }.prefix(limit))
    return try chosen.filter {
      try core.store.fenceEvent($0.event.id, beforeNumber: .max, of: $0.device) != nil
    }
  }
}

extension [UInt8] {
  fileprivate mutating func appendMembers(
    of entry: AlertSettings.Entry, isUnknown: (FenceID) -> Bool
  ) {
    let fences = entry.alert.steps.flatMap { $0.places.flatMap(\.fences) }
    appendJSONMember("name", entry.alert.name)
    if let devices = entry.alert.devices {
      appendJSONMember("devices", devices.sorted()) { $0.appendJSONString($1.rawValue) }
    }
    appendJSONMember("steps", entry.alert.steps.count)
    appendJSONMember("channels", entry.channels) { $0.appendJSONString($1) }
    // A mistyped fence would never notify.
    appendJSONMember("unknownFences", Set(fences.filter(isUnknown)).sorted()) { $0.appendJSONString($1.name) }
  }

  fileprivate mutating func appendMembers(
    of channel: NotificationChannel, _ counts: [StoredNotification.Status: Int], _ status: AlertStatus
  ) {
    appendJSONMember("name", channel.name)
    switch channel.kind {
    case .webhook(let webhook):
      appendJSONMember("kind", text: "webhook")
      appendJSONMember("host", webhook.host)
      appendJSONMember("signed", webhook.key != nil)
    case .command(let command):
      appendJSONMember("kind", text: "command")
      appendJSONMember("program", command[0])
    }
    for status in StoredNotification.Status.allCases {
      appendJSONMember(status.member, counts[status] ?? 0)
    }
    appendJSONMember("failure", status.failure(of: channel.name))
    appendJSONMember("stopped", status.stop(of: channel.name))
  }

  fileprivate mutating func appendMembers(of notification: StoredNotification) {
    appendJSONMember("id", notification.key)
    appendJSONMember("alert", notification.alert)
    appendJSONMember("channel", notification.channel)
    appendJSONMember("device", notification.device.rawValue)
    appendJSONMember("type", notification.kind.rawValue)
    appendJSONMember("crossing", notification.event.number)
    appendJSONMember("time", notification.time)
    appendJSONMember("created", notification.created)
    if notification.notBefore > notification.created {
      appendJSONMember("notBefore", notification.notBefore)
    }
    appendJSONMember("status", notification.status.rawValue)
    appendJSONMember("attempts", notification.attempts)
    appendJSONMember("ended", notification.ended)
    appendJSONMember("reason", notification.reason)
  }

  fileprivate mutating func appendMembers(of decision: AlertStatus.Decision, _ words: NotificationText) {
    appendJSONMember("time", decision.time)
    appendJSONMember("alert", decision.alert)
    appendJSONMember("device", decision.device.rawValue)
    appendJSONMember("fence", decision.event.fence.name)
    appendJSONMember("event", decision.event.kind.rawValue)
    appendJSONMember("crossing", decision.event.id.number)
    appendJSONMember("notified", decision.outcome.isNotified)
    appendJSONMember("text", decision.outcome.text { words.clock($0, near: decision.time) })
  }
}

extension StoredNotification.Status {
  fileprivate var member: StaticString {
    switch self {
    case .waiting: "waiting"
    case .delivered: "delivered"
    case .refused: "refused"
    case .expired: "expired"
    case .withdrawn: "withdrawn"
    }
  }
}
