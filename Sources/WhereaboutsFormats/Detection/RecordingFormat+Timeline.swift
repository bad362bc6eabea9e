extension RecordingFormat {
  /// Returns ``timeline`` for the beginning of a JSON document that has one of its forms.
  static func formatOfTimeline(_ prefix: UnsafeRawBufferPointer) -> RecordingFormat? {
    let text = prefix.drop { $0.isXMLSpace || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    let json = UnsafeRawBufferPointer(rebasing: text)
    switch json.first {
    case UInt8(ascii: "{"): return isTimelineObject(json) ? .timeline : nil
    case UInt8(ascii: "["): return isTimelineArray(json) ? .timeline : nil
    default: return nil
    }
  }

  private static func isTimelineObject(_ json: UnsafeRawBufferPointer) -> Bool {
    if json.contains("\"timelineObjects\"") || json.contains("\"semanticSegments\"")
      || json.contains("\"rawSignals\"")
    {
      return true
    }
    guard json.contains("\"locations\"") else { return false }
    // Nothing but the array that may be empty.
    return json.contains("\"latitudeE7\"") || json.contains("\"timestampMs\"") || hasOnlyLocations(json)
  }

  private static func hasOnlyLocations(_ json: UnsafeRawBufferPointer) -> Bool {
    var scanner = JSONScanner(json)
    guard scanner.accept("{"), let name = scanner.key() else { return false }
    return UnsafeRawBufferPointer(rebasing: json[name.range]).equals("locations") && scanner.accept("[")
      && scanner.accept("]")
  }

  private static func isTimelineArray(_ json: UnsafeRawBufferPointer) -> Bool {
    json.contains("\"startTime\"")
      && (json.contains("\"timelinePath\"") || json.contains("\"visit\"") || json.contains("\"activity\"")
        || json.contains("\"geo:"))
  }

  /// Returns the kind of a file that is easily confused with a recording, and the name of the right file; `nil` if
  /// unknown.
  ///
  /// - Parameters:
  ///   - prefix: the first ``detectionLength`` bytes of the file.
  ///   - format: the detected format; `nil` if unknown. The text of a recording may have any words, such as HTML in a
  ///     description. So of the files with a format, only saved places and archives are named: the former are GeoJSON.
  package static func advice(
    for prefix: UnsafeRawBufferPointer, detectedAs format: RecordingFormat? = nil
  ) -> String? {
    let prefix = UnsafeRawBufferPointer(rebasing: prefix.prefix(detectionLength))
    func has(_ text: StaticString) -> Bool { prefix.contains(text) }
    if format == nil || format == .geoJSON, has("google_maps_url") || has("\"Google Maps URL\"") {
      return "it is a list of saved places of Google Maps; take Location History (Timeline)"
    }
    guard format == nil else { return archiveAdvice(for: prefix) }
    if has("\"deviceSettings\"") {
      return "it is Takeout's Settings.json, which holds no positions; take Records.json"
    }
    if has("\"timelineEdits\"") {
      return "it is Takeout's Timeline Edits.json; take Records.json or the Semantic Location History"
    }
    if has("\"titleUrl\"") || (has("\"header\"") && has("\"products\"")) {
      return "it is Takeout's My Activity; take Location History (Timeline)"
    }
    if has("<html") || has("<HTML") || has("<!DOCTYPE html") {
      return "it is a web page, such as the overview of an export (archive_browser.html); take the data files"
    }
    if has("SQLite format 3") { return "it is an SQLite database" }
    if has("encrypted"), !has("semanticSegments") {
      return
        "it seems to be encrypted; turn the encryption of the Timeline's backup off on the phone, and export it again"
    }
    if isTable(prefix) {
      return "it seems to be a table without columns for latitude and longitude; name them lat and lon"
    }
    return archiveAdvice(for: prefix)
  }

  /// Returns whether the first two lines have a separator equally often, and begin as no other text format does.
  private static func isTable(_ prefix: UnsafeRawBufferPointer) -> Bool {
    let text = prefix.drop { $0.isXMLSpace || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    let lines = text.split(maxSplits: 2) { $0 == 0x0A || $0 == 0x0D }.prefix(2)
    guard lines.count == 2, let first = text.first, !"{[<$!".utf8.contains(first),
      lines.allSatisfy({ $0.allSatisfy { $0 >= 0x20 || $0 == 0x09 } })
    else { return false }
    return [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].contains { separator in
      let counts = lines.map { $0.count { $0 == separator } }
      return counts[0] > 0 && counts[0] == counts[1]
    }
  }

  /// Returns the kind of a compressed file or an archive that is not read, and what to do; `nil` for any other file.
  package static func archiveAdvice(for prefix: UnsafeRawBufferPointer) -> String? {
    if prefix.count > 262, prefix[257..<262].elementsEqual("ustar".utf8) {
      return "it is a tar archive; unpack it with tar"
    }
    let kinds: [(opening: [UInt8], name: String)] = [
      (Array("BZh".utf8), "compressed with bzip2"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "compressed with xz"),
      ([0x28, 0xB5, 0x2F, 0xFD], "compressed with Zstandard"),
      ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7-Zip archive"), (Array("Rar!".utf8), "a RAR archive"),
    ]
    return kinds.first { prefix.starts(with: $0.opening) }.map { "it is \($0.name); unpack it first" }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns whether that text stands anywhere in these bytes.
  fileprivate func contains(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard count >= length else { return false }
    for start in 0...(count - length) where self[start] == text.utf8Start[0] {
      if UnsafeRawBufferPointer(rebasing: self[start..<start + length]).equals(text) { return true }
    }
    return false
  }
}
