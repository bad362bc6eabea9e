import WhereaboutsModel

/// Several terminal lines that are overwritten repeatedly. The caller provides the terminal.
package struct TrackPanel {
  /// The minimum interval between two updates of the terminal.
  private static let interval = Duration.milliseconds(100)

  private var height = 0
  private var lastShown: ContinuousClock.Instant?

  /// Creates a panel that is not shown.
  package init() {}

  /// Returns the output for the current state; `nil` if the last output is too recent.
  package mutating func show(_ line: TrackLine, columns: Int, at now: ContinuousClock.Instant) -> String? {
    if let lastShown, lastShown.duration(to: now) < Self.interval { return nil }
    lastShown = now
    let lines = line.panel(columns: columns)
    let text = erasure + lines.map { "\($0)\n" }.joined()
    height = lines.count
    return text
  }

  /// Returns the output that erases the panel and restores the cursor; an empty text if no panel is shown.
  package mutating func erase() -> String {
    defer {
      height = 0
      lastShown = nil
    }
    return erasure
  }

  private var erasure: String { height == 0 ? "" : "\r\u{1B}[\(height)A\u{1B}[J" }
}
