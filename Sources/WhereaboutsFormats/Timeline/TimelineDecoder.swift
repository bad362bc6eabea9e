/// A decoder of Google Timeline in its four forms, from a stream.
///
/// | form | top level |
/// | --- | --- |
/// | `Records.json` of Takeout | `locations`, an array of measured positions |
/// | Semantic Location History of Takeout | `timelineObjects`: activities and visits |
/// | an Android phone's export | `semanticSegments`, and `rawSignals` of about the last month |
/// | an iPhone's export | an array of segments |
///
/// Each measured position is a fix. So are the timed points of a path, and the start and the end of an activity. A
/// visit is a ``RecordedVisit``. Geometry without times (`waypointPath`, `transitPath`), frequent places and scans are
/// not read, and counted. Absent stays absent: no accuracy is invented.
///
/// | member | fix |
/// | --- | --- |
/// | `latitudeE7`, `longitudeE7` | the coordinate; values past 90° and 180° of old exports lack 2³² |
/// | `timestamp`, else `timestampMs` | the time |
/// | `accuracy`, `accuracyMeters`, `verticalAccuracy` | accuracies in metres; 0 is unknown |
/// | `altitude`, `altitudeMeters` | height above the ellipsoid, as Android states it |
/// | `velocity`, `speedMetersPerSecond` | speed in m/s |
/// | `heading` | course; 0 without motion is unknown |
/// | `activityType`, else the likeliest of `activities`; `topCandidate` of an activity | activity |
/// | `startTime`, `endTime` of an activity | its activity holds for the points of paths between the two |
/// | `activity` of a record | activity: the most confident type of the nearest list with a known one, up to 5 minutes; of `ON_FOOT` and `IN_VEHICLE` the most confident kind |
/// | `startTimeTimezoneUtcOffsetMinutes`, `endTimeTimezoneUtcOffsetMinutes`; in an iPhone's export the offsets of `startTime`, `endTime` | ``RecordingElement/offset(minutes:at:)`` |
/// | `deviceTag` | ``RecordingElement/deviceBegan(name:)`` where it changes; without a name for rows without a tag |
///
/// Two points may have the same time: paths have times of whole minutes. Their order is that of the file.
///
/// An unreadable row is one problem, and the rest is read. A row may be 4 MiB long. The text is UTF-8 or
/// UTF-16; byte offsets of problems are those of the text in UTF-8.
public struct TimelineDecoder: RecordingDecoder, Sendable {
  private var elements = JSONElementReader(
    arrays: TimelineArray.allCases.map(\.name), limit: 1 << 22)
  private var reader = TimelineReader()
  private var transcoder = UTF16Transcoder()

  /// Creates a decoder at the beginning of a document.
  public init() {}

  /// Decodes the next bytes, appending the elements of each row that they complete.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    transcoder.transcode(bytes) { elements.read($0) { reader.handle($0, into: &batch) } }
  }

  /// Ends the document.
  public mutating func finish(into batch: inout RecordingBatch) {
    transcoder.finish { elements.read($0) { reader.handle($0, into: &batch) } }
    elements.finish { reader.handle($0, into: &batch) }
    reader.finish(into: &batch)
  }
}

/// The arrays of a Timeline document.
enum TimelineArray: Int, CaseIterable {
  case locations, timelineObjects, semanticSegments, rawSignals

  var name: StaticString {
    switch self {
    case .locations: "locations"
    case .timelineObjects: "timelineObjects"
    case .semanticSegments: "semanticSegments"
    case .rawSignals: "rawSignals"
    }
  }
}
