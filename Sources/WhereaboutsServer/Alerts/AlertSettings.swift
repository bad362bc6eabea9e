import Whereabouts
package import WhereaboutsEngine
import WhereaboutsModel

/// The alerts of a server, and the channels by which they notify.
package struct AlertSettings: Hashable, Sendable {
  /// An alert with its channels.
  package struct Entry: Hashable, Sendable {
    /// The alert.
    package var alert: Alert
    /// The names of the channels.
    package var channels: [String]
    /// Whether revisions and revocations of a notified crossing are notified too.
    package var sendsCorrections: Bool

    /// Whether the alert needs to know in which fences the devices are.
    var needsPresence: Bool {
      alert.combinesDevices || alert.steps.contains { $0.places.contains { $0.fences.count > 1 } }
    }
  }

  /// The alerts, in the order of the file.
  package var alerts: [Entry] = []
  /// The channels.
  package var channels: [NotificationChannel] = []
  /// The dangers of the file, with their places and remedies.
  package var warnings: [String] = []

  /// The ids of fences that the alerts name.
  var fences: Set<FenceID> {
    Set(alerts.flatMap { $0.alert.steps.flatMap { $0.places.flatMap(\.fences) } })
  }

  /// Whether an alert needs to know in which fences the devices are.
  var needsPresence: Bool { alerts.contains(where: \.needsPresence) }

  /// Returns the fences of which an alert needs to know whether a device is in them.
  ///
  /// - Parameters:
  ///   - device: the device; `nil` for any.
  ///   - crosses: whether the device crosses a fence now. If not, only alerts about devices together need its sides.
  func presenceFences(of device: DeviceID?, crosses: Bool = true) -> Set<FenceID> {
    var fences: Set<FenceID> = []
    for entry in alerts where entry.needsPresence && (crosses || entry.alert.combinesDevices) {
      guard device.map({ entry.alert.concerns($0) }) ?? true else { continue }
      for step in entry.alert.steps {
        for place in step.places { fences.formUnion(place.fences) }
      }
    }
    return fences
  }
}
