import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsReports

/// The options for the output format of fixes.
struct FixOutputOptions: ParsableArguments {
  @Flag(help: "Print JSON, one object a line.")
  var json = false

  @Option(
    help: ArgumentHelp(
      """
      Print this line for each fix, as in '{time} {lat:6} {lon:6}'. The placeholders are the keys of the JSON form: \
      \(FixTemplate.ParseError.placeholders). A colon and a digit ask for so many places; what a fix does not have is -; \
      \\n and \\t are an end of line and a tab.
      """, valueName: "template"),
    transform: FixOutputOptions.template)
  var format: FixTemplate?

  init() {}

  private static func template(_ text: String) throws -> FixTemplate {
    do throws(FixTemplate.ParseError) { return try FixTemplate(text) } catch {
      throw ValidationError(error.explanation)
    }
  }

  func validate() throws {
    if json, format != nil { throw ValidationError("--json and --format can't be combined") }
  }

  /// The form of each fix.
  var form: FixForm { format.map(FixForm.template) ?? (json ? .json : .text) }
}
