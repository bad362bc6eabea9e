import WhereaboutsModel

/// A check of an imported past: one pass over its fixes in the order of time.
///
/// The memory holds the last 14 hours of the imports, and 16 bytes for each fix that is out of place.
package struct PastChecker {
  private var instant: [PastFix] = []
  private var ties = TieCheck()
  private var continuity = ContinuityCheck()
  private var overlaps = OverlapCheck()
  private var shifts = ShiftCheck()
  private var accuracies = AccuracyCheck()

  /// Creates a check.
  package init() {}

  /// Adds the next fix.
  package mutating func process(_ fix: PastFix) {
    if let first = instant.first, first.key.time != fix.key.time { processInstant() }
    instant.append(fix)
    overlaps.process(fix)
    shifts.process(fix)
    accuracies.process(fix)
  }

  private mutating func processInstant() {
    for fix in ties.process(instant) { continuity.process(fix) }
    instant.removeAll(keepingCapacity: true)
  }

  /// Returns the findings, in the order of their kinds and times.
  package mutating func finish() -> [PastFinding] {
    processInstant()
    continuity.finish()
    return [mixed, teleports, tied].compactMap(\.self) + overlapFindings + shiftFindings + accuracyFindings
  }

  private var mixed: PastFinding? {
    let stretches = Quantities.count(continuity.stretches, "stretch", "stretches")
    return finding(
      .mixed, continuity.mixed,
      "in \(stretches) the fixes change between two tracks that one device can't follow at \(Self.speedText)")
  }

  private var teleports: PastFinding? {
    finding(
      .teleports, continuity.teleports,
      "the way there and the way back would both be faster than \(Self.speedText)")
  }

  private var tied: PastFinding? {
    finding(.ties, ties.keys, "each is farther from another fix of its instant than both accuracies explain")
  }

  private static var speedText: String { Quantities.speed(PastFix.topSpeed) }

  private func finding(
    _ kind: PastFinding.Kind, _ keys: [PastFix.Key], _ evidence: String
  ) -> PastFinding? {
    guard let first = keys.map(\.time).min(), let last = keys.map(\.time).max() else { return nil }
    return PastFinding(
      kind: kind, first: UTCTime(nanosecondsSince1970: first), last: UTCTime(nanosecondsSince1970: last),
      count: keys.count, evidence: evidence, keys: keys)
  }

  private var overlapFindings: [PastFinding] {
    overlaps.overlaps.map { pair, found in
      PastFinding(
        kind: .overlap, first: UTCTime(nanosecondsSince1970: found.first),
        last: UTCTime(nanosecondsSince1970: found.last), count: found.near,
        evidence:
          "\(found.near.grouped) of \((found.near + found.far).grouped) fixes between two of the other import lie on its path (imports \(pair.first) and \(pair.second))",
        sources: [pair.first, pair.second])
    }
  }

  private var shiftFindings: [PastFinding] {
    shifts.shifts.map { pair, quarters, votes in
      PastFinding(
        kind: .shifted, first: UTCTime(nanosecondsSince1970: votes.first),
        last: UTCTime(nanosecondsSince1970: votes.last), count: votes.counts[quarters],
        evidence:
          "import \(pair.second) is where import \(pair.first) was \(Quantities.duration(Double(quarters) * 900)) before, at \(votes.counts[quarters].grouped) of \(votes.all.grouped) fixes in motion",
        sources: [pair.first, pair.second], shift: Int64(quarters) * 900_000_000_000)
    }
  }

  private var accuracyFindings: [PastFinding] {
    accuracies.findings.map { found in
      PastFinding(
        kind: .accuracy, first: UTCTime(nanosecondsSince1970: found.first),
        last: UTCTime(nanosecondsSince1970: found.last), count: found.count,
        evidence:
          "every fix\(found.source > 0 ? " of import \(found.source)" : "") states \(Quantities.accuracy(found.accuracy)), and neighbours scatter by \(Quantities.accuracy(found.scatter)) or more",
        sources: [found.source], accuracy: found.accuracy)
    }
  }
}

/// A selection of the fixes that a choice changes: one pass over the past in the order of time.
package struct RepairSelector {
  private let finding: PastFinding
  private let choice: PastFinding.Choice
  private var overlap: OverlapSelector?
  private var matching: [PastFix.Key] = []

  /// Creates a selection.
  package init(_ finding: PastFinding, _ choice: PastFinding.Choice) {
    self.finding = finding
    self.choice = choice
    guard finding.kind == .overlap, let first = finding.sources.first, let second = finding.sources.last
    else { return }
    overlap =
      choice == .leaveOutFirst
      ? OverlapSelector(source: first, other: second) : OverlapSelector(source: second, other: first)
  }

  /// Adds the next fix.
  package mutating func process(_ fix: PastFix) {
    overlap?.process(fix)
    switch choice {
    case .shiftFirst: if fix.source == finding.sources.first { matching.append(fix.key) }
    case .shiftSecond: if fix.source == finding.sources.last { matching.append(fix.key) }
    case .removeAccuracy:
      if fix.source == finding.sources.first, fix.accuracy == finding.accuracy { matching.append(fix.key) }
    case .leaveOut, .move, .leaveOutFirst, .leaveOutSecond: break
    }
  }

  /// The selected fixes.
  package var keys: [PastFix.Key] { overlap?.keys ?? (finding.keys.isEmpty ? matching : finding.keys) }

  /// The change of the times in nanoseconds.
  package var shift: Int64 {
    switch choice {
    case .shiftFirst: finding.shift
    case .shiftSecond: -finding.shift
    default: 0
    }
  }
}
