/// Reads fences from a file: GeoJSON, KML or GPX, by what it holds and not by its name.
///
/// A feature of GeoJSON, a placemark of KML and a waypoint of GPX is one fence each: a polygon with its holes, several
/// polygons that are one area, a point with a `radius` as a circle, a line with a `width` as a corridor. `docs/fences-geojson.md`
/// has the whole form. What can't be taken is refused with its reason and place, and the rest of the file is taken.
///
/// The file is wholly in memory while it is read. Nothing that is in it makes this trap; what is nested deeper than 64 is
/// refused.
public struct FenceReader: Hashable, Sendable {
  /// The radius in metres of the circle around a point that states none; `nil` refuses those.
  public var defaultRadius: Double?
  /// The width in metres of the corridor along a line that states none; `nil` refuses those.
  public var defaultWidth: Double?

  /// A reader.
  public init(defaultRadius: Double? = nil, defaultWidth: Double? = nil) {
    self.defaultRadius = defaultRadius
    self.defaultWidth = defaultWidth
  }

  /// Everything in a file.
  public func read(_ bytes: UnsafeRawBufferPointer) -> FenceFile {
    let format = FenceFileFormat.detect(bytes)
    var drafts = FenceDrafts(of: bytes)
    switch format {
    case .geoJSON?:
      var document = GeoJSONFenceDocument(bytes, reader: self)
      drafts = document.read()
    case .kml?: drafts = KMLFenceReceiver(bytes, reader: self).read(bytes)
    case .gpx?: drafts = GPXFenceReceiver(bytes, reader: self).read(bytes)
    case nil:
      drafts.refuse(FenceRefusal(.notFences, at: 0, FenceReader.whatElse(bytes)))
    }
    return drafts.file(format, of: bytes)
  }

  /// Everything in a file.
  public func read(_ bytes: [UInt8]) -> FenceFile {
    bytes.withUnsafeBytes { read($0) }
  }

  /// What the bytes are, where they are no fences.
  static func whatElse(_ bytes: UnsafeRawBufferPointer) -> String {
    if bytes.allSatisfy({ $0.isXMLSpace }) { return "the file is empty" }
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      return "an archive; if it is KMZ, unpack it: the doc.kml in it has the fences"
    }
    switch RecordingFormat.detect(bytes) {
    case .nmea?: return "a recording in NMEA 0183, not fences"
    case .csv?: return "a recording in CSV, not fences"
    case .jsonLines?: return "a recording in JSON lines, not fences"
    case .gpx?, .geoJSON?, nil: return "neither GeoJSON nor KML nor GPX"
    }
  }
}
