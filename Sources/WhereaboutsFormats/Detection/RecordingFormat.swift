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
  /// GeoJSON, for maps. Written only.
  case geoJSON = "geojson"

  /// The formats that can be read.
  public static let readable: [RecordingFormat] = [.nmea, .gpx, .csv, .jsonLines]
  /// The formats that can be written.
  public static let writable: [RecordingFormat] = [.gpx, .csv, .jsonLines, .geoJSON]

  /// The usual format of files with this extension, or `nil`; case and a leading dot don't count.
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
    default: return nil
    }
  }

  /// Returns a decoder at the beginning of a recording of this format, or `nil` if the format is written only.
  ///
  /// - Parameter nmea: the options for NMEA; the other formats have none.
  public func makeDecoder(nmea: NMEADecoder.Options = .init()) -> (any RecordingDecoder)? {
    switch self {
    case .nmea: NMEADecoder(options: nmea)
    case .gpx: GPXDecoder()
    case .csv: CSVDecoder()
    case .jsonLines: JSONLinesDecoder()
    case .geoJSON: nil
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
    }
  }
}
