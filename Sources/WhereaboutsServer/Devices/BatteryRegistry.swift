import Synchronization
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

/// The newest stated battery levels of phones, since the start of the server. They are not stored.
final class BatteryRegistry: Sendable {
  private struct Entry {
    var battery: PhoneBattery
    var time: UTCTime
  }

  private let batteries = Mutex<[DeviceID: Entry]>([:])
  /// The time of a device's newest stored fix; `nil` if there is none.
  private let newestFixTime: @Sendable (DeviceID) -> UTCTime?

  init(newestFixTime: @escaping @Sendable (DeviceID) -> UTCTime?) {
    self.newestFixTime = newestFixTime
  }

  subscript(device: DeviceID) -> PhoneBattery? { batteries.withLock { $0[device]?.battery } }

  /// Forgets the battery of an erased device.
  func forget(_ device: DeviceID) { batteries.withLock { $0[device] = nil } }

  /// Stores the newest battery of a report, unless a newer one is known: a phone may send its old positions late. As long
  /// as none is known, a battery from before the newest stored fix is not stored either.
  ///
  /// - Parameter arrival: the time of a battery without a time, and the latest possible one.
  /// - Returns: whether the device has another battery level or state of charging than before.
  @discardableResult
  func update(_ report: PhoneReport, arrival: UTCTime, of device: DeviceID) -> Bool {
    var newest: Entry?
    func add(_ battery: PhoneBattery, at time: UTCTime) {
      let time = min(time, arrival)
      if let newest, newest.time > time { return }
      newest = Entry(battery: battery, time: time)
    }
    for fix in report.fixes {
      if let battery = fix.battery { add(battery, at: fix.time) }
    }
    if let battery = report.battery { add(battery, at: report.batteryTime ?? arrival) }
    guard let newest else { return false }
    if self[device] == nil, let time = newestFixTime(device), newest.time < min(time, arrival) {
      return false
    }
    return batteries.withLock { batteries in
      let known = batteries[device]
      if let known, known.time > newest.time { return false }
      batteries[device] = newest
      return known?.battery != newest.battery
    }
  }
}
