import WhereaboutsCore

/// Shows a ``ProgressLine`` on standard error, if that is a terminal.
final class ProgressMeter {
  private var line: ProgressLine
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var isShown: Bool

  /// Work of so many bytes begins now; `nil` where that is not known.
  ///
  /// - Parameter isWanted: whether to show it at all.
  init(total: Int?, isWanted: Bool) {
    start = clock.now
    line = ProgressLine(total: total, start: .start)
    isShown = isWanted && System.isTerminal(System.standardError)
  }

  /// So many bytes are done by now.
  func advance(to done: Int) {
    guard isShown else { return }
    if let text = line.advance(to: done, at: Instant(start.duration(to: clock.now))) {
      StandardError.write(text)
    }
  }

  /// The work is over: nothing of the line is left on the terminal.
  func end() {
    if isShown, let erasure = line.erasure { StandardError.write(erasure) }
    isShown = false
  }

  // Whatever ended the work.
  deinit { end() }
}

/// Where diagnostics go.
enum StandardError {
  /// Writes lines of text. What a name or a source has put into them does not steer the terminal.
  static func say(_ text: String) {
    write(text.onItsLines + "\n")
  }

  /// Writes text as it is. A closed standard error is no reason to fail.
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { try? System.write(System.standardError, UnsafeRawBufferPointer($0)) }
  }
}
