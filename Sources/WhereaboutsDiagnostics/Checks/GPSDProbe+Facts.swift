import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsSources

extension GPSDProbe {
  /// The facts as text: `gpsd 3.22, with /dev/ttyACM0 (u-blox)`.
  var facts: [String] {
    let names = devices.map { device in
      let driver = device.driver.map { " (\($0))" } ?? ""
      return "\(device.path)\(driver)\(device.isActive ? "" : ", not open")"
    }
    let version = release.isEmpty ? "gpsd" : "gpsd \(release)"
    return ["\(version), with \(names.isEmpty ? "no device" : names.joined(separator: ", "))"]
  }
}
