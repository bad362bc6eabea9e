/// The formats of recordings that are read or written. The raw value is what a person types.
public enum RecordingFormat: String, Hashable, Sendable, CaseIterable, Codable {
  /// NMEA 0183, what receivers send. Read only.
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

  /// The format that files with this extension usually have, or `nil`; case and a leading dot don't count.
  ///
  /// For choosing how to write. What a file to be read holds is for ``detect(_:)-([UInt8])`` to say.
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

  /// A decoder at the beginning of a recording of this format, or `nil` where it is written only.
  ///
  /// - Parameter nmea: how to read NMEA; the other formats have no choices.
  public func makeDecoder(nmea: NMEADecoder.Options = .init()) -> (any RecordingDecoder)? {
    switch self {
    case .nmea: NMEADecoder(options: nmea)
    case .gpx: GPXDecoder()
    case .csv: CSVDecoder()
    case .jsonLines: JSONLinesDecoder()
    case .geoJSON: nil
    }
  }

  /// A writer of this format with its standard settings, or `nil` where it is read only.
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
