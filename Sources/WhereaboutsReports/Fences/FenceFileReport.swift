import WhereaboutsModel
package import WhereaboutsFormats

/// A report of the problems of a fence file.
package enum FenceFileReport {
  /// The maximum number of problems listed.
  private static let shownLimit = 20

  /// Returns lines of text, none without problems: `fences.geojson: 1 feature passed over`, then each problem with
  /// its location.
  package static func lines(_ problems: [FenceFileProblem], of name: String) -> [String] {
    guard !problems.isEmpty else { return [] }
    var lines = ["\(name): \(Quantities.count(problems.count, "problem")), passed over"]
    for problem in problems.prefix(shownLimit) {
      let feature = problem.id.map { " (\($0.name))" } ?? problem.feature.map { " (feature \($0))" } ?? ""
      lines.append(
        "  line \(problem.line), column \(problem.column)\(feature): \(problem.detail)".sanitizedToOneLine)
    }
    if problems.count > shownLimit { lines.append("  and \((problems.count - shownLimit).grouped) more") }
    return lines
  }
}
