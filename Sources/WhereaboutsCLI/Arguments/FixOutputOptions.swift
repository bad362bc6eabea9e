import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsOperations
import WhereaboutsReports

/// The options for the output format of fixes.
struct FixOutputOptions: ParsableArguments {
  @Flag(help: "Print JSON, one object per line.")
  var json = false

  @Option(
    help: ArgumentHelp(
      """
      Print this line for each fix, as in '{time} {lat:6} {lon:6}'. The placeholders are the keys of the JSON \
      output: \(FixTemplate.ParseError.placeholders). A colon and a digit set the number of decimals. A missing \
      value is printed as -. \\n and \\t are a line feed and a tab. (default: none)
      """, valueName: "template"),
    transform: FixOutputOptions.template)
  var format: FixTemplate?

  init() {}

  private static func template(_ text: String) throws -> FixTemplate {
    if let hint = CommandHint.fileFormat(text) { throw ValidationError(hint) }
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
