import Synchronization
import Whereabouts
import WhereaboutsFormats

/// The last stated battery levels of phones, since the start of the server. They are not stored.
final class BatteryRegistry: Sendable {
  private let batteries = Mutex<[DeviceID: PhoneBattery]>([:])

  subscript(device: DeviceID) -> PhoneBattery? { batteries.withLock { $0[device] } }

  /// Forgets the battery of an erased device.
  func forget(_ device: DeviceID) { batteries.withLock { $0[device] = nil } }

  /// Notes the battery of a report, if the report states one.
  func note(_ report: PhoneReport, of device: DeviceID) {
    guard let battery = report.fixes.last(where: { $0.battery != nil })?.battery ?? report.battery else {
      return
    }
    batteries.withLock { $0[device] = battery }
  }
}
