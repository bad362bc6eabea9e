import Whereabouts
package import WhereaboutsModel

/// The text of a request's progress line. The caller provides the time and the terminal.
package struct SearchLine: Sendable {
  /// The requested level.
  package let level: AccuracyLevel
  package let timeout: Duration?
  /// Seconds of the source per real second; `nil` if the rate is unknown.
  package let playbackRate: Double?

  /// The reason for a missing fix, if known.
  private var problem: SourceProblem?
  private var best: Answer?
  /// The time of ``best``, counted from the request in the source's time.
  private var bestAt = 0.0

  package init(level: AccuracyLevel, timeout: Duration?, rate: Double?) {
    self.level = level
    self.timeout = timeout
    self.playbackRate = rate
  }

  /// Updates the reason for a missing fix with a change of the source.
  package mutating func update(with source: ServiceStatus.Source) {
    switch source {
    case .unavailable(let new), .failed(let new): problem = new
    case .working, .ended: problem = nil
    }
  }

  /// Updates the line with a better fix, at a real time after the request.
  package mutating func update(with answer: Answer, after elapsed: Duration) {
    best = answer
    bestAt = elapsed.inSeconds * (playbackRate ?? 0)
  }

  /// Returns the line at a real time after the request, truncated to the given columns.
  ///
  /// The text is `best so far: within 24 m (block), 3 s old · 12 s left for house`.
  package func text(after elapsed: Duration, columns: Int) -> String {
    let now = elapsed.inSeconds * (playbackRate ?? 0)
    var (label, text) = ("", "searching")
    if let problem { text += ": could not \(problem.message)" }
    if let best {
      let accuracy =
        best.fix.horizontalAccuracy.map { "within \(Quantities.accuracy($0))" } ?? "accuracy not known"
      let level = best.level.map { " (\($0.name))" } ?? ""
      let age = (best.age.inSeconds + now - bestAt).rounded(.down)
      label = "best so far: "
      text = "\(accuracy)\(level), \(age < 1 ? "new" : "\(Quantities.duration(age)) old")"
    }
    let name = AccuracyLevel.standard.contains(level) ? level.name : Quantities.accuracy(level.worstAccuracy)
    if let timeout, playbackRate != nil {
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
