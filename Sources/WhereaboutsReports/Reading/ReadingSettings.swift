package import WhereaboutsModel
package import WhereaboutsFormats

/// The settings for reading a recording.
package struct ReadingSettings: Hashable, Sendable {
  /// The format; `nil` to detect the format from the content.
  package var format: RecordingFormat?
  /// The first day of the recording, for formats without dates.
  var startDate: UTCTime?
  /// The earliest possible day of the recording; `nil` for the default of the format.
  package var notBefore: UTCTime?
  /// Whether NMEA sentences without a checksum are accepted.
  var acceptsMissingChecksums = false
  /// Whether a recording fails at its end if a part of it was damaged, cut or refused.
  package var requiresWholeFile = false
  /// The words by which the user accepts sentences without a checksum, for messages.
  var checksumsRemedy: String

  package init(
    format: RecordingFormat? = nil, startDate: UTCTime? = nil, notBefore: UTCTime? = nil,
    acceptsMissingChecksums: Bool = false, checksumsRemedy: String = "--checksums optional"
  ) {
    self.format = format
    self.startDate = startDate
    self.notBefore = notBefore
    self.acceptsMissingChecksums = acceptsMissingChecksums
    self.checksumsRemedy = checksumsRemedy
  }

  /// The options for decoding NMEA.
  package var nmea: NMEADecoder.Options {
    var options = NMEADecoder.Options()
    options.startDate = startDate
    if let notBefore { options.notBefore = notBefore }
    options.acceptsMissingChecksums = acceptsMissingChecksums
    return options
  }
}
