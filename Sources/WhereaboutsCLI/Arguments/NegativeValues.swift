/// Joins each value that begins like a negative number to the option before it: `--at -33.86,151.2` becomes
/// `--at=-33.86,151.2`.
///
/// ArgumentParser parses a word that begins with `-` as an option, so `--at` would have no value. No option of the
/// command has a digit as its name, and no argument of the command is a number.
func joiningNegativeValues(_ arguments: [String]) -> [String] {
  var joined: [String] = []
  var isAfterTerminator = false
  for argument in arguments {
    if !isAfterTerminator, beginsLikeNegativeNumber(argument), let option = joined.last, option.isLongOption {
      joined[joined.count - 1] = "\(option)=\(argument)"
    } else {
      joined.append(argument)
    }
    if argument == "--" { isAfterTerminator = true }
  }
  return joined
}

private func beginsLikeNegativeNumber(_ argument: String) -> Bool {
  var text = argument.utf8.drop { $0 == UInt8(ascii: " ") }
  guard text.popFirst() == UInt8(ascii: "-") else { return false }
  if text.first == UInt8(ascii: ".") { text.removeFirst() }
  return text.first.map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ?? false
}

extension String {
  /// Whether this text is the name of a long option without a value.
  fileprivate var isLongOption: Bool { utf8.count > 2 && hasPrefix("--") && !contains("=") }
}
