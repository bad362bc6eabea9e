import Whereabouts
import WhereaboutsGeodesy
package import WhereaboutsReports

/// Privacy zones as text and as JSON.
package enum ZoneText {
  /// Returns the terms of a zone, without its place.
  package static func terms(_ zone: PrivacyZone) -> [String] {
    let policy =
      switch zone.policy {
      case .hide: "hidden"
      case .coarsen(let metres): "on a grid of \(Quantities.length(metres))"
      }
    return [
      policy, "radius \(Quantities.length(zone.radius))", "cover \(Quantities.length(zone.cover.radius))",
      zone.device.map { "device \($0)" } ?? "every device",
    ]
  }

  /// Returns a zone as JSON: `zone`, `lat`, `lon`, `radius` and `coarse` in metres (absent where fixes are hidden),
  /// `device` (absent for every device), and `cover` (`lat`, `lon`, `radius`), the circle that applies.
  package static func json(_ zone: PrivacyZone) -> JSONObject {
    var line = JSONObject()
    line.add("zone", zone.name)
    line.add("lat", zone.center.latitude)
    line.add("lon", zone.center.longitude)
    line.add("radius", zone.radius)
    if case .coarsen(let metres) = zone.policy { line.add("coarse", metres) }
    line.add("device", zone.device?.rawValue)
    var cover = JSONObject()
    cover.add("lat", zone.cover.center.latitude)
    cover.add("lon", zone.cover.center.longitude)
    cover.add("radius", zone.cover.radius)
    line.add("cover", cover)
    return line
  }
}
