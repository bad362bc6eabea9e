import WhereaboutsReports

/// The output for diagnostics.
package enum StandardError {
  /// Prints lines of text. Control characters in a name or a source's text cannot affect the terminal.
  package static func print(_ text: String) {
    write(text.sanitizedKeepingLines + "\n")
  }

  /// Writes text without escaping. A closed standard error is not an error.
  package static func write(_ text: String) {
    var text = text
    text.withUTF8 { try? System.write(System.standardError, UnsafeRawBufferPointer($0)) }
  }
}
