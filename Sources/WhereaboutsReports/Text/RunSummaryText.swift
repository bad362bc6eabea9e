package import WhereaboutsModel

/// The counts of a run's fixes on one line: `in 12 s: 37 fixes shown, 40 fixes used; refused: 2 duplicate`.
package struct RunSummaryText {
  let counts: FixCounts
  /// The printed items, as in `37 fixes`; `nil` for a command without live output.
  var shown: String?
  /// The duration of the run in real time.
  let elapsed: Duration
  let isInterrupted: Bool

  package init(counts: FixCounts, shown: String? = nil, elapsed: Duration, isInterrupted: Bool) {
    self.counts = counts
    self.shown = shown
    self.elapsed = elapsed
    self.isInterrupted = isInterrupted
  }

  /// Whether there were fixes, and all were refused.
  package var hasOnlyRefusals: Bool { counts.accepted == 0 && !counts.refused.isEmpty }

  package var line: String {
    let after = Quantities.duration(elapsed.inSeconds)
    var text = "\(isInterrupted ? "interrupted after" : "in") \(after): "
    if let shown { text += "\(shown) shown, " }
    text += "\(Quantities.count(counts.accepted, "fix", "fixes")) used"
    let refused = counts.refused.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.value.grouped) \($0.key.rawValue)" }
    if !refused.isEmpty { text += "; refused: \(refused.joined(separator: ", "))" }
    return text
  }
}
