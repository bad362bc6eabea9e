package import WhereaboutsModel

/// A condition on the crossings of devices, which notifies people or programs when it is met.
///
/// A pure value: the progress of the condition is an ``AlertProgress``, and time arrives with the crossings.
package struct Alert: Hashable, Sendable {
  /// One or more fences that count as one place: a device enters with the first of them and leaves with the last.
  package struct Place: Hashable, Sendable {
    /// The name of the group, or the id of the single fence.
    package var name: String
    /// The fences.
    package var fences: Set<FenceID>

    /// Creates a place.
    package init(name: String, fences: Set<FenceID>) {
      self.name = name
      self.fences = fences
    }

    /// Creates a place of one fence.
    package init(_ fence: FenceID) { self.init(name: fence.name, fences: [fence]) }
  }

  /// A crossing that the alert waits for.
  package struct Step: Hashable, Sendable {
    /// The places, any of which may be crossed.
    package var places: [Place]
    /// The kinds of crossings.
    package var kinds: Set<FenceEvent.Kind>
    /// The longest time since the step before; `nil` for no limit.
    package var within: Duration?

    /// Creates a step.
    package init(places: [Place], kinds: Set<FenceEvent.Kind>, within: Duration? = nil) {
      self.places = places
      self.kinds = kinds
      self.within = within
    }
  }

  /// The name, unique among the alerts.
  package var name: String
  /// The names of the devices; `nil` for all.
  package var devices: Set<DeviceID>?
  /// Whether the devices count as one: the first enters, the last leaves, and steps may be those of different devices.
  package var combinesDevices = false
  /// The crossings in their order; one for an alert without a sequence.
  package var steps: [Step]
  /// The hours in which the last crossing must happen; `nil` for always.
  package var hours: ActiveHours?
  /// The hours without notifications; `nil` for none.
  package var quietHours: ActiveHours?
  /// Whether a notification waits for the end of the quiet hours; otherwise it is dropped.
  package var holdsInQuietHours = true
  /// The least time between two crossings that are notified.
  package var coolDown = Duration.zero
  /// The greatest age of a crossing at the time of its evaluation; `nil` for no limit.
  package var maximumAge: Duration?

  /// Creates an alert for all devices.
  package init(name: String, steps: [Step]) {
    self.name = name
    self.steps = steps
  }

  /// Returns whether the crossings of a device count.
  package func concerns(_ device: DeviceID) -> Bool { devices?.contains(device) ?? true }

  /// A text that changes with the meaning of a stored progress.
  var form: String {
    let steps = steps.map { step in
      let places = step.places.map { "\($0.name)=\($0.fences.map(\.name).sorted().joined(separator: "+"))" }
      let kinds = step.kinds.map(\.rawValue).sorted()
      return "\(kinds.joined(separator: "|")) \(places.joined(separator: "|"))"
    }
    return (combinesDevices ? "all " : "each ") + steps.joined(separator: ", ")
  }
}
