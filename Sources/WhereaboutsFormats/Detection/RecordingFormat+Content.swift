import WhereaboutsModel

extension RecordingFormat {
  /// The number of a recording's first bytes that ``detect(_:)-([UInt8])`` reads.
  public static let detectionLength = 4096

  /// Returns the format of a recording by its first bytes, not its name, or `nil` if unknown.
  ///
  /// - **FIT**: the signature of its header.
  /// - **GPX**, **TCX**, **KML**: XML whose root is `gpx`, `TrainingCenterDatabase` or `kml`, also in UTF-16.
  /// - **Timeline**: a JSON object or array with the names of one of the four forms.
  /// - **JSON lines**: the first line with text is a JSON object; one line has `lat` and `lon`, or is a position or a
  ///   visit of Dawarich's archive. Or the first object is gpsd's, and no sentence of
  ///   NMEA follows; other objects with a `class` are unknown.
  /// - **GeoJSON**: a JSON object whose `type` is one of GeoJSON's; or an array of objects with `latitude`, `longitude`
  ///   and a time; or a batch of Overland; or `locations.json` of Polarsteps; or `data.json` of Dawarich's archive.
  /// - **OwnTracks**: the first line is a time, a topic and a JSON object; or any line is, and its object has `_type`; or
  ///   the first JSON object has `_type`, or is an array or has an array `data` of such objects.
  /// - **IGC**: a line of the date, or one of a position.
  /// - **CSV**: the first line with text, after a line such as `sep=;`, names a column for the latitude or longitude
  ///   and another one; also in UTF-16.
  /// - **NMEA**: a sentence with the right checksum anywhere, after any bytes; or a sentence of a supported type
  ///   without a checksum.
  ///
  /// A byte order mark, blank lines, and for lines of text `#` comments before them, don't count. All formats but FIT may
  /// be in UTF-16.
  /// - Parameter prefix: the first ``detectionLength`` bytes, or all of a shorter recording. Further bytes are
  ///   ignored.
  public static func detect(_ prefix: UnsafeRawBufferPointer) -> RecordingFormat? {
    let prefix = UnsafeRawBufferPointer(rebasing: prefix.prefix(detectionLength))
    if isFIT(prefix) { return .fit }
    if let format = formatOfXML(prefix) { return format }
    if let format = prefix.withTextInUTF8(formatOfTimeline) { return format }
    if let format = prefix.withTextInUTF8(formatOfLines) { return format }
    return isNMEA(prefix) ? .nmea : nil
  }

  /// Returns the format of a recording by its first bytes, as ``detect(_:)-(UnsafeRawBufferPointer)``.
  public static func detect(_ prefix: [UInt8]) -> RecordingFormat? {
    prefix.withUnsafeBytes { detect($0) }
  }

