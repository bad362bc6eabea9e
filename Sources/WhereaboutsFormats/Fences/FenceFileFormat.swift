/// The formats that fences are read from. The raw value is the name on the command line.
public enum FenceFileFormat: String, Hashable, Sendable, CaseIterable, Codable {
  /// GeoJSON (RFC 7946): a collection, one feature or geometry, or several, one a line or as a sequence (RFC 8142).
  /// Also the JSON of OwnTracks' waypoints, Traccar's geofences and Home Assistant's zones, which is read only. The text
  /// is UTF-8, or UTF-16 as some shells write it.
  case geoJSON = "geojson"
  /// KML 2.2, as maps on the web export it. Read only.
  case kml
  /// GPX: a circle around each waypoint. Read only.
  case gpx

  /// Returns the format of a file of fences by its content, not its name, or `nil` if unknown.
  ///
  /// ``FenceReader`` finds out whether the file is well formed and has fences.
  /// - Parameter bytes: the file, or its beginning.
  public static func detect(_ bytes: UnsafeRawBufferPointer) -> FenceFileFormat? {
    let prefix = bytes.prefix(RecordingFormat.detectionLength)
    let first = prefix.first {
      !$0.isXMLSpace && !$0.mayPrecedeText && $0 != geoJSONRecordSeparator
    }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return .geoJSON }
    // UTF-16 without its zeros and its mark is ASCII in all significant places.
    let text = prefix.filter { $0 != 0 && $0 < 0x80 }
    return text.withUnsafeBytes { text in
      guard let root = RecordingFormat.rootElement(of: text) else { return nil }
      if root.equals("gpx") { return .gpx }
      return root.equals("kml") || KMLFenceHandler.isContainer(root) ? .kml : nil
    }
  }

  /// Returns the format of a file of fences, as ``detect(_:)-(UnsafeRawBufferPointer)``.
  public static func detect(_ bytes: [UInt8]) -> FenceFileFormat? {
    bytes.withUnsafeBytes { detect($0) }
  }
}

/// The byte before each text of a sequence of JSON texts (RFC 8142).
let geoJSONRecordSeparator: UInt8 = 0x1E

extension UInt8 {
  /// Whether the byte is part of a byte order mark, or the zero before a character of UTF-16.
  fileprivate var mayPrecedeText: Bool { [0x00, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains(self) }
}
