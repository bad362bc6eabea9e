import WhereaboutsModel

/// A reader of GeoJSON text, feature by feature, which resumes after unreadable parts.
struct GeoJSONFenceDocument {
  private var scanner: JSONScanner
  private let reader: FenceReader
  private var drafts: FenceDrafts
  private var features = 0
  /// The number of resumptions after JSON that was not well formed.
  private var resumptions = 0

  /// The limit of resumptions; a file with more is something else.
  private static let maxResumptions = 1000

  init(_ bytes: UnsafeRawBufferPointer, reader: FenceReader) {
    scanner = JSONScanner(bytes)
    scanner.acceptsNaN = true
    self.reader = reader
    drafts = FenceDrafts(of: bytes)
  }

  /// Reads everything there is.
  mutating func read() -> FenceDrafts {
    if scanner.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
    var isFirst = true
    while skipToText() {
      let start = scanner.position
      if readText() {
        isFirst = false
        continue
      }
      if isFirst, drafts.isEmpty, RecordingFormat.detect(scanner.bytes) == .jsonLines {
        drafts.recordError(
          FenceParseError(.notFences, at: start, FenceReader.detectedContentDescription(scanner.bytes)))
        return drafts
      }
      isFirst = false
      repeat {
        guard resume() else { return drafts }
      } while !readRemainingFeatures()
    }
    return drafts
  }

  /// Returns whether there is another text of a sequence of them.
  private mutating func skipToText() -> Bool {
    while scanner.peek() == geoJSONRecordSeparator { scanner.position += 1 }
    return scanner.peek() != nil
  }

  // MARK: Texts

  /// Reads one collection, feature or geometry; `false` where it isn't well formed.
  private mutating func readText() -> Bool {
    let start = scanner.position
    guard scanner.peek() == UInt8(ascii: "{") else {
      return refuseMalformed(at: start, "not an object of GeoJSON")
    }
    var walk = scanner
    walk.position += 1
    var object = GeoJSONObject(start: start)
    var isCollection = false
    if !walk.accept("}") {
      repeat {
        guard let key = walk.key() else { return refuseMalformed(at: walk.position) }
        let isNull = walk.peek() == UInt8(ascii: "n")
        let position = walk.position
        if walk.peek() == UInt8(ascii: "["), walk.withBytes(of: key, { $0.equals("features") }) {
          isCollection = true
          scanner.position = position + 1
          guard readElements() else { return false }
          walk.position = scanner.position
        } else {
          guard walk.skipValue() else { return refuseMalformed(at: walk.position) }
          walk.withBytes(of: key) { object.recordMember($0, at: position, isNull: isNull) }
        }
      } while walk.accept(",")
      guard walk.accept("}") else { return refuseMalformed(at: walk.position) }
    }
    scanner.position = walk.position
    if !isCollection {
      addFeature(object)
    } else if let crs = object.crs {
      refuseAll(unlessWGS84: scanner.at(crs))
    }
    return true
  }

  /// Reads the elements of an array of features, after its opening bracket, and the closing bracket;
  /// `false` if they can't be read to the end.
  private mutating func readElements() -> Bool {
    if scanner.accept("]") { return true }
    repeat {
      guard scanner.peek() == UInt8(ascii: "{") else {
        return refuseMalformed(at: scanner.position, "a feature is no object")
      }
      guard let object = scanner.geoJSONObject() else {
        features += 1
        return refuseMalformed(at: scanner.position, feature: features)
      }
      addFeature(object)
    } while scanner.accept(",")
    return scanner.accept("]") || refuseMalformed(at: scanner.position)
  }

  /// Reads the features after a malformed one, as far as possible, and the rest of their collection, if any; `false` if
  /// these are malformed too.
  private mutating func readRemainingFeatures() -> Bool {
    repeat {
      guard scanner.peek() == UInt8(ascii: "{") else { break }
      guard let object = scanner.geoJSONObject() else {
        features += 1
        return refuseMalformed(at: scanner.position, feature: features)
      }
      addFeature(object)
    } while scanner.accept(",")
    guard scanner.accept("]") else { return true }
    while scanner.accept(",") {
      guard scanner.key() != nil, scanner.skipValue() else { return refuseMalformed(at: scanner.position) }
    }
    return scanner.accept("}") || refuseMalformed(at: scanner.position)
  }

  /// Refuses all features of a collection that states another coordinate system; its features have been read by then.
  private mutating func refuseAll(unlessWGS84 crs: JSONScanner) {
    do throws(FenceParseError) {
      try GeoJSONReferenceSystem.check(crs)
    } catch {
      drafts.removeAll()
      drafts.recordError(error)
    }
  }

  private mutating func addFeature(_ object: GeoJSONObject) {
    features += 1
    var feature = GeoJSONFeature(object, in: scanner, ordinal: features)
    do throws(FenceParseError) {
      drafts.add(try feature.draft(reader))
    } catch {
      drafts.recordError(error, feature: features, id: feature.id)
    }
  }

  // MARK: Resuming

  private mutating func refuseMalformed(
    at position: Int, feature: Int? = nil, _ detail: String = "not well-formed JSON"
  ) -> Bool {
    scanner.position = position
    let isEnd = scanner.peek() == nil
    drafts.recordError(
      FenceParseError(isEnd ? .truncated : .malformed, at: position, isEnd ? "the file ends here" : detail),
      feature: feature)
    return false
  }

  /// Advances to the next `{"type":"Feature"` after malformed content; `false` if there is none.
  private mutating func resume() -> Bool {
    resumptions += 1
    guard resumptions <= Self.maxResumptions else { return false }
    while scanner.position < scanner.bytes.count {
      if scanner.bytes[scanner.position] == UInt8(ascii: "{"), isFeature(at: scanner.position) { return true }
      scanner.position += 1
    }
    return false
  }

  private func isFeature(at position: Int) -> Bool {
    var walk = scanner.at(position + 1)
    guard let key = walk.key(), walk.withBytes(of: key, { $0.equals("type") }),
      walk.peek() == UInt8(ascii: "\""), let type = walk.string()
    else { return false }
    return walk.withBytes(of: type) { $0.equals("Feature") }
  }
}
