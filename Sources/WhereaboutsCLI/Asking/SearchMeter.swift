import Whereabouts
import WhereaboutsCore

/// Shows a ``SearchLine`` on standard error while a request waits, if that is a terminal.
actor SearchMeter {
  /// What is answered sooner shows nothing.
  private static let patience = Duration.milliseconds(300)
  private static let interval = Duration.milliseconds(200)

  private var line: SearchLine
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var isShown = false
  private var isOver: Bool

  init(_ line: SearchLine) {
    self.line = line
    start = clock.now
    isOver = !System.isTerminal(System.standardError)
  }

  /// Writes the line again and again, since time is left even where nothing comes.
  func run() async {
    try? await clock.sleep(for: Self.patience)
    while !isOver, !Task.isCancelled {
      show()
      try? await clock.sleep(for: Self.interval)
    }
  }

  /// A better fix has come.
  func take(_ answer: Answer) {
    line.take(answer, after: start.duration(to: clock.now))
    if isShown, !isOver { show() }
  }

  /// How it stands with the source has changed.
  func take(_ source: ServiceStatus.Source) {
    line.take(source)
    if isShown, !isOver { show() }
  }

  /// The request is over: nothing of the line is left on the terminal.
  func end() {
    if isShown, !isOver { StandardError.write("\r\u{1B}[K") }
    isOver = true
  }

  private func show() {
    // The last column stays free: a terminal that wraps there would begin a new line.
    let columns = (System.columns(System.standardError) ?? 80) - 1
    StandardError.write("\r\u{1B}[K\(line.text(after: start.duration(to: clock.now), columns: columns))")
    isShown = true
  }
}
