import ArgumentParser
import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsSources

/// How sparing a run is with the receiver: the same for every command that follows the device.
///
/// Without any of them what is asked for is asked of the source, in the background too: who started the command wants it.
struct PowerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      How sparing to be with the receiver: precise, balanced, low or minimal. In the background on battery there are \
      large moves only. If left out nothing is spared.
      """, valueName: "preset"))
  var power: PowerPresetArgument?

  @Option(
    help: ArgumentHelp(
      "Rules that choose a preset by charging, battery, hours, fences and motion: a JSON file, as in docs/power.md.",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var powerRules: String?

  init() {}

  /// Whether power is to be saved.
  var isGiven: Bool { power != nil || powerRules != nil }

  /// How power is saved. A preset that is given takes the place of that of the file; its rules stay.
  func settings() throws(CommandFailure) -> PowerSettings {
    guard isGiven else { return .unsparing }
    var settings = PowerSettings()
    if let path = powerRules { settings = try Self.settings(path: path) }
    if let power { settings.preset = power.preset }
    return settings
  }

  private static func settings(path: String) throws(CommandFailure) -> PowerSettings {
    let bytes: [UInt8]?
    do throws(System.Failure) { bytes = try System.contents(ofPath: path) } catch {
      throw CommandFailure("could not read \(path): \(error.reason)", code: error.code(otherwise: .failed))
    }
    guard let bytes else { throw CommandFailure("could not read \(path): no such file or directory") }
    let settings: PowerSettings
    do throws(PowerFile.Mistake) { settings = try PowerFile.settings(bytes) } catch {
      throw CommandFailure("could not use \(path): \(error.message.onOneLine)")
    }
    do throws(TimeZoneFailure) { return try settings.resolvingTimeZones() } catch {
      throw CommandFailure("could not use \(path): \(error)")
    }
  }

  /// What watches the host's power, where that matters: whoever has a terminal before them looks.
  var monitor: (any PowerMonitor)? { isGiven ? SystemPower(isForeground: Self.isInteractive) : nil }

  /// Whether somebody looks.
  static var isInteractive: Bool {
    System.isTerminal(System.standardOutput) || System.isTerminal(0)
  }
}

/// A preset of power, as typed.
struct PowerPresetArgument: ListedArgument, Hashable, Sendable {
  var preset: PowerPreset

  init?(argument: String) {
    guard let preset = PowerPreset.named(argument) else { return nil }
    self.preset = preset
  }

  static var allValueStrings: [String] { PowerPreset.standard.map(\.name) }

  var defaultValueDescription: String { preset.name }
}
