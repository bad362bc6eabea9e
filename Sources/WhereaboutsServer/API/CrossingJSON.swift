import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsReports

extension [UInt8] {
  /// Appends a fence record: the device and number, and the event as `fence watch --json` prints it. Of an event that
  /// the reader may not see, and of its revocation, only the number stands.
  ///
  /// - Parameter revoked: the event that the record revokes; `nil` for another record, or if it is erased.
  mutating func appendJSON(
    _ record: NumberedFenceRecord, of device: DeviceID, revoked: FenceEvent?, _ fences: FenceRegistry,
    _ disclosure: Disclosure
  ) {
    appendJSONObject { body in
      body.appendJSONMember("device", device.rawValue)
      body.appendJSONMember("number", record.number)
      switch record.record {
      case .event(let event):
        body.appendJSONMembers(of: disclosure.event(event, at: fences.fence(event.fence), of: device))
      case .revised(let id, let event?):
        guard let shown = disclosure.event(event, at: fences.fence(event.fence), of: device) else { break }
        body.appendJSONMembers(of: shown)
        body.appendJSONMember("id", id.number)
        body.appendJSONMember("revised", true)
      case .revised(let id, nil):
        let isShown =
          revoked.map { disclosure.event($0, at: fences.fence($0.fence), of: device) != nil } ?? false
        guard isShown || disclosure.isOwner(of: device) else { break }
        body.appendJSONMember("id", id.number)
        body.appendJSONMember("revoked", true)
      case .removed(let fence, let reason):
        let isKnown = fences.fence(fence).map { disclosure.fence($0, of: device) != nil } ?? false
        guard isKnown || disclosure.isOwner(of: device) else { break }
        body.appendJSONMember("fence", fence.name)
        body.appendJSONMember("removed", reason.rawValue)
      case .decided: break
      }
    }
  }

  /// Appends the members of an event that the reader may see.
  mutating func appendJSONMembers(of event: DisclosedFenceEvent?) {
    guard let event else { return }
    appendJSONMember("fence", event.fence.name)
    appendJSONMember("event", event.kind.rawValue)
    appendJSONMember("time", event.time)
    appendJSONMember("decided", event.decided)
    if let place = event.place {
      appendJSONMember("lat", (place.coordinate.latitude * 1e7).rounded() / 1e7)
      appendJSONMember("lon", (place.coordinate.longitude * 1e7).rounded() / 1e7)
    }
    appendJSONMember("confidence", FenceEventJSON.confidence(event.confidence))
    appendJSONMember("uncertainty", (event.timeUncertainty * 1e3).rounded() / 1e3)
    appendJSONMember("manner", event.manner.rawValue)
    appendJSONMember("pending", (event.pending.inSeconds * 1e3).rounded() / 1e3)
    if event.manner == .unseen, let lastBefore = event.lastBefore {
      appendJSONMember("between", [lastBefore, event.firstAfter]) { $0.appendJSONString($1) }
    }
    appendJSONMember("id", event.id.number)
  }
}
