import HTTPTypes
import Hummingbird
import Whereabouts
import WhereaboutsFormats
import WhereaboutsStore

/// The paths for supervision, which need no token: they disclose nothing about devices.
struct HealthRoutes: Sendable {
  let core: ServerCore

  func add(to router: Router<ServerContext>) {
    router.read("health") { _, _ in
      Response.json { $0.appendJSONMember("status", text: "ok") }
    }
    router.read("ready") { _, _ in try ready() }
    router.read("metrics") { _, _ in await metrics() }
  }

  /// Answers whether requests can be served: the store can be read, and its file is in place.
  private func ready() throws -> Response {
    try core.store.requireFile()
    _ = try core.store.lastRecordPosition()
    return .json { $0.appendJSONMember("status", text: "ready") }
  }

  private func metrics() async -> Response {
    let counts = core.alerts.settings.flatMap { _ in try? core.store.notificationCounts() }
    let text = core.metrics.text(
      devices: await core.devices.count, syncs: core.store.syncCount, notifications: counts ?? [:])
    return .bytes(type: "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8))
  }
}
