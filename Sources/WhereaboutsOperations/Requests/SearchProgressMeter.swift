package import Whereabouts
package import WhereaboutsModel
package import WhereaboutsReports

/// A ``SearchLine`` on standard error while a request waits, if standard error is a terminal.
package actor SearchProgressMeter {
  /// The delay before the line appears. A request that is answered sooner shows no line.
  private static let startDelay = Duration.milliseconds(300)
  private static let refreshInterval = Duration.milliseconds(200)
  /// The time without any accuracy after which it is reported. The first instants of some receivers have none.
  private static let unknownAccuracyDelay = Duration.seconds(5)

  private var line: SearchLine
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var isShown = false
  private var isOver: Bool

  package init(_ line: SearchLine) {
    self.line = line
    start = clock.now
    isOver = !System.isErasableTerminal(System.standardError)
  }

  /// Rewrites the line regularly, because the remaining time changes even without fixes.
  package func run() async {
    try? await clock.sleep(for: Self.startDelay)
    while !isOver, !Task.isCancelled {
      show()
      try? await clock.sleep(for: Self.refreshInterval)
    }
  }

  /// Reports once if the fixes of a manager have no accuracy, until the task is cancelled. A request for an accuracy
  /// never ends with them.
  package func reportUnknownAccuracy(of manager: LocationManager) async {
    var since: ContinuousClock.Instant?
    while (try? await clock.sleep(for: .milliseconds(250))) != nil {
      guard let last = await manager.lastFix, last.fix.horizontalAccuracy == nil else {
        since = nil
        continue
      }
      let began = since ?? clock.now
      since = began
      guard clock.now - began >= Self.unknownAccuracyDelay, !Task.isCancelled else { continue }
      if isShown, !isOver { StandardError.eraseProgress() }
      StandardError.print(
        """
        whereabouts: the fixes have no accuracy, so that --accuracy can't be reached; waiting. `whereabouts watch` \
        prints such fixes. A receiver has an accuracy once it is set to send GGA or GSA, too.
        """)
      return
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
    if isShown, !isOver { StandardError.eraseProgress() }
    isOver = true
  }

  private func show() {
    // The last column stays empty, because some terminals wrap there.
    let columns = (System.columns(System.standardError) ?? 80) - 1
    StandardError.showProgress(line.text(after: start.duration(to: clock.now), columns: columns))
    isShown = true
  }
}
