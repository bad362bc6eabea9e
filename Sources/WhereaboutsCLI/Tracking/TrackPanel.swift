import WhereaboutsCore

/// A few lines on a terminal that are written over again and again. Text only: the caller knows the terminal.
struct TrackPanel {
  /// A terminal need not be written to more often than this.
  private static let interval = Duration.milliseconds(100)

  private var height = 0
  private var lastShown: ContinuousClock.Instant?

  /// What to write for how things stand now; `nil` where it was written only just now.
  mutating func show(_ line: TrackLine, columns: Int, at now: ContinuousClock.Instant) -> String? {
    if let lastShown, lastShown.duration(to: now) < Self.interval { return nil }
    lastShown = now
    let lines = line.panel(columns: columns)
    let text = erasure + lines.map { "\($0)\n" }.joined()
    height = lines.count
    return text
  }

  /// What takes the panel away, and leaves the cursor where it began; nothing where none is shown.
  mutating func erase() -> String {
    defer {
      height = 0
      lastShown = nil
    }
    return erasure
  }

  private var erasure: String { height == 0 ? "" : "\r\u{1B}[\(height)A\u{1B}[J" }
}
