import WhereaboutsCore

/// What became of the fixes of a run, on one line: `in 12 s: 37 fixes shown, 40 fixes used; refused: 2 duplicate`.
struct TallyText {
  let tally: FixTally
  /// What was shown, as in `37 fixes`; `nil` for a command that shows nothing on the way.
  var shown: String?
  /// How long it took, in truth.
  let elapsed: Duration
  let isInterrupted: Bool

  var line: String {
    let after = Quantities.duration(elapsed.inSeconds)
    var text = "\(isInterrupted ? "interrupted after" : "in") \(after): "
    if let shown { text += "\(shown) shown, " }
    text += "\(Quantities.count(tally.accepted, "fix", "fixes")) used"
    let refused = tally.refused.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.value.grouped) \($0.key.rawValue)" }
    if !refused.isEmpty { text += "; refused: \(refused.joined(separator: ", "))" }
    return text
  }
}
