import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsSystem

/// A time zone as typed: a name of the IANA database, as in `Europe/Berlin`, an offset, as in `UTC+2`, or `stated`.
struct TimeZoneArgument: ExplainedArgument {
  static let form =
    "Write a name of the time zone database, as in Europe/Berlin, or an offset, as in UTC+2 or UTC-03:30, or stated"

  /// The rules; `nil` for the offsets that recordings state.
  var rules: TimeZoneRules?

  init?(argument: String) {
    if argument == "stated" { return }
    if argument.lowercased().hasPrefix("utc"), let ahead = ActiveHours.offset(argument.dropFirst(3)) {
      rules = TimeZoneRules(name: argument, firstOffset: Int(ahead.components.seconds))
      return
    }
    guard let rules = try? TimeZoneRules(named: argument) else { return nil }
    self.rules = rules
  }
}

extension TimeZoneRules {
  /// The time zone of the system: that of `TZ`, or of `/etc/localtime`, or UTC.
  static var system: TimeZoneRules {
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
