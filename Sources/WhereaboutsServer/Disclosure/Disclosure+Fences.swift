public import WhereaboutsGeodesy
public import WhereaboutsModel

extension Disclosure {
  /// Returns an event at a fence as the reader may see it; `nil` if the reader may not see the event.
  ///
  /// An event is withheld if the boundary of its fence comes into the cover of a zone that hides: the crossing then
  /// shows the private place. A fence around a whole zone discloses no more than the fixes outside the zone. An event in
  /// the cover is withheld too: its fence may have been moved since.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - fence: the fence of the event, as it is now; `nil` if unknown. An unknown fence may be in any zone.
  ///   - device: the device.
  public func event(_ event: FenceEvent, at fence: Fence?, of device: DeviceID) -> DisclosedFenceEvent? {
    guard mayReadBeyondJourney(device), maySee(event.time), mayNotify(of: fence, device),
      !isHidden(event.place, device)
    else { return nil }
    let accuracy = event.decidedBy.horizontalAccuracy
    return DisclosedFenceEvent(
      event, place: place(event.place, accuracy: accuracy, of: device),
      decidedBy: fix(event.decidedBy, of: device))
  }

  /// Returns a fence as the reader may see it; `nil` if the reader may not know of the fence.
  ///
  /// A reader with an accuracy cap, and a reader of a fence in a zone that coarsens, sees no area. Only the owner sees
  /// the properties, which are free text.
  ///
  /// - Parameters:
  ///   - fence: the fence.
  ///   - device: the device.
  public func fence(_ fence: Fence, of device: DeviceID) -> DisclosedFence? {
    guard mayReadBeyondJourney(device), mayNotify(of: fence, device) else { return nil }
    let isOwner = isOwner(of: device)
    let isExact =
      isOwner
      || (reader.terms.accuracyCap == nil
        && !zones(of: device).contains { $0.isTouched(byBoundaryOf: fence.area) })
    return DisclosedFence(
      id: fence.id, name: fence.name, area: isExact ? fence.area : nil,
      properties: isOwner ? fence.properties : [:])
  }

  /// Returns a fence as the reader may see it apart from any device; `nil` if the reader may not know of the fence.
  ///
  /// The devices share the fences. A reader of several devices sees of a fence only the part that the zones of each of
  /// them leave.
  public func fence(_ fence: Fence) -> DisclosedFence? {
    // The name stands for a device without zones of its own.
    let devices = reader.device.map { [$0] } ?? zonedDevices + [DeviceID("")]
    var shown: DisclosedFence?
    for device in devices {
      guard let part = self.fence(fence, of: device) else { return nil }
      if shown == nil || part.area == nil { shown = part }
    }
    return shown
  }

  /// Returns whether a zone of a device withholds a fence from the reader, wherever the device is.
  ///
  /// - Parameter nearest: returns the fence whose boundary is nearest to a place; `nil` without fences.
  func withholdsFences(of device: DeviceID, nearest: (Coordinate) -> Fence?) -> Bool {
    hidingZones(of: device).contains { zone in
      nearest(zone.cover.center).map { zone.isTouched(byBoundaryOf: $0.area) } ?? false
    }
  }

  private func mayNotify(of fence: Fence?, _ device: DeviceID) -> Bool {
    let hiding = hidingZones(of: device)
    guard let fence else { return hiding.isEmpty }
    return !hiding.contains { $0.isTouched(byBoundaryOf: fence.area) }
  }
}

/// An event at a fence as a reader may see it.
public struct DisclosedFenceEvent: Hashable, Sendable, Identifiable {
  /// The event's id.
  public let id: FenceEvent.ID
  /// The id of the fence.
  public let fence: FenceID
  /// The kind of the event.
  public let kind: FenceEvent.Kind
  /// The kind of evidence.
  public let manner: FenceEvent.Manner
  /// The time of the crossing.
  public let time: UTCTime
  /// The uncertainty of ``time`` in seconds, at 68 %.
  public let timeUncertainty: Double
  /// The probability that the device is on its new side, in [0.5, 1].
  public let confidence: Double
  /// The time of the fix that settled the event.
  public let decided: UTCTime
  /// The time between the first evidence and the decision.
  public let pending: Duration
  /// The last fix before the crossing; `nil` if there is none, or if the reader may not see the place.
  public private(set) var lastBefore: UTCTime?
  /// The first fix after the crossing.
  public let firstAfter: UTCTime
  /// The place of the crossing; `nil` if the reader may not see the place.
  public private(set) var place: DisclosedPlace?
  /// The fix that settled the event; `nil` if the reader may not see the fix.
  public private(set) var decidedBy: Fix?

  init(_ event: FenceEvent, place: DisclosedPlace?, decidedBy: Fix?) {
    id = event.id
    fence = event.fence
    kind = event.kind
    manner = event.manner
    time = event.time
    timeUncertainty = event.timeUncertainty
    confidence = event.confidence
    decided = event.decided
    pending = event.pending
    lastBefore = place == nil ? nil : event.lastBefore
    firstAfter = event.firstAfter
    self.place = place
    self.decidedBy = decidedBy
  }

  /// The event for a reader without access to any places.
  var withoutPlaces: Self {
    var event = self
    event.place = nil
    event.decidedBy = nil
    event.lastBefore = nil
    return event
  }
}

/// A fence as a reader may see it.
public struct DisclosedFence: Hashable, Sendable, Identifiable {
  /// The fence's id.
  public let id: FenceID
  /// The display name; `nil` if the fence has none.
  public let name: String?
  /// The area; `nil` if the reader may not see the area.
  public let area: Area?
  /// The properties; empty unless the reader is the owner.
  public let properties: [String: JSONValue]
}
