import WhereaboutsCore
import WhereaboutsFormats

/// What of a file of fences could not be taken, for people.
enum FenceFileReport {
  /// Problems that are told one by one.
  private static let shown = 20

  /// Lines of text, empty where there was no problem: `fences.geojson: 1 feature passed over`, then each with its place.
  static func lines(_ problems: [FenceFileProblem], of name: String) -> [String] {
    guard !problems.isEmpty else { return [] }
    var lines = ["\(name): \(Quantities.count(problems.count, "problem")), passed over"]
    for problem in problems.prefix(shown) {
      let feature = problem.id.map { " (\($0.name))" } ?? problem.feature.map { " (feature \($0))" } ?? ""
      lines.append("  line \(problem.line), column \(problem.column)\(feature): \(problem.detail)".onOneLine)
    }
    if problems.count > shown { lines.append("  and \((problems.count - shown).grouped) more") }
    return lines
  }

  /// Says it on standard error.
  static func say(_ problems: [FenceFileProblem], of name: String) {
    for line in lines(problems, of: name) { StandardError.say(line) }
  }
}
