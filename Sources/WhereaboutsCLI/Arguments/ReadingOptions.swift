import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsReports

/// The options for reading recordings. Every command that reads a recording shares these options.
struct ReadingOptions: ParsableArguments {
  @Option(
    name: .customLong("from"),
    help: ArgumentHelp(
      "Format of the input. (default: by its content)", valueName: "format"))
  var format: InputFormat?

  @OptionGroup var nmea: NMEAOptions

  init() {}

  /// The options as settings of a reader.
  var settings: ReadingSettings { nmea.settings(format?.format) }
}

/// The options for reading NMEA, also of commands whose `--from` is a day.
struct NMEAOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Date of the first sentence, for NMEA that has times without dates. (default: none)",
      valueName: "yyyy-mm-dd"), transform: DateArgument.parse)
  var date: DateArgument?

  @Option(
    help: ArgumentHelp(
      """
      Earliest possible date of the input. Earlier dates are moved by whole cycles of 1024 weeks, which some \
      receivers fail to count. (default: 1999-08-22 for NMEA, or none)
      """, valueName: "yyyy-mm-dd"), transform: DateArgument.parse)
  var notBefore: DateArgument?

  @Option(
    help: ArgumentHelp(
      "Whether NMEA sentences must have a checksum: required or optional.", valueName: "rule"))
  var checksums = ChecksumsArgument.required

  init() {}

  /// Returns the options as settings of a reader.
  ///
  /// - Parameter format: the format of the recording; `nil` to detect the format from the content.
  func settings(_ format: RecordingFormat? = nil) -> ReadingSettings {
    ReadingSettings(
      format: format, startDate: date?.day, notBefore: notBefore?.day,
      acceptsMissingChecksums: checksums == .optional)
  }
}

/// A day as typed: `2024-05-14`.
struct DateArgument: ExplainedArgument {
  static let form = "Write a day, as in 2024-05-14"

  /// The first instant of the day, UTC.
  var day: UTCTime

  init?(argument: String) {
    guard argument.utf8.count == 10, let day = UTCTime(iso8601: argument) else { return nil }
    self.day = day
  }
}
