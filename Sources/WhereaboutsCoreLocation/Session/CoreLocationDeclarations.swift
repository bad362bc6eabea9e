import WhereaboutsModel

/// The declarations of an app's Info.plist that Core Location needs.
struct CoreLocationDeclarations: Hashable, Sendable {
  static let whenInUseKey = "NSLocationWhenInUseUsageDescription"
  static let alwaysKey = "NSLocationAlwaysAndWhenInUseUsageDescription"
  static let macKey = "NSLocationUsageDescription"
  static let backgroundModesKey = "UIBackgroundModes"
  static let purposesKey = "NSLocationTemporaryUsageDescriptionDictionary"

  /// Whether the app states its reasons for using the place while in use, at any time, and on a Mac.
  var hasWhenInUseText = false
  var hasAlwaysText = false
  var hasMacText = false
  /// Whether the app has the background mode `location`.
  var hasBackgroundMode = false
  /// The keys of the purposes of full accuracy for a while that the app states.
  var purposeKeys: Set<String> = []

  /// Declarations that are read from an Info.plist.
  init(
    text: (String) -> String?, list: (String) -> [String]?, texts: (String) -> [String: String]?
  ) {
    func hasText(for key: String) -> Bool { text(key).map { !$0.isEmpty } ?? false }
    hasWhenInUseText = hasText(for: Self.whenInUseKey)
    hasAlwaysText = hasText(for: Self.alwaysKey)
    hasMacText = hasText(for: Self.macKey)
    hasBackgroundMode = list(Self.backgroundModesKey)?.contains("location") ?? false
    purposeKeys = Set((texts(Self.purposesKey) ?? [:]).filter { !$0.value.isEmpty }.keys)
  }

  init(
    hasWhenInUseText: Bool = false, hasAlwaysText: Bool = false, hasMacText: Bool = false,
    hasBackgroundMode: Bool = false, purposeKeys: Set<String> = []
  ) {
    self.hasWhenInUseText = hasWhenInUseText
    self.hasAlwaysText = hasAlwaysText
    self.hasMacText = hasMacText
    self.hasBackgroundMode = hasBackgroundMode
    self.purposeKeys = purposeKeys
  }

  /// Returns whether Core Location would show a question for this level.
  func allowsRequest(for level: Authorization.Level, on platform: CoreLocationPlatform) -> Bool {
    if platform.isMac { return hasMacText || hasWhenInUseText }
    switch level {
    case .whenInUse: return hasWhenInUseText
    case .always: return platform.hasAlways && hasWhenInUseText && hasAlwaysText
    }
  }

  /// Returns the levels that the source may request.
  func requestableLevels(upTo highest: Authorization.Level, on platform: CoreLocationPlatform)
    -> Set<Authorization.Level>
  {
    Set(Authorization.Level.allCases.filter { $0 <= highest && allowsRequest(for: $0, on: platform) })
  }

  /// Returns the declarations that are missing for these settings.
  func problems(
    highest: Authorization.Level, allowsBackgroundUpdates: Bool, purposes: [String] = [],
    on platform: CoreLocationPlatform
  ) -> [SourceProblem] {
    var problems: [SourceProblem] = []
    if !allowsRequest(for: .whenInUse, on: platform) {
      problems.append(CoreLocationProblems.missingText(platform.isMac ? Self.macKey : Self.whenInUseKey))
    }
    if highest == .always, platform.hasAlways, !platform.isMac, !hasAlwaysText {
      problems.append(CoreLocationProblems.missingText(Self.alwaysKey))
    }
    if allowsBackgroundUpdates, platform.hasBackgroundMode, !hasBackgroundMode {
      problems.append(CoreLocationProblems.missingBackgroundMode)
    }
    problems += purposes.filter { !purposeKeys.contains($0) }.map(CoreLocationProblems.missingPurpose)
    return problems
  }
}
