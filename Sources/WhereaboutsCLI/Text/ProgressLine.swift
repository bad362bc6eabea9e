import WhereaboutsCore

/// The line that shows how far a long piece of work has come. Text only: the caller knows the time and the terminal.
struct ProgressLine {
  /// Nothing is shown for work shorter than this.
  static let patience = Duration.seconds(1)
  private static let interval = Duration.milliseconds(100)

  private let total: Int?
  private let start: Instant
  private var lastShown: Instant?

  /// Work of so many bytes, `nil` where that is not known beforehand, that begins now.
  init(total: Int?, start: Instant) {
    self.total = total
    self.start = start
  }

  /// What to write when so many bytes are done, `nil` for nothing.
  mutating func advance(to done: Int, at now: Instant) -> String? {
    let elapsed = now.since(start)
    guard elapsed >= Self.patience else { return nil }
    if let lastShown, now.since(lastShown) < Self.interval { return nil }
    lastShown = now
    let rate = Double(done) / max(elapsed.inSeconds, 1e-3)
    var text = "\((rate / 1e6).fixed(1)) MB/s"
    if let total, total > 0 {
      let share = min(Double(done) / Double(total), 1)
      let left = rate > 0 ? Double(max(total - done, 0)) / rate : 0
      text = "\((share * 100).fixed(0)) %  \(text)  \(Quantities.duration(left.rounded())) left"
    } else {
      text = "\((Double(done) / 1e6).fixed(1)) MB  \(text)"
    }
    return "\r\u{1B}[K\(text)"
  }

  /// What erases the line, `nil` where none was shown.
  var erasure: String? {
    lastShown == nil ? nil : "\r\u{1B}[K"
  }
}
