import WhereaboutsFormats
import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsSources

/// The power options. Every command that follows the device shares these options.
///
/// Without these options the source gets the full demand, in the background too, because a user started the command.
struct PowerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Power preset: precise, balanced, low or minimal. In the background, a preset demands only significant \
      changes: low and minimal always, the others on battery. (default: no power saving)
      """, valueName: "preset"))
  var power: PowerPresetArgument?

  @Option(
    help: ArgumentHelp(
      """
      JSON file of rules that select a preset by charging, battery, hours, fences and motion; docs/power.md \
      describes the file. (default: none)
      """,
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var powerRules: String?

  init() {}

  /// Whether a power option was given.
  var isGiven: Bool { power != nil || powerRules != nil }

  /// Returns the power settings. A preset option replaces the preset of the rules file; the file's rules stay.
  func settings() throws(CommandError) -> PowerSettings {
    guard isGiven else { return .unrestricted }
    var settings = PowerSettings()
    if let path = powerRules { settings = try PowerSettings.settings(path: path) }
    if let power { settings.preset = power.preset }
    return settings
  }

  /// The monitor of the host's power; `nil` without power options. A run with a terminal counts as foreground.
  var monitor: (any PowerMonitor)? { isGiven ? SystemPowerMonitor(isForeground: Self.isInteractive) : nil }

  /// Whether a user at a terminal reads the output.
  static var isInteractive: Bool {
    System.isTerminal(System.standardOutput) || System.isTerminal(0)
  }
}

/// A power preset as typed.
struct PowerPresetArgument: ListedArgument, Hashable, Sendable {
  var preset: PowerPreset

  init?(argument: String) {
    guard let preset = PowerPreset.named(argument) else { return nil }
    self.preset = preset
  }

  static var allValueStrings: [String] { PowerPreset.standard.map(\.name) }

  var defaultValueDescription: String { preset.name }
}
