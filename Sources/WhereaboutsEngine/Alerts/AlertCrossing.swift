package import WhereaboutsModel

/// A crossing of a device, in the form of the store.
package struct AlertCrossing: Hashable, Sendable {
  /// A reference to a crossing, without its place.
  package struct Reference: Hashable, Sendable, Codable {
    /// The device's name.
    package var device: DeviceID
    /// The id of the crossing, the same in all revisions.
    package var id: FenceEvent.ID
    /// The number of the record that reported the crossing.
    package var number: UInt64

    /// Creates a reference.
    package init(device: DeviceID, id: FenceEvent.ID, number: UInt64) {
      self.device = device
      self.id = id
      self.number = number
    }
  }

  /// The reference.
  package var reference: Reference
  /// The crossing.
  package var event: FenceEvent

  /// Creates a crossing.
  package init(_ event: FenceEvent, of device: DeviceID, number: UInt64) {
    reference = Reference(device: device, id: event.id, number: number)
    self.event = event
  }
}
