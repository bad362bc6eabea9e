import WhereaboutsModel
package import WhereaboutsReports

/// A ``ProgressLine`` on standard error, if standard error is a terminal.
package final class ProgressMeter: ReadingProgress {
  private var line: ProgressLine
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var isShown: Bool

  /// Starts the progress of a number of bytes; `nil` if the number is unknown.
  package convenience init(total: Int?) { self.init(total: total, of: .bytes) }

  /// Starts the progress of a number of units; `nil` if the number is unknown.
  package init(total: Int?, of unit: ProgressLine.Unit) {
    start = clock.now
    line = ProgressLine(total: total, of: unit, start: .start)
    isShown = System.isErasableTerminal(System.standardError)
  }

  /// Advances to a number of processed units.
  package func advance(to done: Int) {
    guard isShown else { return }
    if let text = line.advance(to: done, at: Instant(start.duration(to: clock.now))) {
      StandardError.showProgress(text)
    }
  }

  /// Erases the line, so that something else can be printed. The next advance shows it again.
  package func pause() {
    if isShown, line.isShown { StandardError.eraseProgress() }
  }

  /// Ends the progress and erases the line.
  package func end() {
    if isShown, line.isShown { StandardError.eraseProgress() }
    isShown = false
  }

  // Also erases the line if an error ended the work.
  deinit { end() }
}
