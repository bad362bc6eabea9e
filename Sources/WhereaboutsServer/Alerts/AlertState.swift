import Foundation
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsStore

/// The state of all alerts at a position of the store's records, and the evaluation of the next record.
///
/// A value: one that could not be stored is dropped, and the records are evaluated again.
struct AlertState: Sendable {
  /// The results of an evaluation.
  struct Results: Sendable {
    var progress: [AlertProgressKey: AlertProgress?] = [:]
    var notifications: [StoredNotification] = []
    var revoked: [(device: DeviceID, event: FenceEvent.ID)] = []
    var decisions: [AlertStatus.Decision] = []
  }

  let settings: AlertSettings
  private(set) var presence: AlertPresence
  private var progress: [AlertProgressKey: AlertProgress] = [:]

  init(_ settings: AlertSettings, presence: AlertPresence) {
    self.settings = settings
    self.presence = presence
  }

  /// Takes over a stored progress. One of an alert that was changed or removed is ignored.
  mutating func restore(_ stored: StoredAlertProgress) {
    guard let entry = settings.alerts.first(where: { $0.alert.name == stored.alert }),
      let text = stored.progress,
      let known = try? JSONDecoder().decode(AlertProgress.self, from: Data(text.utf8)),
      known.fits(entry.alert)
    else { return }
    progress[AlertProgressKey(alert: stored.alert, device: stored.device)] = known
  }

  // MARK: Evaluation

  /// Evaluates the next crossing.
  ///
  /// - Parameters:
  ///   - number: the number of the crossing's record.
  ///   - position: the position of the record in the order of the store.
  mutating func evaluate(
    _ event: FenceEvent, of device: DeviceID, number: UInt64, position: UInt64, at now: UTCTime,
    _ results: inout Results
  ) {
    let crossing = AlertCrossing(event, of: device, number: number)
    for entry in settings.alerts where entry.alert.concerns(device) {
      let alert = entry.alert, key = AlertProgressKey(of: alert, device)
      let before = progress[key] ?? AlertProgress(of: alert)
      let evaluation = alert.evaluate(crossing, presence: presence, progress: before, now: now)
      if evaluation.progress != before { set(evaluation.progress, key, &results) }
      guard let outcome = evaluation.outcome else { continue }
      results.decisions.append(
        AlertStatus.Decision(
          time: now, alert: alert.name, device: device, event: event, position: position,
          outcome: outcome))
      guard case .notified(let start) = outcome else { continue }
      var notification = Self.notification(.crossing, entry, event, of: device, number: number, at: now)
      notification.notBefore = start ?? now
      notification.steps = Self.text(evaluation.earlier)
      for channel in entry.channels {
        notification.channel = channel
        results.notifications.append(notification)
      }
    }
    presence.apply(event, of: device)
  }

  /// Takes over the revision of a crossing.
  ///
  /// - Parameters:
  ///   - event: the crossing as it is now; `nil` if it did not happen.
  ///   - before: the crossing as it was; `nil` if it is erased.
  ///   - wasDelivered: returns whether an alert's channel has, or may have, delivered the crossing.
  mutating func revise<Failure>(
    _ id: FenceEvent.ID, of device: DeviceID, to event: FenceEvent?, from before: FenceEvent?, number: UInt64,
    at now: UTCTime, _ results: inout Results,
    wasDelivered: (String, String) throws(Failure) -> Bool
  ) throws(Failure) {
    for (key, known) in progress {
      var changed = known
      changed.revise(id, of: device, to: event)
      if changed != known { set(changed, key, &results) }
    }
    if event == nil {
      if let before { presence.revert(before, of: device) }
      results.revoked.append((device, id))
    }
    guard let known = event ?? before else { return }
    let kind = event == nil ? StoredNotification.Kind.revoked : .revised
    for entry in settings.alerts where entry.sendsCorrections && entry.alert.concerns(device) {
      guard let start = entry.alert.notificationStart(at: now) else { continue }
      var notification = Self.notification(kind, entry, known, of: device, number: number, at: now)
      notification.event = id
      notification.notBefore = start
      for channel in entry.channels {
        guard try wasDelivered(entry.alert.name, channel) else { continue }
        notification.channel = channel
        results.notifications.append(notification)
      }
    }
  }

  private mutating func set(
    _ changed: AlertProgress, _ key: AlertProgressKey, _ results: inout Results
  ) {
    progress[key] = changed.isEmpty ? nil : changed
    results.progress[key] = .some(progress[key])
  }

  private static func notification(
    _ kind: StoredNotification.Kind, _ entry: AlertSettings.Entry, _ event: FenceEvent, of device: DeviceID,
    number: UInt64, at now: UTCTime
  ) -> StoredNotification {
    StoredNotification(
      key: String(
        format: "%016lx%016lx", UInt64.random(in: 0 ... .max),
        UInt64.random(in: 0 ... .max)),
      alert: entry.alert.name, channel: "", device: device, number: number, event: event.id, kind: kind,
      time: event.time, steps: "[]", isJoint: entry.alert.combinesDevices, created: now, notBefore: now)
  }

  private static func text(_ value: some Encodable) -> String {
    (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
  }
}

/// The identity of a progress.
struct AlertProgressKey: Hashable, Sendable {
  var alert: String
  /// The device; `nil` for all devices together.
  var device: DeviceID?

  init(alert: String, device: DeviceID?) {
    self.alert = alert
    self.device = device
  }

  init(of alert: Alert, _ device: DeviceID) {
    self.init(alert: alert.name, device: alert.combinesDevices ? nil : device)
  }
}