  /// Returns the format of a recording whose damaged beginning may be longer than ``detectionLength``, by the lines after
  /// the first; `nil` if unknown. A power cut or a full disk leaves such a beginning in a Recorder's file only.
  ///
  /// - Parameter bytes: the first bytes of the recording.
  package static func detectAfterFirstLine(_ bytes: UnsafeRawBufferPointer) -> RecordingFormat? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let rest = bytes[(end + 1)...].prefix(detectionLength)
    return hasRecords(UnsafeRawBufferPointer(rebasing: rest)) ? .ownTracks : nil
  }

  // MARK: XML

  private static func formatOfXML(_ prefix: UnsafeRawBufferPointer) -> RecordingFormat? {
    // UTF-16 without its zeros and its mark is ASCII in all significant places.
    let text = prefix.filter { $0 != 0 && $0 < 0x80 }
    return text.withUnsafeBytes { text in
      guard let root = rootElement(of: text) else { return nil }
      if root.equals("gpx") { return .gpx }
      if root.equals("TrainingCenterDatabase") { return .tcx }
      return root.equals("kml") ? .kml : nil
    }
  }

  private static func isFIT(_ prefix: UnsafeRawBufferPointer) -> Bool {
    prefix.count >= 12 && prefix[0] >= 12 && prefix[8..<12].elementsEqual(".FIT".utf8)
  }

  /// Returns the name of the first element without its prefix, where nothing but XML's own stands before it.
  static func rootElement(of text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var position = 0
    while true {
      while position < text.count, text[position].isXMLSpace { position += 1 }
      guard position + 1 < text.count, text[position] == UInt8(ascii: "<") else { return nil }
      let rest = UnsafeRawBufferPointer(rebasing: text[position...])
      let next = rest[1]
      if rest.starts(with: "<!--".utf8) {
        guard let end = rest.firstIndex(after: "-->") else { return nil }
        position += end
      } else if next == UInt8(ascii: "?") || next == UInt8(ascii: "!") {
        guard var end = rest.firstIndex(after: ">") else { return nil }
        // The declarations of a document type are between brackets.
        if next == UInt8(ascii: "!"), rest.prefix(end).contains(UInt8(ascii: "[")) {
          guard let bracket = rest.firstIndex(after: "]"),
            let close = UnsafeRawBufferPointer(rebasing: rest[bracket...]).firstIndex(after: ">")
          else { return nil }
          end = bracket + close
        }
        position += end
      } else {
        var name = rest.dropFirst().prefix {
          !$0.isXMLSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        }
        if let colon = name.lastIndex(of: UInt8(ascii: ":")) { name = name[(colon + 1)...] }
        return UnsafeRawBufferPointer(rebasing: name)
      }
    }
  }

  // MARK: Lines

  private static func formatOfLines(_ prefix: UnsafeRawBufferPointer) -> RecordingFormat? {
    var format: RecordingFormat?
    var isDecided = false
    var declaredSeparator: UInt8?
    var lines = LineSplitter(limit: detectionLength, endsAtReturns: true)
    func inspect(_ line: TextLine) {
      guard !isDecided, let first = line.bytes.first(where: { !$0.isXMLSpace && !isByteOrderMark($0) }),
        first != UInt8(ascii: "#")
      else { return }
      if declaredSeparator == nil,
        let separator = CSVFields.declaredSeparator(line.bytes.withoutByteOrderMark)
      {
        declaredSeparator = separator
        return
      }
      isDecided = true
      if first == UInt8(ascii: "{") {
        format = formatOfJSON(prefix)
        if format == nil, hasRecords(prefix) { format = .ownTracks }
      } else if first == UInt8(ascii: "[") {
        // Any other array is no table, although its first line may have commas and names in quotes.
        format = hasMessages(prefix) ? .ownTracks : hasPositions(prefix) ? .geoJSON : nil
      } else if let record = OwnTracksRecord(line.bytes.withoutByteOrderMark),
        UTCTime(iso8601: record.time) != nil
      {
        format = .ownTracks
      } else if isIGC(prefix) {
        format = .igc
      } else if hasRecords(prefix) {
        format = .ownTracks
      } else {
        let separator = declaredSeparator ?? CSVFields.separator(of: line.bytes)
        let header = CSVHeader(line.bytes, separator: separator)
        format = header.looksLikeTrack ? .csv : nil
      }
    }
    lines.split(prefix, inspect)
    lines.finish(inspect)
    return format
  }

  private static func isIGC(_ prefix: UnsafeRawBufferPointer) -> Bool {
    hasLine(in: prefix) { line in
      let start = line.bytes.prefix(5).map { $0 & 0xDF }
      return start.elementsEqual("HFDTE".utf8) || IGCPosition(line.bytes) != nil
    }
  }

  /// Returns whether any line is one of a Recorder's file. The first one may be cut or damaged. A log may have lines of a
  /// time and an object, too, but none of OwnTracks' objects. A table may have them in a column, with others after it.
  private static func hasRecords(_ prefix: UnsafeRawBufferPointer) -> Bool {
    // The last line of a long file is cut, and the other columns of a table with it.
    hasLine(in: prefix, includingLast: prefix.count < detectionLength) { line in
      guard let record = OwnTracksRecord(line.bytes) else { return false }
      var message = JSONScanner(record.message)
      guard message.skipValue(), message.peek() == nil else { return false }
      return UTCTime(iso8601: record.time) != nil && hasMessages(record.message)
    }
  }

  /// Returns whether a line meets a condition.
  ///
  /// - Parameter includesLast: whether a last line without its end counts.
  private static func hasLine(
    in prefix: UnsafeRawBufferPointer, includingLast includesLast: Bool = true,
    where meetsCondition: (TextLine) -> Bool
  ) -> Bool {
    var isFound = false
    var lines = LineSplitter(limit: detectionLength, endsAtReturns: true)
    func check(_ line: TextLine) { isFound = isFound || meetsCondition(line) }
    lines.split(prefix, check)
    if includesLast { lines.finish(check) }
    return isFound
  }

  private static func isByteOrderMark(_ byte: UInt8) -> Bool { byte == 0xEF || byte == 0xBB || byte == 0xBF }

  private static func formatOfJSON(_ prefix: UnsafeRawBufferPointer) -> RecordingFormat? {
    var object = JSONScanner(prefix)
    while object.position < prefix.count, prefix[object.position] != UInt8(ascii: "{") {
      object.position += 1
    }
    let text = UnsafeRawBufferPointer(rebasing: prefix[object.position...])
    object.position += 1
    func has(_ text: StaticString) -> Bool { prefix.firstIndex(after: text) != nil }
    var isFirst = true
    // A position of Dawarich may be longer than the prefix.
    let namesOfDawarich: [StaticString] = ["battery_status", "tracker_id", "timestamp"]
    var foundNames = 0
    // Only as far as the first object goes, or the prefix.
    while let key = object.key() {
      let name = UnsafeRawBufferPointer(rebasing: prefix[key.range])
      // Dawarich's `data.json` begins so; its manifest has the counts later.
      if isFirst, name.equals("counts"), has("\"points\""), has("\"notifications\"") { return .geoJSON }
      isFirst = false
      if namesOfDawarich.contains(where: { name.equals($0) }) { foundNames += 1 }
      if name.equals("locations"), object.peek() == UInt8(ascii: "["),
        has("\"geometry\"") || beginsWithPosition(object)
      {
        return .geoJSON
      }
      // gpsd sends objects before sentences, too.
      if name.equals("class") {
        return GPSDLogReader.beginsWithReport(text) && !isNMEA(prefix) ? .jsonLines : nil
      }
      if name.equals("_type") || (name.equals("data") && hasMessages(prefix)) { return .ownTracks }
      // The rest may be longer than the prefix.
      if name.equals("features"), object.peek() == UInt8(ascii: "[") { return .geoJSON }
      if name.equals("type"), object.peek() == UInt8(ascii: "\""), let type = object.string() {
        if isGeoJSONType(UnsafeRawBufferPointer(rebasing: prefix[type.range])) { return .geoJSON }
      } else {
        guard object.skipValue() else { break }
      }
      guard object.accept(",") else { break }
    }
    var decoder = JSONLinesDecoder()
    var batch = RecordingBatch()
    decoder.decode(prefix, into: &batch)
    decoder.finish(into: &batch)
    return batch.elements.isEmpty && foundNames < namesOfDawarich.count ? nil : .jsonLines
  }

  /// Returns whether there are messages of OwnTracks, anywhere.
  private static func hasMessages(_ prefix: UnsafeRawBufferPointer) -> Bool {
    prefix.firstIndex(after: "\"_type\"") != nil
  }

  /// Returns whether the first object is a position with a time. Of an object that is longer than the prefix, the names
  /// of its members may stand anywhere.
  private static func hasPositions(_ prefix: UnsafeRawBufferPointer) -> Bool {
    func has(_ text: StaticString) -> Bool { prefix.firstIndex(after: text) != nil }
    guard has("\"latitude\""), has("\"longitude\""), has("\"timestamp\"") || has("\"fixTime\"") else {
      return false
    }
    var scanner = JSONScanner(prefix)
    while scanner.position < prefix.count, prefix[scanner.position] != UInt8(ascii: "{") {
      scanner.position += 1
    }
    guard let first = scanner.item() else { return true }
    return first.member("latitude") != nil && first.member("longitude") != nil
      && (first.member("timestamp") ?? first.member("fixTime")) != nil
  }

  /// Returns whether an array begins with a position with a time, as Polarsteps writes them.
  private static func beginsWithPosition(_ array: JSONScanner) -> Bool {
    var scanner = array
    guard scanner.accept("["), let first = scanner.item() else { return false }
    return GeoJSONPosition.hasMembers(first) && (first.member("time") ?? first.member("timestamp")) != nil
  }

  private static func isGeoJSONType(_ type: UnsafeRawBufferPointer) -> Bool {
    let types: [StaticString] = [
      "FeatureCollection", "Feature", "GeometryCollection", "Point", "MultiPoint", "LineString",
      "MultiLineString", "Polygon", "MultiPolygon",
    ]
    return types.contains { type.equals($0) }
  }

  // MARK: Sentences

  private static func isNMEA(_ prefix: UnsafeRawBufferPointer) -> Bool {
    var batch = RecordingBatch()
    var strict = NMEADecoder()
    strict.decode(prefix, into: &batch)
    strict.finish(into: &batch)
    if strict.statistics.sentences > 0 { return true }
    var options = NMEADecoder.Options()
    options.acceptsMissingChecksums = true
    var lenient = NMEADecoder(options: options)
    lenient.decode(prefix, into: &batch)
    lenient.finish(into: &batch)
    return !lenient.statistics.byType.isEmpty
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the index behind the first place where that text stands, or `nil`.
  fileprivate func firstIndex(after text: StaticString) -> Int? {
    let length = text.utf8CodeUnitCount
    guard count >= length else { return nil }
    for start in 0...(count - length)
    where UnsafeRawBufferPointer(rebasing: self[start..<start + length]).equals(text) {
      return start + length
    }
    return nil
  }
}
