/// The origin of a setting's value.
package enum SettingOrigin: Hashable, Sendable, CustomStringConvertible {
  /// A flag of the command line.
  case flag(String)
  /// A variable of the environment.
  case variable(String)
  /// A line of a configuration file; the first is 1.
  case line(Int, of: String)
  /// A configuration file as a whole.
  case file(String)

  package var description: String {
    switch self {
    case .flag(let flag): flag
    case .variable(let name): "environment variable \(name)"
    case .line(let number, let file): "\(file):\(number)"
    case .file(let file): file
    }
  }
}

/// The text of a setting, and where it stands.
package struct SettingValue: Hashable, Sendable {
  package var text: String
  package var origin: SettingOrigin

  package init(_ text: String, _ origin: SettingOrigin) {
    self.text = text
    self.origin = origin
  }
}

extension SettingOrigin {
  /// Whether the value is from the environment.
  package var isVariable: Bool {
    if case .variable = self { true } else { false }
  }
}
