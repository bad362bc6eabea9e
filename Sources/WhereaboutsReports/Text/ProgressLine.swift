package import WhereaboutsModel

/// The text of a progress line. The caller provides the time and the terminal.
package struct ProgressLine {
  /// The delay before the line appears. Shorter work shows no line.
  package static let startDelay = Duration.seconds(1)
  private static let refreshInterval = Duration.milliseconds(100)

  /// The unit of the work.
  package enum Unit: Sendable { case bytes, fixes }

  private let total: Int?
  private let unit: Unit
  private let start: Instant
  private var lastShown: Instant?

  /// Starts the progress of a number of units; `nil` if the number is unknown.
  package init(total: Int?, of unit: Unit = .bytes, start: Instant) {
    self.total = total
    self.unit = unit
    self.start = start
  }

  /// Returns the line for a number of processed units; `nil` if no output is due.
  package mutating func advance(to done: Int, at now: Instant) -> String? {
    let elapsed = now.since(start)
    guard elapsed >= Self.startDelay else { return nil }
    if let lastShown, now.since(lastShown) < Self.refreshInterval { return nil }
    lastShown = now
    let rate = Double(done) / max(elapsed.inSeconds, 1e-3)
    var text = "\(amount(rate))/s"
    if let total, total > 0 {
      let share = min(Double(done) / Double(total), 1)
      let left = rate > 0 ? Double(max(total - done, 0)) / rate : 0
      text = "\((share * 100).fixed(0)) %  \(text)  \(Quantities.duration(left.rounded())) left"
    } else {
      text = "\(amount(Double(done)))  \(text)"
    }
    return text
  }

  private func amount(_ number: Double) -> String {
    switch unit {
    case .bytes: "\((number / 1e6).fixed(1)) MB"
    case .fixes: Quantities.count(Int(number.rounded()), "fix", "fixes")
    }
  }

  /// Whether the line was shown.
  package var isShown: Bool { lastShown != nil }
}
