/// A command with its subcommands, for errors about unknown words of a command line.
package struct CommandTree {
  private let name: String
  private let subcommands: [CommandTree]
  /// Whether a subcommand runs without its name: the next word may be an argument of it.
  private let hasDefault: Bool
  /// Returns the help, which has every option of the command.
  private let help: () -> String

  package init(_ name: String, _ subcommands: [CommandTree], hasDefault: Bool, help: @escaping () -> String) {
    self.name = name
    self.subcommands = subcommands
    self.hasDefault = hasDefault
    self.help = help
  }

  private var names: [String] { subcommands.map(\.name) }

  private subscript(name: String) -> CommandTree? { subcommands.first { $0.name == name } }

  /// Throws an error with a hint for an unknown command or subcommand. ArgumentParser would report only an unexpected
  /// argument or option, and show the general help for an unknown topic of `help`.
  package func refuseUnknownCommand(of arguments: [String]) throws(CommandError) {
    if arguments.first == "help" { return try refuseUnknownTopic(of: arguments.dropFirst()) }
    var command = self, path: [String] = []
    for word in arguments {
      guard !command.subcommands.isEmpty, !word.hasPrefix("-") else { return }
      guard let next = command[word] else {
        if command.hasDefault, !command.isMistake(word, of: path) { return }
        throw CommandError(CommandHint.unknownCommand(word, of: path, among: command.names), code: .usage)
      }
      command = next
      path.append(word)
    }
  }

  /// Whether the first word of a command with a default is meant as a subcommand, and is no file for the default.
  private func isMistake(_ word: String, of path: [String]) -> Bool {
    guard word.allSatisfy(\.isLetter), System.status(atPath: word) == nil else { return false }
    return word == "help" || CommandHint.commandLike(word.lowercased(), of: path, among: names) != nil
  }

  private func refuseUnknownTopic(of arguments: ArraySlice<String>) throws(CommandError) {
    var command = self, path = [name]
    for word in arguments.prefix(while: { !$0.hasPrefix("-") }) {
      guard let next = command[word] else {
        let names = command.names.joined(separator: ", ")
        throw CommandError(
          "no help for '\(word)': \(path.joined(separator: " ")) has "
            + (names.isEmpty ? "no subcommands" : "the subcommands \(names)"), code: .usage)
      }
      command = next
      path.append(word)
    }
  }

  /// Throws an error for a number or a word of several characters behind one dash, as a file name that begins with a
  /// dash. ArgumentParser would read each character as an option, and an `h` among them as the option for help.
  package static func refuseDashedWord(in arguments: [String]) throws(CommandError) {
    // The words of shell completion begin with `---completion`.
    let words = arguments.first?.hasPrefix("---") == true ? [] : arguments.prefix { $0 != "--" }
    guard
      let word = words.first(where: {
        $0.hasPrefix("-") && !$0.hasPrefix("--") && $0 != "-help"
          && ($0.count > 2 || $0.last?.isNumber == true)
      })
    else { return }
    throw CommandError(
      """
      unknown option '\(word)'. Write ./\(word) for a file of this name, `-- \(word)` at the end of the command for \
      another argument, and = before the value of an option, as in --name=\(word).
      """, code: .usage)
  }

  /// Returns the message of a usage error, or that of the first option that the command does not have. ArgumentParser
  /// reports such an option only if nothing else is wrong.
  package func namingUnknownOption(in message: String, of arguments: [String]) -> String {
    guard !message.hasPrefix("Error: Unknown option"), let usage = message.firstRange(of: "\nUsage: ") else {
      return message
    }
    var command = self, rest = arguments[...]
    while let word = rest.first, let next = command[word] {
      command = next
      rest.removeFirst()
    }
    guard command.subcommands.isEmpty else { return message }
    let known = Set(command.help().split { !($0.isLetter || $0.isNumber || $0 == "-") })
    let options = rest.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map { $0.prefix { $0 != "=" } }
    guard let unknown = options.first(where: { !known.contains($0) }) else { return message }
    return "Error: Unknown option '\(unknown)'" + String(message[usage.lowerBound...])
  }
}
