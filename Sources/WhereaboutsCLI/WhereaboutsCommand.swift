import ArgumentParser
import NIOCore
import WhereaboutsModel
import WhereaboutsOperations

/// The `whereabouts` command.
@main
struct WhereaboutsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whereabouts",
    abstract: "Report the device's location, distance travelled and fence crossings.",
    discussion: """
      Commands print text by default, and JSON with --json: one object per line. Diagnostics go to standard error.


      Exit codes: 0 success, 1 failure, 2 usage error, 3 timeout, 4 permission denied, 5 silent receiver, 6 no \
      receiver, 7 receiver, port or store in use by another program, 130 interrupted before a result.
      """,
    version: "0.1.0",
    subcommands: [
      Now.self, Watch.self, HeadingCommand.self, Track.self, FenceGroup.self, History.self, Trips.self,
      Days.self, Visits.self, PlacesGroup.self, Last.self, Power.self, Import.self, RepairGroup.self,
      Export.self, Forget.self,
      StoreGroup.self, QueueGroup.self, Explain.self,
      Replay.self, Convert.self, Relay.self, Doctor.self,
    ] + serverCommands)

  /// The commands for the server; none without the package trait `Server`.
  private static var serverCommands: [any ParsableCommand.Type] {
    #if Server
      [Serve.self, AlertsCommand.self, Rejected.self, TokenGroup.self, ZoneGroup.self]
    #else
      []
    #endif
  }

  /// The words of the command line. `serve rejected` is another name of `rejected`: as a subcommand, it would lose
  /// `--store` to `serve`.
  private static var words: [String] {
    var words = Array(CommandLine.arguments.dropFirst())
    let start = words.first == "help" ? 1 : 0
    if words.dropFirst(start).starts(with: ["serve", "rejected"]) { words.remove(at: start) }
    return words
  }

  /// Parses the command line, runs the command and ends with its exit code.
  static func main() async {
    System.reserveStandardDescriptors()
    System.ignoreWriteSignals()
    // ArgumentParser also renders help where no columns can be passed.
    if let columns = UsageText.columns { System.setEnvironment("COLUMNS", to: "\(columns)") }
    do {
      let arguments = joiningNegativeValues(words)
      try tree(of: Self.self).refuseUnknownCommand(of: arguments)
      try CommandTree.refuseDashedWord(in: arguments)
      var command = try parseAsRoot(arguments)
      if var asynchronous = command as? any AsyncParsableCommand {
        try OpenFileLimit.ensure()
        // One event loop is enough for a receiver, and each loop has three open files.
        NIOSingletons.groupLoopCountSuggestion = 1
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      System.exit(report(error))
    }
  }

  /// Returns a command with its subcommands, for errors about unknown words.
  private static func tree(of command: any ParsableCommand.Type) -> CommandTree {
    CommandTree(
      command._commandName, command.configuration.subcommands.map { tree(of: $0) },
      hasDefault: command.configuration.defaultSubcommand != nil
    ) { helpMessage(for: command, includeHidden: true, columns: UsageText.width) }
  }

  /// Prints the error or the message to the right output, and returns the exit code.
  private static func report(_ error: any Error) -> Int32 {
    if let failure = error as? CommandError {
      if !failure.message.isEmpty { StandardError.print("whereabouts: \(failure.message)") }
      return failure.code.rawValue
    }
    if let problem = error as? SourceProblem {
      return report(CommandError(problem))
    }
    let wrapped = UsageText.wrapped(fullMessage(for: error, columns: UsageText.columns))
    let message = CommandHint.explaining(
      tree(of: Self.self).namingUnknownOption(in: wrapped, of: words), of: words)
    switch exitCode(for: error) {
    case .success:
      // Help, the version or a completion script.
      if !message.isEmpty { print(message) }
      return 0
    case .validationFailure:
      StandardError.print("\(message)")
      return CommandError.Code.usage.rawValue
    case let code:
      if !message.isEmpty { StandardError.print("\(message)") }
      return code.rawValue
    }
  }
}
