/// The `crs` member of GeoJSON before RFC 7946: the coordinate reference system.
enum GeoJSONReferenceSystem {
  /// Throws for a system other than WGS 84 with degrees; the scanner is at the value.
  static func check(_ scanner: JSONScanner) throws(FenceParseError) {
    guard let problem = problem(scanner) else { return }
    throw FenceParseError(.unsupported, at: scanner.position, problem)
  }

  /// Returns the reason why the numbers are no degrees of WGS 84; `nil` if they are. The scanner is at the value.
  static func problem(_ scanner: JSONScanner) -> String? {
    guard let name = name(scanner) else { return "crs has no name; \(remedy)" }
    return isWGS84(name) ? nil : "crs is \(name.prefix(60)); \(remedy)"
  }

  private static let remedy =
    "only WGS 84 in degrees is read: convert the file (ogr2ogr -t_srs EPSG:4326), or remove crs if it is wrong"

  /// Returns `properties.name`, or the number of `properties.code`.
  private static func name(_ scanner: JSONScanner) -> String? {
    var walk = scanner
    guard let object = walk.geoJSONObject(), let properties = object.properties else { return nil }
    walk.position = properties
    guard walk.accept("{"), !walk.accept("}") else { return nil }
    repeat {
      guard let key = walk.key() else { return nil }
      let isName = walk.withBytes(of: key) { $0.equals("name") || $0.equals("code") }
      guard isName else {
        guard walk.skipValue() else { return nil }
        continue
      }
      if walk.peek() == UInt8(ascii: "\"") { return walk.text() }
      guard let number = walk.number() else { return nil }
      return "EPSG:\(String(decoding: UnsafeRawBufferPointer(rebasing: walk.bytes[number]), as: UTF8.self))"
    } while walk.accept(",")
    return nil
  }

  /// Returns whether a name means WGS 84: `urn:ogc:def:crs:OGC:1.3:CRS84`, `EPSG:4326`, `urn:ogc:def:crs:EPSG::4979`
  /// and their like.
  private static func isWGS84(_ name: String) -> Bool {
    let code = name.split { $0 == ":" || $0 == "/" }.last ?? ""
    return ["CRS84", "CRS84h", "4326", "4979"].contains(code)
  }
}
