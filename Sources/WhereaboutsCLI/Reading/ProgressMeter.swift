import WhereaboutsCore

/// Shows a ``ProgressLine`` on standard error, if that is a terminal.
struct ProgressMeter {
  private var line: ProgressLine
  private var done = 0
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private let isShown: Bool

  /// Work of so many bytes begins now; `nil` where that is not known.
  init(total: Int?) {
    start = clock.now
    line = ProgressLine(total: total, start: .start)
    isShown = System.isTerminal(System.standardError)
  }

  /// So many bytes more are done.
  mutating func advance(by bytes: Int) {
    guard isShown else { return }
    done += bytes
    if let text = line.advance(to: done, at: Instant(start.duration(to: clock.now))) {
      StandardError.write(text)
    }
  }

  /// The work is over: nothing of the line is left on the terminal.
  mutating func end() {
    if isShown, let erasure = line.erasure { StandardError.write(erasure) }
  }
}

/// Where diagnostics go.
enum StandardError {
  /// Writes text as it is. A closed standard error is no reason to fail.
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { try? System.write(System.standardError, UnsafeRawBufferPointer($0)) }
  }
}
