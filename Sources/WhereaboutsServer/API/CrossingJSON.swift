import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsReports

extension NumberedFenceRecord {
  /// Returns the record as JSON: the device and number, and the event as `fence watch --json` prints it; `nil` if the
  /// reader may not see the record. A number alone would show the reader that there was a crossing.
  ///
  /// - Parameter revoked: the event that the record revokes; `nil` for another record, or if it is erased.
  func json(
    of device: DeviceID, revoked: FenceEvent?, _ fences: FenceRegistry, _ disclosure: Disclosure
  ) -> [UInt8]? {
    var bytes: [UInt8] = [], isShown = false
    bytes.appendJSONObject { body in
      body.appendJSONMember("device", device.rawValue)
      body.appendJSONMember("number", number)
      isShown = appendMembers(to: &body, of: device, revoked: revoked, fences, disclosure)
    }
    return isShown ? bytes : nil
  }

  /// - Returns: whether the reader may see the record.
  private func appendMembers(
    to body: inout [UInt8], of device: DeviceID, revoked: FenceEvent?, _ fences: FenceRegistry,
    _ disclosure: Disclosure
  ) -> Bool {
    func shown(_ event: FenceEvent) -> DisclosedFenceEvent? {
      disclosure.event(event, at: fences.fence(event.fence), of: device)
    }
    switch record {
    case .event(let event):
      guard let event = shown(event) else { return false }
      body.appendJSONMembers(of: event)
    case .revised(let id, let event?):
      guard let event = shown(event) else { return false }
      body.appendJSONMembers(of: event)
      body.appendJSONMember("id", id.number)
      body.appendJSONMember("revised", true)
    case .revised(let id, nil):
      guard revoked.flatMap(shown) != nil || disclosure.isOwner(of: device) else { return false }
      body.appendJSONMember("id", id.number)
      body.appendJSONMember("revoked", true)
    case .removed(let fence, let reason):
      // The end of a fence for one event shows a crossing, whose time and place the record does not state.
      guard disclosure.isOwner(of: device) else { return false }
      body.appendJSONMember("fence", fence.name)
      body.appendJSONMember("removed", reason.rawValue)
    case .decided: return disclosure.isOwner(of: device)
    }
    return true
  }
}

extension [UInt8] {
  /// Appends the members of an event that the reader may see.
  mutating func appendJSONMembers(of event: DisclosedFenceEvent) {
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
