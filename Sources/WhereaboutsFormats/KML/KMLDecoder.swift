/// A decoder of the tracks of a KML document (2.2 and Google's extensions) from a stream.
///
/// | KML | read as |
/// | --- | --- |
/// | `Placemark` with `gx:Track` or `gx:MultiTrack` | a track with the placemark's name; each `gx:Track` is a segment, or continues one as ``KMLWriter`` writes it |
/// | `when` and `gx:coord` | a fix each pair, by their order |
/// | `gx:SimpleArrayData` named `accuracy`, `speed`, `bearing` | the values of the fixes |
/// | `LineString` with a `TimeSpan` | a segment: the ends have the times of the span, the vertices between have times by their distance and the status `dr` |
/// | `LineString` without times | a route |
/// | `Point` with a `TimeStamp` | a fix, of no track before it; in a folder called `Waypoints` a waypoint |
/// | `Point` with a `TimeSpan` | a visit, with its `address`, and of `ExtendedData` the values that ``KMLWriter`` writes |
/// | `Point` without a time | a waypoint |
///
/// The third number of a place is a height above the sea if `altitudeMode` is `absolute`, and otherwise not a height.
/// A `gx:MultiTrack` may state the mode for its tracks.
/// A `when` may be a date and a time in any zone; one that names only a year or a month is a problem. A `gx:coord`
/// without a `when` is a problem and no fix. A placemark is read to its end before its elements are given, because a
/// `TimeSpan` may follow the `LineString`: up to 500,000 points of a `gx:Track` or a `LineString` are held.
///
/// Problems, entities and copies are as in ``GPXDecoder``.
public struct KMLDecoder: RecordingDecoder {
  private var document = XMLRecordingDecoder<KMLTrackHandler>()

  /// Creates a decoder at the beginning of a document.
  public init() {}

  /// Decodes the next bytes, appending the elements of each placemark that they complete.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    document.decode(bytes, into: &batch)
  }

  /// Ends the document; an unclosed document is a problem.
  public mutating func finish(into batch: inout RecordingBatch) { document.finish(into: &batch) }

  /// Appends the next fixes of a long track.
  public mutating func decodeHeldBack(into batch: inout RecordingBatch) -> Bool {
    document.handle(into: &batch) { $0.emitHeldBack() }
  }
}
