/// A decoder of Training Center XML (TCX) from a stream: activities and courses.
///
/// | TCX | read as |
/// | --- | --- |
/// | `Activity` with its `Sport`, `Course` with its `Name` | a track with that name |
/// | `Sport`, if it is `Running` or `Biking` | the activity of the fixes |
/// | `Track` | a segment: the watch was stopped before |
/// | `Trackpoint` | a fix |
/// | `Time` | the time; UTC without a zone |
/// | `AltitudeMeters` | height above the geoid |
/// | `Speed` in an extension, with any prefix | speed in m/s |
///
/// A track point without a position is no problem: in a pause and indoors there is none. Such points are counted, and
/// so are elements that are not read, such as heart rates. Problems, entities and memory are as in ``GPXDecoder``; a
/// copy shares the parser with its original, so feed only the one that was fed last.
public struct TCXDecoder: RecordingDecoder {
  private var document = XMLRecordingDecoder<TCXHandler>()

  /// Creates a decoder at the beginning of a document.
  public init() {}

  /// Decodes the next bytes, appending the completed elements.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    document.decode(bytes, into: &batch)
  }

  /// Ends the document; an unclosed document is a problem.
  public mutating func finish(into batch: inout RecordingBatch) { document.finish(into: &batch) }
}
