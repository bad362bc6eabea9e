package import WhereaboutsReports

extension RecordingReader {
  /// Prints the problems of a recording that has been read, and reports a part that is missing.
  ///
  /// - Returns: false if compressed bytes were damaged, cut or refused, so that the command must end with an error.
  package func reportProblems() -> Bool {
    for line in ProblemReport.lines(problems, of: name) { StandardError.print(line) }
    guard isIncomplete else { return true }
    StandardError.print("whereabouts: \(CommandError.incomplete(name))".sanitizedToOneLine)
    return false
  }
}
