import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats

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

  /// Writes a fix on its own line.
  func write(_ fix: Fix, to output: OutputFile) {
    if let format {
      format.render(fix, into: &output.bytes)
      output.bytes.append(UInt8(ascii: "\n"))
    } else if json {
      output.bytes.appendJSON(fix)
      output.bytes.append(UInt8(ascii: "\n"))
    } else {
      output.bytes.appendText("\(FixText.line(fix))\n")
    }
  }
}
