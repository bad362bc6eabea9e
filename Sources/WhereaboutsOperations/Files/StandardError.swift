import WhereaboutsReports

/// The output for diagnostics.
package enum StandardError {
  /// Prints lines of text. Control characters in a name or a source's text cannot affect the terminal.
  package static func print(_ text: String) {
    write(text.sanitizedKeepingLines + "\n")
  }

  /// Shows a line of progress on a terminal, in place of the one before. A signal that ends the process erases the line.
  package static func showProgress(_ line: String) {
    System.eraseProgressOnSignal()
    write("\r\u{1B}[K\(line)")
  }

  /// Erases the line of progress.
  package static func eraseProgress() {
    write("\r\u{1B}[K")
    System.endProgress()
  }

  /// Writes text without escaping. A closed standard error is not an error.
  package static func write(_ text: String) {
    var text = text
    text.withUTF8 { try? System.write(System.standardError, UnsafeRawBufferPointer($0)) }
  }
}
