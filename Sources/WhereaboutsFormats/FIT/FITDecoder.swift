/// A decoder of FIT files, also of several in a row, from a stream.
///
/// | message | read as |
/// | --- | --- |
/// | `file_id` (0) | ``RecordingElement/deviceBegan(name:)`` with the serial number; the time of creation |
/// | `sport` (12) | the activity of the following fixes |
/// | `session` (18) | its sport is the activity of those fixes before it, in its time, that have none |
/// | `record` (20) | a fix; its `activity_type` counts before the sport |
/// | `gps_metadata` (160) | a fix, of cameras |
/// | `event` (21) | a stopped timer ends a segment |
/// | `course_point` (32) | a waypoint |
///
/// Positions are semicircles; altitudes count from the sea; `gps_accuracy` is taken at 68 %. Of a value and its
/// enhanced form the enhanced one counts. A record without a position is no problem: indoors there is none. Values
/// that the format marks as invalid are absent.
///
/// Fixes without an activity are passed on at the end of their file, or after 32,768 elements: a session follows its
/// records.
///
/// Times below 2²⁸ count from power-on, and are added to the file's time of creation. A file whose size or checksum is
/// wrong is read as far as it goes, with one problem: many real files are cut. Fields of developers, and fields whose
/// size does not fit their type, are skipped.
///
/// - Source: the FIT protocol's public description.
public struct FITDecoder: RecordingDecoder, Sendable {
  private var pending: [UInt8] = []
  private var file = FITFile()
  /// The offset of the first pending byte.
  private var offset = 0

  /// Creates a decoder at the beginning of a file.
  public init() {}

  /// Decodes the next bytes, appending an element for each message that they complete.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    pending.append(contentsOf: bytes)
    consume(into: &batch)
  }

  /// Ends the last file.
  public mutating func finish(into batch: inout RecordingBatch) {
    consume(into: &batch)
    file.finish(rest: pending.count, at: offset, into: &batch)
    pending = []
  }

  private mutating func consume(into batch: inout RecordingBatch) {
    let buffer = pending
    var position = 0
    buffer.withUnsafeBytes { bytes in
      while let count = file.read(bytes, from: position, at: offset + position, into: &batch) {
        position += count
      }
    }
    offset += position
    if position > 0 { pending = Array(buffer[position...]) }
  }
}
