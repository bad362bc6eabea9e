import Whereabouts
package import WhereaboutsModel
package import WhereaboutsReports

/// A ``SearchLine`` on standard error while a request waits, if standard error is a terminal.
package actor SearchProgressMeter {
  /// The delay before the line appears. A request that is answered sooner shows no line.
  private static let startDelay = Duration.milliseconds(300)
  private static let refreshInterval = Duration.milliseconds(200)

  private var line: SearchLine
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var isShown = false
  private var isOver: Bool

  package init(_ line: SearchLine) {
    self.line = line
    start = clock.now
    isOver = !System.isTerminal(System.standardError)
  }

  /// Rewrites the line regularly, because the remaining time changes even without fixes.
  package func run() async {
    try? await clock.sleep(for: Self.startDelay)
    while !isOver, !Task.isCancelled {
      show()
      try? await clock.sleep(for: Self.refreshInterval)
    }
  }

  /// Updates the line with a better fix.
  package func update(with answer: Answer) {
    line.update(with: answer, after: start.duration(to: clock.now))
    if isShown, !isOver { show() }
  }

  /// Updates the line with a change of the source.
  package func update(with source: ServiceStatus.Source) {
    line.update(with: source)
    if isShown, !isOver { show() }
  }

  /// Ends the progress and erases the line.
  package func end() {
    if isShown, !isOver { StandardError.write("\r\u{1B}[K") }
    isOver = true
  }

  private func show() {
    // The last column stays empty, because some terminals wrap there.
    let columns = (System.columns(System.standardError) ?? 80) - 1
    StandardError.write("\r\u{1B}[K\(line.text(after: start.duration(to: clock.now), columns: columns))")
    isShown = true
  }
}
