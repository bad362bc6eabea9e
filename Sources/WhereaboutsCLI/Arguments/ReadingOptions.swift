import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsReports

/// The options for reading recordings. Every command that reads a recording shares these options.
struct ReadingOptions: ParsableArguments {
  @Option(
    name: .customLong("from"),
    help: ArgumentHelp(
      "The format of the input; found from its content if left out.", valueName: "format"))
  var format: InputFormat?

  @Option(
    help: ArgumentHelp(
      "The day of the first sentence, for NMEA that gives times without dates.", valueName: "yyyy-mm-dd"))
  var date: DateArgument?

  @Option(
    help: ArgumentHelp(
      """
      A day before which the input can't have been made (standard: 1999-08-22). Dates before it are moved by whole \
      rounds of 1024 weeks: receivers that lost count of them.
      """, valueName: "yyyy-mm-dd"))
  var notBefore: DateArgument?

  @Option(
    help: ArgumentHelp(
      "Whether NMEA sentences need their checksum to be read: required, or optional.", valueName: "rule"))
  var checksums = ChecksumsArgument.required

  init() {}

  /// The options as settings of a reader.
  var settings: ReadingSettings {
    ReadingSettings(
      format: format?.format, startDate: date?.day, notBefore: notBefore?.day,
      acceptsMissingChecksums: checksums == .optional)
  }
}

/// A day as typed: `2024-05-14`.
struct DateArgument: ExpressibleByArgument {
  /// The first instant of the day, UTC.
  var day: UTCTime

  init?(argument: String) {
    guard argument.utf8.count == 10, let day = UTCTime(iso8601: argument) else { return nil }
    self.day = day
  }
}
