extension String {
  /// Itself with a replacement character for each that would end the line, turn the writing round or steer a terminal.
  ///
  /// What a source said may come from somebody else's journal, and must not pass for what the command says.
  var onOneLine: String {
    guard unicodeScalars.contains(where: \.steersText) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars { text.append(scalar.steersText ? "\u{FFFD}" : scalar) }
    return String(text)
  }

  /// The same, with the ends of its lines kept.
  var onItsLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).onOneLine }.joined(
      separator: "\n")
  }
}

extension Unicode.Scalar {
  fileprivate var steersText: Bool {
    guard !isASCII else { return value < 0x20 || value == 0x7F }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
