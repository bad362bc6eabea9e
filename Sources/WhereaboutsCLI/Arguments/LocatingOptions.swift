import ArgumentParser
import Whereabouts
import WhereaboutsCore
import WhereaboutsSources

/// What `now` and `watch` have in common: where fixes come from, how good they must be, how they are shown.
struct LocatingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Where fixes come from: replay:FILE, with ?speed=60 for a minute a second, ?speed=max for as fast as it goes, and \
      &pause=2s for the longest wait between two fixes.
      """, valueName: "source"),
    completion: .list(["replay:"]),
    transform: LocatingOptions.source)
  var source: SourceArgument

  @Option(
    help: ArgumentHelp(
      """
      How good a fix is wanted: a level, or METRES with :AGE if its age matters, as in 25:30s. The levels are room (5 m, \
      5 s), house (15 m, 15 s), block (100 m, 1 min), neighborhood (1 km, 5 min) and city (5 km, 10 min).
      """, valueName: "level"))
  var accuracy = AccuracyArgument(.house)

  @Option(
    help: ArgumentHelp(
      "How long to wait for it, as in 10s, 500ms, 2m; for ever if left out.", valueName: "duration"))
  var timeout: DurationArgument?

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  @Option(
    help: ArgumentHelp(
      """
      Print this line for each fix, as in '{time} {lat:6} {lon:6}'. The placeholders are the keys of the JSON form: \
      \(FixTemplate.Mistake.placeholders). A colon and a digit ask for so many places; what a fix does not have is -; \
      \\n and \\t are an end of line and a tab.
      """, valueName: "template"),
    transform: LocatingOptions.template)
  var format: FixTemplate?

  init() {}

  private static func source(_ text: String) throws -> SourceArgument {
    do throws(SourceArgument.Mistake) { return try SourceArgument(text) } catch {
      throw ValidationError(error.explanation)
    }
  }

  private static func template(_ text: String) throws -> FixTemplate {
    do throws(FixTemplate.Mistake) { return try FixTemplate(text) } catch {
      throw ValidationError(error.explanation)
    }
  }

  /// A manager over the source.
  func manager() -> LocationManager {
    let source = source
    let replay = ReplaySource(speed: source.speed.replaySpeed, longestPause: source.longestPause) {
      try RecordingReader(path: source.path, settings: ReadingSettings(format: source.format))
    }
    return LocationManager(source: replay, clock: .drivenBySource)
  }

  func validate() throws {
    if json, format != nil { throw ValidationError("--json and --format can't be combined") }
  }
}
