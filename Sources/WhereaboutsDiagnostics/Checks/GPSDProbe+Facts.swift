import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsSources
import WhereaboutsSystem

extension GPSDProbe {
  /// Returns the facts as text: `gpsd 3.22, with /dev/ttyACM0 (u-blox)`, and the choice among several devices.
  func facts(of address: GPSDAddress) -> [String] {
    let names = devices.map { device in
      let driver = device.driver.map { " (\($0))" } ?? ""
      return "\(device.path)\(driver)\(device.isActive ? "" : ", not open")"
    }
    let version = release.isEmpty ? "gpsd" : "gpsd \(release)"
    let list = "\(version), with \(names.isEmpty ? "no device" : names.joined(separator: ", "))"
    let paths = devices.map(\.path)
    guard address.device == nil, paths.count > 1, let path = paths.first(where: { $0.hasPrefix("/") }) else {
      return [list]
    }
    var single = address
    single.device = path
    let choice = "the first device with a fix is used while it has fixes; use one only"
    return [list, "\(choice): `--source \(single.name.shellQuoted)`"]
  }
}
