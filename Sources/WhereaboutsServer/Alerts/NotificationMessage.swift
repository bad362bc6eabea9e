import Foundation
import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsStore

/// A notification in the form for its receiver.
struct NotificationMessage: Hashable, Sendable {
  /// The id, the same in every attempt.
  var key: String
  /// The name of the alert.
  var alert: String
  /// The kind.
  var kind: StoredNotification.Kind
  /// The crossing that met the alert, in the form for the channel.
  var crossing: CrossingPayload
  /// The crossings of the earlier steps.
  var earlier: [CrossingPayload]
  /// The time at which the alert was met.
  var created: UTCTime

  /// Returns the content as JSON. Its `id` is that of the notification; that of the crossing is in `crossing`.
  func json(_ words: NotificationText) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendJSONObject { body in
      body.appendJSONMember("type", kind.rawValue)
      body.appendJSONMember("id", key)
      body.appendJSONMember("alert", alert)
      body.appendJSONMember("created", created)
      body.appendJSONMember("text", words.sentence(self))
      body.appendJSONMember("crossing") { $0.appendMembers(of: crossing) }
      if !earlier.isEmpty {
        body.appendJSONMember("earlier", earlier) { list, crossing in
          list.appendJSONObject { $0.appendMembers(of: crossing) }
        }
      }
    }
    return bytes
  }

  /// Returns the values by their names in the arguments and in the environment of a command.
  func values(_ words: NotificationText) -> [String: String] {
    let event = crossing.event
    return [
      "alert": alert, "device": crossing.device, "event": event?.kind.rawValue ?? "",
      "fence": event?.fence.name ?? "", "id": key,
      "name": crossing.fenceName ?? event?.fence.name ?? "", "text": words.sentence(self),
      "time": event.map { $0.time.iso8601 } ?? "", "type": kind.rawValue,
    ]
  }
}

extension [UInt8] {
  fileprivate mutating func appendMembers(of crossing: CrossingPayload) {
    appendJSONMember("device", crossing.device)
    appendJSONMember("name", crossing.fenceName)
    if let event = crossing.event { appendJSONMembers(of: event) }
  }
}

/// The making of messages from the records of the store.
struct NotificationComposer: Sendable {
  let core: ServerCore
  let places: PlaceSharing

  /// Returns a notification's message; `nil` if its crossing is erased, or withheld by a privacy zone.
  func message(_ notification: StoredNotification) async throws(StoreError) -> NotificationMessage? {
    let disclosure = ChannelDisclosure("alert", places: places, zones: core.zones.zones)
    let fences = core.fences.snapshot.registry
    func payload(
      _ device: DeviceID, _ number: UInt64
    ) throws(StoreError) -> CrossingPayload? {
      let records = try core.store.fenceRecords(afterNumber: max(1, number) - 1, of: device, limit: 1)
      guard let record = records.first, record.number == number else { return nil }
      guard case .revised(let id, nil) = record.record else {
        return disclosure.crossing(record.record, of: device) { fences.fence($0) }
      }
      // The crossing that did not happen, for its name and kind.
      return try core.store.fenceEvent(id, beforeNumber: number, of: device)
        .flatMap { event in disclosure.crossing(.event(event), of: device) { fences.fence($0) } }
    }
    guard let crossing = try payload(notification.device, notification.number) else { return nil }
    let references = try? JSONDecoder().decode(
      [AlertCrossing.Reference].self, from: Data(notification.steps.utf8))
    var earlier: [CrossingPayload] = []
    for reference in references ?? [] {
      guard let crossing = try payload(reference.device, reference.number) else { return nil }
      earlier.append(crossing)
    }
    return NotificationMessage(
      key: notification.key, alert: notification.alert, kind: notification.kind, crossing: crossing,
      earlier: earlier, created: notification.created)
  }
}
