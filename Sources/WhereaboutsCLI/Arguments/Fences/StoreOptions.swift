import ArgumentParser

/// Where fences and their events are kept: the same for every command about them.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder that keeps fences and events. The standard is whereabouts in $XDG_DATA_HOME or ~/.local/share.",
      valueName: "folder"),
    completion: .directory)
  var store: String?

  init() {}

  func validate() throws {
    if store?.isEmpty == true { throw ValidationError("--store needs a folder") }
  }

  /// The folder, there or not.
  func open() throws(CommandFailure) -> FenceFolder {
    guard let folder = store ?? Self.standard else {
      throw CommandFailure(
        "could not tell where fences are kept: there is no home; --store says it", code: .usage)
    }
    return FenceFolder(folder: folder)
  }

  private static var standard: String? {
    // The specification has relative paths ignored.
    if let data = System.environment("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/whereabouts" }
    guard let home = System.environment("HOME"), !home.isEmpty else { return nil }
    return "\(home)/.local/share/whereabouts"
  }
}
