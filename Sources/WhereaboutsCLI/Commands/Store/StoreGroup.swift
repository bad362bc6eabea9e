import ArgumentParser

/// `whereabouts store`: commands for the store file.
struct StoreGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Check the store file.",
    subcommands: [StoreCheckCommand.self])
}
