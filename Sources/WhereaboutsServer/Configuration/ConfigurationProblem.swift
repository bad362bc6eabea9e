/// A mistake in the configuration, with its place and its remedy.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
  package var origin: SettingOrigin
  /// The mistake and its remedy.
  package var text: String

  package init(_ origin: SettingOrigin, _ text: String) {
    self.origin = origin
    self.text = text
  }

  package var description: String { "\(origin): \(text)" }
}

/// All mistakes of a configuration.
package struct ConfigurationProblems: Error, Hashable, Sendable, CustomStringConvertible {
  package var all: [ConfigurationProblem]

  package var description: String { all.map(\.description).joined(separator: "\n") }
}
