import Whereabouts
package import WhereaboutsModel
import WhereaboutsSystem

extension TimeZoneRules {
  /// The time zone of the system: that of `TZ`, or of `/etc/localtime`, or UTC.
  package static var system: TimeZoneRules {
    if let value = getenv("TZ").map({ String(cString: $0) }), let rules = TimeZoneRules(environment: value) {
      return rules
    }
    return linkedZone.flatMap { try? TimeZoneRules(named: $0) } ?? .utc
  }

  /// Creates the zone of a value of `TZ`: a name of the time zone database, the path of its file, or a rule in POSIX
  /// form, as in `CET-1CEST,M3.5.0,M10.5.0/3`. A colon may precede the value.
  private init?(environment value: String) {
    let text = value.hasPrefix(":") ? String(value.dropFirst()) : value
    if let rules = try? TimeZoneRules(named: Self.name(ofPath: text) ?? text) {
      self = rules
      return
    }
    // C libraries use these days where a rule has a summer time without days.
    guard let yearly = YearlyClockRule(text) ?? YearlyClockRule("\(text),M3.2.0,M11.1.0") else { return nil }
    self.init(name: text, firstOffset: 0, transitions: [], yearly: yearly)
    firstOffset = offset(at: UTCTime(nanosecondsSince1970: 0))
  }

  /// The name of the zone to which the system's link points.
  private static var linkedZone: String? {
    guard let path = realpath("/etc/localtime", nil) else { return nil }
    defer { free(path) }
    return name(ofPath: String(cString: path))
  }

  /// Returns the name of the zone of a file in the time zone database; `nil` for any other path.
  private static func name(ofPath path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let folder = parts.lastIndex(of: "zoneinfo") else { return nil }
    return parts[(folder + 1)...].joined(separator: "/")
  }
}
