/// The variables of the environment that configure the server.
struct ConfigurationEnvironment {
  /// The variable that names the configuration file.
  static let fileVariable = "\(ServerSetting.prefix)CONFIG"
  /// Variables that configure no server: the token of the commands that ask one, and those of this package's tests and
  /// scripts.
  private static let otherVariables: Set = [
    "WHEREABOUTS_TOKEN", "WHEREABOUTS_DATA", "WHEREABOUTS_LONG_TESTS",
  ]

  private(set) var values: [ServerSetting: SettingValue] = [:]
  private(set) var problems: [ConfigurationProblem] = []
  private(set) var file: String?

  init(_ environment: [String: String]) {
    for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(ServerSetting.prefix)
    {
      // An empty variable is the usual way to unset one.
      guard !text.isEmpty, !Self.otherVariables.contains(name) else { continue }
      if name == Self.fileVariable {
        file = text
      } else if let setting = ServerSetting(key: name) {
        values[setting] = SettingValue(text, .variable(name))
      } else {
        problems.append(ConfigurationProblem(.variable(name), UnknownKey.text(name)))
      }
    }
  }
}
