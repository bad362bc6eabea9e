/// A decoder of flight recorders' IGC files from a stream.
///
/// | record | read as |
/// | --- | --- |
/// | `HFDTE` | the date, also in the longer form; a year from 80 is of the last century |
/// | `HFALG` | the reference of GNSS altitudes, if the recorder states it; otherwise the ellipsoid, as the standard demands |
/// | `I` | the extensions of the positions |
/// | `B` | a fix: validity `A` is in three dimensions; `V` is in two, without a height |
///
/// Of the extensions, `FXA` (accuracy, of 95 % by the standard, converted to 68 %), `SIU` (satellites), `LAD` and `LOD`
/// (further digits), `GSP` (km/h) and `TRT` (degrees) are read. Pressure altitudes are not: they belong to the standard
/// atmosphere. Some recorders state altitudes above the geoid without marking them.
///
/// A time that falls by more than twelve hours without a new date is after midnight; a smaller fall is disorder. A
/// late position of the minutes before a midnight is of the day before. A position before any date is a problem. A line
/// may be 1 KiB long. The text may be UTF-16, and begin with a byte order mark.
public struct IGCDecoder: RecordingDecoder, Sendable {
  private var lines = LineSplitter(limit: 1024, endsAtReturns: true)
  private var reader = IGCReader()
  private var transcoder = UTF16Transcoder()

  /// Creates a decoder at the beginning of a file.
  public init() {}

  /// Decodes the next bytes, appending a fix for each position that they complete.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    transcoder.transcode(bytes) { lines.split($0) { reader.read($0, into: &batch) } }
  }

  /// Decodes a last line that has no line feed.
  public mutating func finish(into batch: inout RecordingBatch) {
    transcoder.finish { lines.split($0) { reader.read($0, into: &batch) } }
    lines.finish { reader.read($0, into: &batch) }
  }
}
