extension String {
  /// The text with a replacement character for each line end, bidirectional control and terminal control.
  ///
  /// A source's text may come from a journal of unknown origin, and must not imitate the output of the command.
  package var sanitizedToOneLine: String {
    guard unicodeScalars.contains(where: \.affectsTerminal) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars { text.append(scalar.affectsTerminal ? "\u{FFFD}" : scalar) }
    return String(text)
  }

  /// The text sanitized in the same way, but with its line ends.
  package var sanitizedKeepingLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).sanitizedToOneLine }.joined(
      separator: "\n")
  }
}

extension Unicode.Scalar {
  fileprivate var affectsTerminal: Bool {
    guard !isASCII else { return value < 0x20 || value == 0x7F }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
