package import WhereaboutsModel

/// The fences that each device is in, by its crossings, and before the first of them by its side at the start.
package struct AlertPresence: Hashable, Sendable {
  private var fences: [DeviceID: Set<FenceID>] = [:]
  /// The fences whose side is known.
  private var known: [DeviceID: Set<FenceID>] = [:]

  /// Creates an empty presence.
  package init() {}

  /// Returns those of some fences whose side is not known: no crossing has shown it, and nobody has stated it.
  package func unknown(_ fences: Set<FenceID>, of device: DeviceID) -> Set<FenceID> {
    fences.subtracting(known[device] ?? [])
  }

  /// Sets the side of a fence before the first crossing.
  package mutating func learn(_ fence: FenceID, of device: DeviceID, isInside: Bool) {
    known[device, default: []].insert(fence)
    if isInside { fences[device, default: []].insert(fence) }
  }

  /// Applies a crossing.
  package mutating func apply(_ event: FenceEvent, of device: DeviceID) {
    known[device, default: []].insert(event.fence)
    switch event.kind {
    case .enter, .dwell: fences[device, default: []].insert(event.fence)
    case .exit: fences[device]?.remove(event.fence)
    }
  }

  /// Reverts a crossing that did not happen.
  package mutating func revert(_ event: FenceEvent, of device: DeviceID) {
    switch event.kind {
    case .enter: fences[device]?.remove(event.fence)
    case .exit: fences[device]?.insert(event.fence)
    case .dwell: break
    }
  }

  /// Removes the fences that no longer exist.
  package mutating func retainFences(where exists: (FenceID) -> Bool) {
    for device in known.keys {
      guard let all = known[device], !all.allSatisfy(exists) else { continue }
      known[device] = all.filter(exists)
    }
    for device in fences.keys {
      guard let inside = fences[device], !inside.allSatisfy(exists) else { continue }
      fences[device] = inside.filter(exists)
    }
  }

  /// Removes the devices that no longer exist.
  package mutating func retainDevices(_ devices: Set<DeviceID>) {
    fences = fences.filter { devices.contains($0.key) }
    known = known.filter { devices.contains($0.key) }
  }

  /// Returns whether any of some devices is in a place.
  ///
  /// - Parameters:
  ///   - devices: the names of the devices; `nil` for all.
  ///   - crossed: a fence that a device crosses now, which does not count for the device.
  func isOccupied(_ place: Alert.Place, by devices: Set<DeviceID>?, without crossed: (FenceID, DeviceID))
    -> Bool
  {
    fences.contains { device, inside in
      guard devices?.contains(device) ?? true else { return false }
      return inside.contains { fence in
        place.fences.contains(fence) && (fence, device) != crossed
      }
    }
  }
}
