import ArgumentParser

/// The `whereabouts` command.
@main
struct WhereaboutsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whereabouts",
    abstract: "Where am I, how far have I come, did I enter or leave this place?",
    version: "0.1.0")
}
