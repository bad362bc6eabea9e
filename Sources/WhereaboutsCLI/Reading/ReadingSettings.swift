import WhereaboutsCore
import WhereaboutsFormats

/// How a recording is to be read.
struct ReadingSettings: Hashable, Sendable {
  /// Its format; found from its content where this is `nil`.
  var format: RecordingFormat?
  /// The day on which it began, for formats that give times without dates.
  var startDate: UTCTime?
  /// A day before which it can't have been made; `nil` for the format's standard.
  var notBefore: UTCTime?
  /// Whether sentences of NMEA without a checksum are read.
  var acceptsMissingChecksums = false

  /// How to read it if it is NMEA.
  var nmea: NMEADecoder.Options {
    var options = NMEADecoder.Options()
    options.startDate = startDate
    if let notBefore { options.notBefore = notBefore }
    options.acceptsMissingChecksums = acceptsMissingChecksums
    return options
  }
}
