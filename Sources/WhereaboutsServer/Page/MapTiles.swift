/// The tiles of the page's map: pictures of one other server, or of a path of this server's own address.
package struct MapTiles: Hashable, Sendable {
  /// The reason why a text can't be used, as a whole sentence.
  struct ParseError: Error, Hashable {
    let message: String
    init(_ message: String) { self.message = message }
  }

  /// The address of a tile, with `{z}`, `{x}` and `{y}` in place of its numbers.
  package var template: String
  /// The text that the owner of the tiles wants to be shown.
  package var attribution: String
  /// The address that ``attribution`` leads to; `nil` for none.
  package var link: String?
  /// The zooms that the server has.
  package var zooms = standardZooms

  static let standardZooms = 0...19
  /// The zooms of the page's map.
  private static let allZooms = 0...21
  private static let longestTemplate = 500
  private static let longestAttribution = 200

  /// Creates the tiles of a template.
  ///
  /// - Parameters:
  ///   - template: `https://HOST/…/{z}/{x}/{y}.png`, or a path that begins with `/`.
  ///   - attribution: a text, at its end perhaps an address over HTTPS.
  init(template: String, attribution: String) throws(ParseError) {
    try Self.check(template)
    self.template = template
    (self.attribution, link) = try Self.divided(attribution)
  }

  /// The source of pictures as the content policy names it; `nil` for the server's own.
  var origin: String? {
    guard let host = Self.host(of: template) else { return nil }
    return "https://\(host.lowercased())"
  }

  // MARK: Reading

  private static func check(_ template: String) throws(ParseError) {
    let isOwn = template.hasPrefix("/") && !template.hasPrefix("//")
    guard isOwn || template.hasPrefix("https://") else {
      throw ParseError("The address must begin with https://, or with / for a path of this server.")
    }
    guard template.utf8.count <= longestTemplate, isAddress(template) else {
      throw ParseError(
        "The address must be one of at most \(longestTemplate) ASCII characters without blanks.")
    }
    if let host = host(of: template), !isHost(host) {
      throw ParseError("The address must name one host, perhaps with a port, and no user.")
    }
    var rest = template[...], found: [Substring] = []
    while let start = rest.firstIndex(of: "{") {
      guard let end = rest[start...].firstIndex(of: "}") else {
        throw ParseError("The address has a { without a }.")
      }
      found.append(rest[rest.index(after: start)..<end])
      rest = rest[rest.index(after: end)...]
    }
    guard !rest.contains("}") else { throw ParseError("The address has a } without a {.") }
    if let other = found.first(where: { !["z", "x", "y"].contains($0) }) {
      throw ParseError("The address has {\(other)}. Only {z}, {x} and {y} can be in it.")
    }
    guard found.count == 3, Set(found).count == 3 else {
      throw ParseError("The address must have {z}, {x} and {y}, each once, as in /{z}/{x}/{y}.png.")
    }
  }

  /// Returns the host with its port; `nil` for a path.
  private static func host(of template: String) -> Substring? {
    guard template.hasPrefix("https://") else { return nil }
    return template.dropFirst("https://".count).prefix { !"/?".contains($0) }
  }

  /// Returns whether a text is a host, perhaps with a port. It becomes a part of the content policy.
  private static func isHost(_ text: Substring) -> Bool {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let labels = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let areLabels = labels.allSatisfy { label in
      !label.isEmpty && label.utf8.allSatisfy(isLetterOfHost) && !label.hasPrefix("-")
        && !label.hasSuffix("-")
    }
    guard areLabels, parts[0].utf8.count <= 253 else { return false }
    return parts.count == 1 || SettingText(text: String(parts[1])).integer(in: 1...65_535) != nil
  }

  private static func isLetterOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"): true
    default: false
    }
  }

  private static func isAddress(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"#'<>\\^`|;,".utf8.contains($0) }
  }

  /// Divides the text of an attribution and the address at its end.
  private static func divided(_ attribution: String) throws(ParseError) -> (String, String?) {
    let words = attribution.split(whereSeparator: \.isWhitespace)
    let link = words.last.flatMap { $0.hasPrefix("https://") && isAddress(String($0)) ? String($0) : nil }
    let text = (link == nil ? words : words.dropLast()).joined(separator: " ")
    let hasControls = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard !text.isEmpty, text.count <= longestAttribution, !hasControls else {
      throw ParseError("The attribution must be a text of at most \(longestAttribution) characters.")
    }
    return (text, link)
  }
}

extension MapTiles {
  /// Reads the settings.
  ///
  /// - Returns: `nil` without tiles, and with those that can't be used, which are then a problem.
  init?(_ reader: inout SettingReader) {
    let zooms = reader.read(.tilesZoom) { Self.zooms($0.text) }
    let attribution = reader.read(.tilesAttribution) { $0.text.isEmpty ? nil : $0.text }
    guard let template = reader.read(.tiles, { $0.text.isEmpty ? nil : $0.text }) else {
      let dependent: [ServerSetting] = [.tilesAttribution, .tilesZoom]
      if !reader.isSet(.tiles), let first = dependent.first(where: { reader.isSet($0) }) {
        reader.report(first, "TILES is missing. Without tiles \(first.rawValue) means nothing.")
      }
      return nil
    }
    if !reader.isSet(.tilesAttribution) {
      reader.report(
        .tiles, "TILES_ATTRIBUTION is missing. The page shows the text that the owner of the tiles wants.")
    }
    do throws(ParseError) {
      try self.init(template: template, attribution: attribution ?? "none")
    } catch {
      reader.report(.tiles, error.message)
      return nil
    }
    self.zooms = zooms ?? Self.standardZooms
  }

  /// Reads a range such as `0-19`.
  private static func zooms(_ text: String) -> ClosedRange<Int>? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map {
      SettingText(text: String($0)).integer(in: allZooms)
    }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else { return nil }
    return first...last
  }
}
