import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

extension [UInt8] {
  /// Appends a fence record: the device and number, and the event as `fence watch --json` prints it. Of an event that
  /// the reader may not see only the number stands.
  mutating func appendJSON(_ record: NumberedFenceRecord, of device: DeviceID, _ disclosure: Disclosure) {
    appendJSONObject { body in
      body.appendJSONMember("device", device.rawValue)
      body.appendJSONMember("number", record.number)
      switch record.record {
      case .event(let event):
        if let event = disclosure.visible(event, of: device) { body.appendJSONMembers(of: event) }
      case .revised(let id, let event):
        body.appendJSONMember("id", id.number)
        if let event {
          if let event = disclosure.visible(event, of: device) { body.appendJSONMembers(of: event) }
          body.appendJSONMember("revised", true)
        } else {
          body.appendJSONMember("revoked", true)
        }
      case .removed(let fence, let reason):
        body.appendJSONMember("fence", fence.name)
        body.appendJSONMember("removed", reason.rawValue)
      case .decided: break
      }
    }
  }
}
