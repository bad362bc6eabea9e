import WhereaboutsFormats

/// What could not be read of a recording, for people: a count of each kind and where the first few are.
enum ProblemReport {
  /// Problems of each kind that are shown with their place.
  private static let shown = 3

  /// Lines of text, empty where there was no problem.
  static func lines(_ log: ProblemLog, of name: String) -> [String] {
    guard log.total > 0 else { return [] }
    var lines = ["\(name): \(Quantities.count(log.total, "problem")), passed over"]
    for kind in InputProblem.Kind.allCases {
      guard let count = log.counts[kind] else { continue }
      let samples = log.samples.filter { $0.kind == kind }
      lines.append("  \(count.grouped) × \(kind.rawValue)")
      for problem in samples.prefix(shown) {
        lines.append("      line \(problem.line), byte \(problem.byteOffset): \(problem.detail)")
      }
      if count > min(shown, samples.count) { lines.append("      …") }
    }
    return lines
  }

  /// Kinds and counts on one line, as in `3 wrong checksum, 1 too long`.
  static func counts(_ log: ProblemLog) -> String {
    InputProblem.Kind.allCases.compactMap { kind in
      log.counts[kind].map { "\($0.grouped) \(kind.rawValue)" }
    }.joined(separator: ", ")
  }
}
