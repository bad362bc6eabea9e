package import WhereaboutsReports

extension RecordingReader {
  /// Prints the problems of a recording that has been read, and reports a part that is missing.
  ///
  /// - Returns: false if compressed bytes were damaged, cut or refused, so that the command must end with an error.
  package func reportProblems() -> Bool {
    for line in ProblemReport.lines(problems, of: name) { StandardError.print(line) }
    reportSeveralDevices()
    guard isIncomplete else { return true }
    StandardError.print("whereabouts: \(CommandError.incomplete(name))".sanitizedToOneLine)
    return false
  }

  /// Prints a note if the fixes of several devices have been read as those of one.
  package func reportSeveralDevices() {
    guard hasSeveralDevices else { return }
    StandardError.print(
      """
      \(name): its fixes are of several devices, and are read as those of one. `whereabouts import` stores the fixes of \
      each device separately.
      """.sanitizedToOneLine)
  }
}
