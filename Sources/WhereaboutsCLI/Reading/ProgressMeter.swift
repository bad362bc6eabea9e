import WhereaboutsModel

/// A ``ProgressLine`` on standard error, if standard error is a terminal.
final class ProgressMeter {
  private var line: ProgressLine
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var isShown: Bool

  /// Starts the progress of a number of bytes; `nil` if the number is unknown.
  ///
  /// - Parameter isWanted: whether to show the progress.
  init(total: Int?, isWanted: Bool) {
    start = clock.now
    line = ProgressLine(total: total, start: .start)
    isShown = isWanted && System.isTerminal(System.standardError)
  }

  /// Advances to a number of processed bytes.
  func advance(to done: Int) {
    guard isShown else { return }
    if let text = line.advance(to: done, at: Instant(start.duration(to: clock.now))) {
      StandardError.write(text)
    }
  }

  /// Ends the progress and erases the line.
  func end() {
    if isShown, let erasure = line.erasure { StandardError.write(erasure) }
    isShown = false
  }

  // Also erases the line if an error ended the work.
  deinit { end() }
}

/// The output for diagnostics.
enum StandardError {
  /// Prints lines of text. Control characters in a name or a source's text cannot affect the terminal.
  static func print(_ text: String) {
    write(text.sanitizedKeepingLines + "\n")
  }

  /// Writes text without escaping. A closed standard error is not an error.
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { try? System.write(System.standardError, UnsafeRawBufferPointer($0)) }
  }
}
