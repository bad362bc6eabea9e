package import WhereaboutsFormats

/// The problems of reading a recording as text: a count of each kind, and the locations of the first problems.
package enum ProblemReport {
  /// The maximum number of problems of each kind that are listed with their location.
  private static let shownLimit = 3

  /// Returns lines of text; an empty list if there were no problems.
  package static func lines(_ log: ProblemLog, of name: String) -> [String] {
    guard log.total > 0 else { return [] }
    var lines = ["\(name): \(Quantities.count(log.total, "problem")), passed over"]
    for kind in InputProblem.Kind.allCases {
      guard let count = log.counts[kind] else { continue }
      let samples = log.samples.filter { $0.kind == kind }
      lines.append("  \(count.grouped) × \(kind.rawValue)")
      for problem in samples.prefix(shownLimit) {
        let part = problem.part.map { "\($0.sanitizedToOneLine), " } ?? ""
        let detail = problem.detail.sanitizedToOneLine
        lines.append("      \(part)line \(problem.line), byte \(problem.byteOffset): \(detail)")
      }
      if count > min(shownLimit, samples.count) { lines.append("      …") }
    }
    return lines
  }

  /// Returns kinds and counts on one line, as in `3 wrong checksum, 1 too long`.
  static func counts(_ log: ProblemLog) -> String {
    InputProblem.Kind.allCases.compactMap { kind in
      log.counts[kind].map { "\($0.grouped) \(kind.rawValue)" }
    }.joined(separator: ", ")
  }
}
