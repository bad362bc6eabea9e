import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsReports

/// A crossing in the form for a channel. Its `id` is that of the store, and stays the same when it is published again.
struct CrossingPayload: Hashable, Sendable {
  /// The types of events: the kinds of crossings, and the corrections of earlier ones.
  static let eventTypes = FenceEvent.Kind.allCases.map(\.rawValue) + ["revised", "revoked"]

  /// The device's name.
  var device: String
  /// The type of the event: one of ``eventTypes``.
  var type: String
  /// The id of the crossing.
  var id: FenceEvent.ID
  /// The crossing in the form for the channel; `nil` if it was revoked.
  var event: DisclosedFenceEvent?
  /// The fence's name for people.
  var fenceName: String?

  var payload: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendJSONObject { body in
      body.appendJSONMember("event_type", type)
      body.appendJSONMember("device", device)
      body.appendJSONMember("id", id.number)
      if let event { append(event, to: &body) }
    }
    return bytes
  }

  private func append(_ event: DisclosedFenceEvent, to body: inout [UInt8]) {
    body.appendJSONMember("event", event.kind.rawValue)
    body.appendJSONMember("fence", event.fence.name)
    body.appendJSONMember("name", fenceName)
    body.appendJSONMember("time", event.time)
    body.appendJSONMember("uncertainty", (event.timeUncertainty * 1e3).rounded() / 1e3)
    body.appendJSONMember("confidence", FenceEventJSON.confidence(event.confidence))
    body.appendJSONMember("manner", event.manner.rawValue)
    if let place = event.place {
      body.appendJSONMember("latitude", (place.coordinate.latitude * 1e7).rounded() / 1e7)
      body.appendJSONMember("longitude", (place.coordinate.longitude * 1e7).rounded() / 1e7)
    }
  }
}
