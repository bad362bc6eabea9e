import Whereabouts
import WhereaboutsModel

/// The gpsd device whose fixes are used, and its last fix.
struct GPSDReceiver {
  /// The time without a fix after which another receiver's fixes are used.
  private static let switchDelay = Duration.seconds(3)

  /// The device of the fixes; `nil` before the first fix, and if gpsd names none.
  private(set) var device: String?
  private(set) var lastFix: Instant?
  /// Whether the device was lost since the last fix.
  var wasLost = false
  /// The device that was lost last.
  private(set) var lostDevice: String?
  /// The used device and another one that has had fixes meanwhile; `nil` before.
  private(set) var devicesWithFixes: (used: String, other: String)?
  private var lastSatellites: [SatellitesInView.Satellite]?

  /// Returns whether reports of a device are used.
  func isSelected(_ path: String?, at now: Instant) -> Bool {
    guard let device, let path, path != device, let lastFix else { return true }
    return now.since(lastFix) >= Self.switchDelay
  }

  /// Accepts a fix if its device's reports are used.
  mutating func acceptFix(from path: String?, at now: Instant) -> Bool {
    guard isSelected(path, at: now) else {
      if devicesWithFixes == nil, let device, let path { devicesWithFixes = (device, path) }
      return false
    }
    device = path
    lastFix = now
    return true
  }

  mutating func deviceLost(_ path: String) {
    guard device == nil || device == path else { return }
    lostDevice = path
    if lastFix != nil { wasLost = true }
    device = nil
  }

  mutating func hasChanged(_ sky: SatellitesInView) -> Bool {
    defer { lastSatellites = sky.satellites }
    return sky.satellites != lastSatellites
  }
}
