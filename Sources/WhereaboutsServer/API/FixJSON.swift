import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

extension [UInt8] {
  /// Appends the members of a device's fix: the device, and the fix as `watch --json` prints it.
  mutating func appendJSONMembers(of fix: Fix, device: DeviceID) {
    appendJSONMember("device", device.rawValue)
    appendJSONMembers(of: fix, .plain)
  }
}
