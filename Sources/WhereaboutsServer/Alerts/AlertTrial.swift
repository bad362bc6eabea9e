package import Foundation
import Whereabouts
import WhereaboutsEngine
package import WhereaboutsModel
package import WhereaboutsStore

/// A trial of alerts on the crossings in a store. Nothing is stored, and no person is notified.
///
/// Each crossing counts as known at the time of the fix that settled it.
package struct AlertTrial {
  /// The decision of an alert about a stored crossing.
  package struct Decision: Hashable, Sendable {
    /// The crossing.
    package var event: FenceEvent
    /// The device.
    package var device: DeviceID
    /// The name of the alert.
    package var alert: String
    /// The names of the channels that would be notified; empty for none.
    package var channels: [String]
    /// The decision in words.
    package var text: String
  }

  private static let pageSize = 1000

  private let settings: AlertSettings
  private let words: NotificationText

  /// Creates a trial.
  ///
  /// - Parameter timeZone: the zone of times in the decisions.
  package init(_ settings: AlertSettings, timeZone: TimeZone) {
    self.settings = settings
    words = NotificationText(timeZone: timeZone)
  }

  /// The ids of fences that the alerts name.
  package var fences: Set<FenceID> { settings.fences }

  /// Passes every decision to a body, in the order in which the crossings were stored.
  ///
  /// - Complexity: O(crossings of the store).
  package func run(
    on store: SQLiteStore, _ body: (Decision) throws -> Void
  ) throws {
    var state = AlertState(settings, presence: try initialPresence(in: store)), position: UInt64 = 0
    while true {
      let page = try store.fenceRecords(afterPosition: position, of: nil, limit: Self.pageSize)
      guard let last = page.last else { return }
      position = last.position
      for entry in page {
        var results = AlertState.Results()
        try evaluate(entry, store, &state, &results)
        for decision in results.decisions { try body(self.decision(decision)) }
      }
    }
  }

  /// Returns the fences that the devices were in before their first crossings, as far as these show it.
  private func initialPresence(in store: SQLiteStore) throws(StoreError) -> AlertPresence {
    var presence = AlertPresence(), position: UInt64 = 0
    guard settings.needsPresence else { return presence }
    while true {
      let page = try store.fenceRecords(afterPosition: position, of: nil, limit: Self.pageSize)
      guard let last = page.last else { return presence }
      position = last.position
      for entry in page {
        let device = entry.device
        guard case .event(let event) = entry.record.record,
          !presence.unknown([event.fence], of: device).isEmpty
        else { continue }
        presence.learn(event.fence, of: device, isInside: event.kind != .enter)
      }
    }
  }

  private func evaluate(
    _ entry: OrderedFenceRecord, _ store: SQLiteStore, _ state: inout AlertState,
    _ results: inout AlertState.Results
  ) throws(StoreError) {
    let device = entry.device, number = entry.record.number
    switch entry.record.record {
    case .event(let event):
      state.evaluate(
        event, of: device, number: number, position: entry.position, at: event.decided, &results)
    case .revised(let id, let event):
      let before = try store.fenceEvent(id, beforeNumber: number, of: device)
      let now = (event ?? before)?.decided ?? UTCTime.now
      state.revise(id, of: device, to: event, from: before, number: number, at: now, &results) { _, _ in
        false
      }
    case .decided, .removed: break
    }
  }

  private func decision(_ decision: AlertStatus.Decision) -> Decision {
    let entry = settings.alerts.first { $0.alert.name == decision.alert }
    return Decision(
      event: decision.event, device: decision.device, alert: decision.alert,
      channels: decision.outcome.isNotified ? entry?.channels ?? [] : [],
      text: decision.outcome.text { words.clock($0, near: decision.event.time) })
  }
}
