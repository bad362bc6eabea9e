/// A decoder of GPX 1.0 and 1.1 from a stream: tracks, segments, their points, waypoints and routes.
///
/// Elements are known by their names without a prefix, in any namespace or none. A track point is a fix:
///
/// | GPX | fix |
/// | --- | --- |
/// | `lat`, `lon` | the coordinate |
/// | `time` | the time; UTC without a zone |
/// | `ele` | height above the geoid. GPX does not state the reference; known writers mean the geoid. |
/// | `geoidheight` | added to `ele`: height above the ellipsoid |
/// | `speed`, `course`, else `bearing` in extensions | GPX 1.0, or extensions as TrackPointExtension v2 (Garmin); m/s, °; negative is unknown |
/// | `fix` | `2d` and `3d` are the mode; `dgps` and `pps` the solution, in 3D with an `ele` |
/// | `sat` | satellites used |
/// | `hdop`, `vdop`, `pdop` | dilutions; 0 is unknown |
/// | `type` of the track | the activity, if a word such as `running` or `cycling`, as Garmin Connect and Strava write it |
/// | `hacc`, `vacc`, `sacc`, `cacc`, `accuracy` in extensions, and the names of Apple Health and OpenTracks | accuracies at 68 % |
///
/// Without such an extension the accuracies are the dilutions times 5 m, the error of one range, and marked as
/// estimated. A point whose `fix` is `none` is an ordinary point of the track, without a mode: loggers and people add
/// such points on purpose. Other elements and extensions are skipped with their content.
///
/// A point without a place on Earth is one problem; an unreadable element is one problem and its point stays. XML
/// that is not well formed is one problem. Reading resumes with the next point, track or route, also where elements
/// are nested over 100 deep. On Linux reading resumes after the document's end too; elsewhere it ends there.
///
/// Entities are refused, and nothing is fetched. For any document's size the memory is that of its longest tag, at
/// most 128 KiB (on Linux; see ``RecordingDecoder`` and `FoundationXMLStream` for Apple's platforms).
///
/// A copy shares the parser with its original: feed only the one that was fed last. Feeding an older copy traps,
/// since the parser is already further on.
public struct GPXDecoder: RecordingDecoder {
  private var document = XMLRecordingDecoder<GPXHandler>()

  /// Creates a decoder at the beginning of a document.
  public init() {}

  /// Decodes the next bytes, appending the completed elements.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    document.decode(bytes, into: &batch)
  }

  /// Ends the document; an unclosed document is a problem.
  public mutating func finish(into batch: inout RecordingBatch) { document.finish(into: &batch) }
}
