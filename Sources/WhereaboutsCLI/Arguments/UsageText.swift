import WhereaboutsOperations

/// Usage lines wrapped to the width of a terminal.
enum UsageText {
  /// The usual number of terminal columns.
  static let width = 80
  /// The columns of help; `nil` for the default. ArgumentParser traps in fewer columns than its option names take, 27.
  static var columns: Int? {
    let columns = System.environment("COLUMNS").flatMap { Int($0) } ?? System.columns(System.standardOutput)
    return columns.map { max($0, 40) }
  }
  private static let labels = ["USAGE: ", "Usage: "]

  /// Returns a message with its usage lines wrapped between arguments. Other lines stay unchanged.
  static func wrapped(_ message: String) -> String {
    message.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.count > width, let label = labels.first(where: { line.hasPrefix($0) }) else {
        return String(line)
      }
      return wrapped(arguments(of: line.dropFirst(label.count)), behind: label)
    }.joined(separator: "\n")
  }

  private static func wrapped(_ arguments: [String], behind label: String) -> String {
    let margin = String(repeating: " ", count: label.count)
    var lines = [label]
    for argument in arguments {
      let last = lines.count - 1
      let isFirst = lines[last].count == label.count
      if isFirst || lines[last].count + 1 + argument.count <= width {
        lines[last] += (isFirst ? "" : " ") + argument
      } else {
        lines.append(margin + argument)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the words of a usage line. `[--to <format>]` is one word, and so is `--to <format>`.
  private static func arguments(of line: Substring) -> [String] {
    var arguments: [String] = []
    var depth = 0
    var word = ""
    for character in line {
      if "[(<".contains(character) { depth += 1 }
      if "])>".contains(character) { depth -= 1 }
      if character == " ", depth == 0 {
        arguments.append(word)
        word = ""
      } else {
        word.append(character)
      }
    }
    if !word.isEmpty { arguments.append(word) }
    return joiningValues(arguments)
  }

  private static func joiningValues(_ words: [String]) -> [String] {
    words.reduce(into: []) { joined, word in
      if word.hasPrefix("<"), let option = joined.last, option.hasPrefix("--"), !option.contains(" ") {
        joined[joined.count - 1] = "\(option) \(word)"
      } else {
        joined.append(word)
      }
    }
  }
}
