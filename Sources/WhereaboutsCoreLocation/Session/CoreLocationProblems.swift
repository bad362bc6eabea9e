import WhereaboutsModel

/// Core Location's problems, with remedies for a person or the app's developer.
enum CoreLocationProblems {
  static let noPosition = SourceProblem(
    .noPosition, message: "get a position from Core Location: it has none",
    remedy: "Go where the sky or a wireless network can be seen, and switch Wi-Fi on.")
  static let noNetwork = SourceProblem(
    .unreachable, message: "reach the network that Core Location needs",
    remedy: "Switch airplane mode off and connect to a network.")
  static let paused = SourceProblem(
    .silent, message: "get fixes: Core Location has paused them", remedy: "Open the app again.")
  static let noCompass = SourceProblem(.noCompass, message: "get a heading: this device has no compass")
  static let usedBefore = SourceProblem(
    .unusable, message: "use this Core Location source: a manager has it already, or had it before",
    remedy: "Create a source for each manager.")
  static let noPlace = SourceProblem(
    .notUnderstood, message: "use what Core Location says: it is no place on earth")
  static let noSignificantChanges = SourceProblem(
    SourceProblem.Code(rawValue: "no-significant-changes"),
    message: "watch significant changes: this platform has none, so fixes within a kilometre replace them")
  static let noRegionLeft = SourceProblem(
    SourceProblem.Code(rawValue: "no-region-left"),
    message: "watch regions: other code of this app has taken all of them, so fences are noticed late",
    remedy: "Let the other code stop some of its regions, then open the app again.")
  static let noRegions = SourceProblem(
    SourceProblem.Code(rawValue: "no-regions"),
    message: """
      watch regions: this device watches none, so fences are noticed late while the app is not running
      """,
    remedy: "Keep the app running with background updates where fences must be noticed in time.")
  static let missingBackgroundMode = SourceProblem(
    .notPermitted, message: "get fixes in the background: the app has no background mode for location",
    remedy: "Add `location` to \(CoreLocationDeclarations.backgroundModesKey) in Info.plist.")

  static func notInUse(on platform: CoreLocationPlatform) -> SourceProblem {
    SourceProblem(
      SourceProblem.Code(rawValue: "not-in-use"),
      message: "get fixes: Core Location refuses them despite the permission, as where the app is not in use",
      remedy: "Open the app. If it is open, check location services in \(platform.settingsPath).")
  }

  static func missingText(_ key: String) -> SourceProblem {
    SourceProblem(
      .notPermitted, message: "ask for permission: Info.plist has no \(key)",
      remedy:
        "Say in \(key) of Info.plist why the app needs the location. A bare tool on a Mac has no Info.plist.")
  }

  static func missingPurpose(_ key: String) -> SourceProblem {
    let purposes = CoreLocationDeclarations.purposesKey
    return SourceProblem(
      .notPermitted, message: "ask for full accuracy: \(purposes) in Info.plist has no \(key)",
      remedy: "Say in \(key) of \(purposes) in Info.plist why the app needs the full accuracy for a while.")
  }

  /// - Parameter name: the error's domain and code, never its text, which may hold anything.
  static func unknown(_ name: String) -> SourceProblem {
    SourceProblem(.unreachable, message: "use Core Location: error \(name)")
  }
}
