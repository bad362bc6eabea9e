/// The formats of recordings that are read or written. The raw value is the name on the command line.
public enum RecordingFormat: String, Hashable, Sendable, CaseIterable, Codable {
  /// NMEA 0183, as receivers send. Read only.
  case nmea
  /// GPX 1.0 and 1.1, written as 1.1.
  case gpx
  /// A track as comma-separated values.
  case csv
  /// JSON lines, one fix a line in the form of `Fix`.
  case jsonLines = "jsonl"
  /// GeoJSON: tracks as lines or points.
  case geoJSON = "geojson"
  /// Google Timeline in its four forms: `Records.json`, Semantic Location History, and the exports of Android and iOS.
  /// Read only.
  case timeline
  /// FIT, of sports watches and cameras, written as a course.
  case fit
  /// Training Center XML. Read only.
  case tcx
  /// IGC, of flight recorders. Read only.
  case igc
  /// KML tracks.
  case kml
  /// The files of an OwnTracks Recorder (`.rec`), and OwnTracks' messages as JSON. Read only.
  case ownTracks = "owntracks"

  /// The formats that can be read.
  public static let readable = allCases
  /// The formats that can be written.
  public static let writable: [RecordingFormat] = [.gpx, .csv, .jsonLines, .geoJSON, .kml, .fit]

  /// Creates the usual format of files with this extension, or `nil`; case and a leading dot don't count.
  ///
  /// For the choice of an output format. To detect an input's format, use ``detect(_:)-([UInt8])``.
  public init?(fileExtension: String) {
    var name = fileExtension.lowercased()
    if name.hasPrefix(".") { name.removeFirst() }
    switch name {
    case "nmea": self = .nmea
    case "gpx": self = .gpx
    case "csv": self = .csv
    case "jsonl", "ndjson": self = .jsonLines
    case "geojson", "json": self = .geoJSON
    case "timeline": self = .timeline
    case "fit": self = .fit
    case "tcx": self = .tcx
    case "igc": self = .igc
    case "kml": self = .kml
    case "owntracks", "rec": self = .ownTracks
    default: return nil
    }
  }

  /// Returns a decoder at the beginning of a recording of this format.
  ///
  /// - Parameter nmea: the options for NMEA; the other formats have none.
  public func makeDecoder(nmea: NMEADecoder.Options = .init()) -> any RecordingDecoder {
    switch self {
    case .nmea: NMEADecoder(options: nmea)
    case .gpx: GPXDecoder()
    case .csv: CSVDecoder()
    case .jsonLines: JSONLinesDecoder()
    case .geoJSON: GeoJSONDecoder()
    case .timeline: TimelineDecoder()
    case .fit: FITDecoder()
    case .tcx: TCXDecoder()
    case .igc: IGCDecoder()
    case .kml: KMLDecoder()
    case .ownTracks: OwnTracksDecoder()
    }
  }

  /// Returns a writer of this format with its default settings, or `nil` if the format is read only.
  public func makeWriter() -> (any RecordingWriter)? {
    switch self {
    case .nmea: nil
    case .gpx: GPXWriter()
    case .csv: CSVWriter()
    case .jsonLines: JSONLinesWriter()
    case .geoJSON: GeoJSONWriter()
    case .kml: KMLWriter()
    case .fit: FITWriter()
    case .timeline, .tcx, .igc, .ownTracks: nil
    }
  }
}
