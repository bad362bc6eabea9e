/// A decoder of the tracks of a GeoJSON document (RFC 7946) from a stream.
///
/// | geometry | read as |
/// | --- | --- |
/// | `LineString`, `MultiLineString` | a track; each line is a segment. A line whose `kind` is `route` is a route |
/// | `Point` with a time, of its properties or its position | a fix; its properties have the names of CSV columns (``CSVDecoder``) |
/// | `Point` whose `kind` is `track` | a track of one fix, at the time `begin` |
/// | `Point` whose `kind` is `route` | a route of one point |
/// | `Point` without a time | a waypoint |
///
/// The times of a line are one for each position, in the property `coordTimes`, `times` or `coordinateProperties`.
/// Without them only `begin` and `end` are known, the times of the first and last position; the others have none. A line
/// with more positions than its property `points` was cut by ``GeoJSONWriter`` where it begins or ends on the
/// antimeridian without a time, and that position is no fix. The third number of a position is the height above the
/// ellipsoid. A fourth one from 100,000,000 is the time since 1970, in seconds, milliseconds and so on by its size, where
/// the properties state none. Points after a line are no part of it. Other geometries are counted.
///
/// An object of an array that has `latitude` and `longitude` and no geometry is read as a point with these members, as
/// Dawarich and Traccar write their positions; also one with `lat` and `lon`, as in `locations` of Polarsteps. Traccar's speeds, beside `fixTime` and `serverTime`, are in knots, its
/// course and altitude of 0 are unknown, and the positions that its server repeats for messages without one are counted
/// and not read.
///
/// Of `data.json` in the archive of a user's data that Dawarich exports, the objects of `points` are read as such
/// positions, and those of `visits` as ``RecordedVisit``. Visits without a place, and declined ones, are counted.
/// ``JSONLinesDecoder`` reads the newer archives.
///
/// The features of `locations`, a batch that Overland posts, are read as ``PhoneDialect/overland`` reads them. A feature
/// that states another device than the one before begins that device (``RecordingElement/deviceBegan(name:)``).
///
/// A `crs` from before RFC 7946 that names another system than WGS 84 is one problem, and the features after it are not
/// read.
///
/// An unreadable feature is one problem, and the rest is read. A feature may be 16 MiB long. The text is
/// UTF-8 or UTF-16; byte offsets of problems are those of the text in UTF-8.
public struct GeoJSONDecoder: RecordingDecoder, Sendable {
  private var elements = JSONElementReader(
    arrays: GeoJSONTrackReader.arrayNames, captured: GeoJSONTrackReader.memberNames + ["crs"],
    limit: 1 << 24)
  private var reader = GeoJSONTrackReader()
  private var transcoder = UTF16Transcoder()

  /// Creates a decoder at the beginning of a document.
  public init() {}

  /// Decodes the next bytes, appending the elements of each feature that they complete.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    transcoder.transcode(bytes) { elements.read($0) { reader.handle($0, into: &batch) } }
  }

  /// Ends the document.
  public mutating func finish(into batch: inout RecordingBatch) {
    transcoder.finish { elements.read($0) { reader.handle($0, into: &batch) } }
    elements.finish { reader.handle($0, into: &batch) }
  }
}
