/// A reader of fences from GeoJSON, KML or GPX files, detected by their content.
///
/// Each feature of GeoJSON, placemark of KML and waypoint of GPX is one fence. A fence is a polygon with its holes,
/// several polygons that are one area, a point with a `radius` as a circle, or a line with a `width` as a corridor.
/// Waypoints of OwnTracks, geofences of Traccar and Transistorsoft, and zones of Home Assistant are read from their JSON.
/// `docs/fences-geojson.md` has the whole form. An unreadable fence is refused with its reason and place, and the
/// rest of the file is read.
///
/// The file is wholly in memory while it is read. No content traps; nesting deeper than 64 is refused.
public struct FenceReader: Hashable, Sendable {
  /// The radius in metres for points without one; `nil` refuses such points.
  public var defaultRadius: Double?
  /// The width in metres for lines without one; `nil` refuses such lines.
  public var defaultWidth: Double?

  /// Creates a reader with a default radius and width.
  public init(defaultRadius: Double? = nil, defaultWidth: Double? = nil) {
    self.defaultRadius = defaultRadius
    self.defaultWidth = defaultWidth
  }

  /// Reads all fences of a file.
  public func read(_ bytes: UnsafeRawBufferPointer) -> FenceFile {
    let format = FenceFileFormat.detect(bytes)
    // No JSON in UTF-8 begins with these bytes. The XML parser converts by itself.
    guard format == .geoJSON, bytes.prefix(2).contains(where: { $0 == 0 || $0 >= 0xFE }) else {
      return read(bytes, as: format)
    }
    return bytes.withTextInUTF8 { read($0, as: format) }
  }

  private func read(_ bytes: UnsafeRawBufferPointer, as format: FenceFileFormat?) -> FenceFile {
    var drafts = FenceDrafts(of: bytes)
    switch format {
    case .geoJSON?:
      var document = GeoJSONFenceDocument(bytes, reader: self)
      drafts = document.read()
      if !drafts.hasFences, let others = OtherFenceDocument.read(bytes, reader: self) { drafts = others }
    case .kml?: drafts = KMLFenceHandler(bytes, reader: self).read(bytes)
    case .gpx?: drafts = GPXFenceHandler(bytes, reader: self).read(bytes)
    case nil:
      drafts.recordError(FenceParseError(.notFences, at: 0, FenceReader.detectedContentDescription(bytes)))
    }
    return drafts.makeFile(format, of: bytes)
  }

  /// Reads all fences of a file.
  public func read(_ bytes: [UInt8]) -> FenceFile {
    bytes.withUnsafeBytes { read($0) }
  }

  /// Returns whether a text can be the id of a new fence: a path of the server must be able to name the fence.
  package static func isValidID(_ id: String) -> Bool { !["", ".", ".."].contains(id) }

  /// Returns a description of bytes that are no fences.
  static func detectedContentDescription(_ bytes: UnsafeRawBufferPointer) -> String {
    if bytes.allSatisfy({ $0.isXMLSpace }) { return "the file is empty" }
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      return "an archive; if it is KMZ, unpack it: the doc.kml in it has the fences"
    }
    switch RecordingFormat.detect(bytes) {
    case .nmea?: return "a recording in NMEA 0183, not fences"
    case .csv?: return "a recording in CSV, not fences"
    case .jsonLines?: return "a recording in JSON lines, not fences"
    case .timeline?: return "a recording of Google Timeline, not fences"
    case .fit?, .tcx?, .igc?, .ownTracks?: return "a recording, not fences"
    case .gpx?, .geoJSON?, .kml?, nil: return "neither GeoJSON nor KML nor GPX"
    }
  }
}
