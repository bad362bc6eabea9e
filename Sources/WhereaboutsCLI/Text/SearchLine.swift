import Whereabouts
import WhereaboutsCore

/// The line that shows how a request gets on. Text only: the caller knows the time and the terminal.
struct SearchLine {
  /// What was asked for.
  let level: AccuracyLevel
  let timeout: Duration?
  /// How many seconds pass for the source in a true second; `nil` where that is not known.
  let rate: Double?

  /// Why there is no fix, if that is known.
  private var trouble: SourceTrouble?
  private var best: Answer?
  /// When ``best`` became known, counted from the request as the source does.
  private var bestAt = 0.0

  init(level: AccuracyLevel, timeout: Duration?, rate: Double?) {
    self.level = level
    self.timeout = timeout
    self.rate = rate
  }

  /// The source says why there is no fix, or that it delivers.
  mutating func take(_ source: ServiceStatus.Source) {
    switch source {
    case .unavailable(let new), .failed(let new): trouble = new
    case .working, .ended: trouble = nil
    }
  }

  /// A better fix has come, so long after the request in true time.
  mutating func take(_ answer: Answer, after elapsed: Duration) {
    best = answer
    bestAt = elapsed.inSeconds * (rate ?? 0)
  }

  /// The line so long after the request in true time, cut to so many columns.
  ///
  /// `best so far: within 24 m (block), 3 s old · 12 s left for house`
  func text(after elapsed: Duration, columns: Int) -> String {
    let now = elapsed.inSeconds * (rate ?? 0)
    var (label, text) = ("", "searching")
    if let trouble { text += ": could not \(trouble.message)" }
    if let best {
      let accuracy =
        best.fix.horizontalAccuracy.map { "within \(Quantities.accuracy($0))" } ?? "accuracy not known"
      let level = best.level.map { " (\($0.name))" } ?? ""
      let age = (best.age.inSeconds + now - bestAt).rounded(.down)
      label = "best so far: "
      text = "\(accuracy)\(level), \(age < 1 ? "new" : "\(Quantities.duration(age)) old")"
    }
    let name = AccuracyLevel.standard.contains(level) ? level.name : Quantities.accuracy(level.worstAccuracy)
    if let timeout, rate != nil {
      let left = max(0, timeout.inSeconds - now).rounded(.up)
      text += " · \(Quantities.duration(left)) left for \(name)"
    } else {
      text += " · waiting for \(name)"
    }
    if label.count + text.count <= columns { return label + text }
    guard text.count > columns else { return text }
    return columns < 2 ? "" : "\(text.prefix(columns - 1))…"
  }
}
