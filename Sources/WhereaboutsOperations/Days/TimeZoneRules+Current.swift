import Whereabouts
package import WhereaboutsModel
import WhereaboutsSystem

extension TimeZoneRules {
  /// The time zone of the system: that of `TZ`, or of `/etc/localtime`, or UTC.
  package static var system: TimeZoneRules {
    let names = [getenv("TZ").map { String(cString: $0) }, linkedZone].compactMap { $0 }
    for name in names {
      let bare = name.hasPrefix(":") ? String(name.dropFirst()) : name
      if let rules = try? TimeZoneRules(named: bare) { return rules }
    }
    return .utc
  }

  /// The name of the zone to which the system's link points.
  private static var linkedZone: String? {
    guard let path = realpath("/etc/localtime", nil) else { return nil }
    defer { free(path) }
    let parts = String(cString: path).split(separator: "/")
    guard let folder = parts.lastIndex(of: "zoneinfo") else { return nil }
    return parts[(folder + 1)...].joined(separator: "/")
  }
}
