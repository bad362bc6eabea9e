import ArgumentParser

/// `whereabouts store`: commands for the store file.
struct StoreGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Check the file that fixes, trips, fences and events are kept in.",
    subcommands: [StoreCheckCommand.self])
}
