/// The abilities of Core Location on a platform and on this device.
struct CoreLocationPlatform: Hashable, Sendable {
  /// The path in the settings at which a person changes the permission, for remedies.
  var settingsPath: String
  /// Whether there are continuous updates, and not only single locations.
  var hasUpdates = true
  /// Whether significant changes can be watched.
  var hasSignificantChanges = true
  /// Whether regions and visits can be watched, and wake the program.
  var hasRegions = false
  /// Whether this device watches regions; without, significant changes alone wake the program.
  var watchesRegions = true
  /// The greatest radius of a region in metres; `nil` where it is unknown.
  var greatestRegionRadius: Double?
  /// Whether the device has a compass that can be read.
  var hasHeadings = true
  /// Whether the permission for always can be requested.
  var hasAlways = true
  /// Whether background updates need the background mode `location`; without, there is nothing to allow.
  var hasBackgroundMode = true
  /// Whether the keys of a Mac's Info.plist hold.
  var isMac = false

  static let iOS = CoreLocationPlatform(
    settingsPath: "Settings, Privacy & Security, Location Services", hasRegions: true)
  /// A Mac has no compass, and Core Location has no call there that stops headings.
  static let macOS = CoreLocationPlatform(
    settingsPath: "System Settings, Privacy & Security, Location Services", hasRegions: true,
    hasHeadings: false, hasBackgroundMode: false, isMac: true)
  /// Watches have neither regions nor significant changes.
  static let watchOS = CoreLocationPlatform(
    settingsPath: "Settings, Privacy & Security, Location Services", hasSignificantChanges: false)
  static let tvOS = CoreLocationPlatform(
    settingsPath: "Settings, General, Privacy & Security, Location Services", hasUpdates: false,
    hasSignificantChanges: false, hasHeadings: false, hasAlways: false, hasBackgroundMode: false)
  static let visionOS = CoreLocationPlatform(
    settingsPath: "Settings, Privacy & Security, Location Services", hasSignificantChanges: false,
    hasHeadings: false, hasAlways: false, hasBackgroundMode: false)

  /// Returns the abilities of the program at a path. An extension, such as a widget, has the identity of its app. Its
  /// source has no fences, so it would end the regions of the app.
  func ofProgram(at path: String) -> CoreLocationPlatform {
    var platform = self
    if path.hasSuffix(".appex") { platform.hasRegions = false }
    return platform
  }
}
