import Testing
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsFormats

/// Documents that are meant to do harm, and documents in other encodings.
@Suite(.enabled(if: XMLStream<GPXHandler>.canRestart, "needs a parser that can begin again"))
struct GPXHostileTests {
  private static let good = "<trkpt lat=\"1\" lon=\"2\"><ele>3</ele></trkpt>"

  private func decoded(_ bytes: [UInt8]) -> RecordingBatch {
    var decoder = GPXDecoder()
    let batch = decoder.decodeAll(bytes)
    expectSameResultForAnyChunking(bytes, splits: 2) { GPXDecoder() }
    return batch
  }

  @Test(arguments: [
    "<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">",
    "<!ENTITY a SYSTEM \"file:///etc/hostname\">", "<!ENTITY % a SYSTEM \"http://example.com/x.dtd\"> %a;",
  ])
  func documentDeclaringEntitiesIsRefused(declarations: String) {
    let batch = decoded(
      Array(
        """
        <?xml version="1.0"?><!DOCTYPE gpx [\(declarations)]>
        <gpx><trk><name>&c;</name><trkseg>\(Self.good)</trkseg></trk></gpx>
        """.utf8))
    #expect(batch.elements == [])
    #expect(batch.problems.counts == [.malformed: 1])
    #expect(batch.problems.samples.first?.detail == "declares entities")
  }

  @Test func documentTypeDeclarationIsIgnored() {
    let batch = decoded(
      Array(
        """
        <?xml version="1.0"?><!DOCTYPE gpx SYSTEM "http://example.com/gpx.dtd">
        <gpx><trk><trkseg>\(Self.good)</trkseg></trk></gpx>
        """.utf8))
    #expect(batch.fixes.count == 1)
    #expect(batch.problems == ProblemLog())
  }

  @Test func endlessNestingIsRefused() {
    for opening in ["<a>", "<trk>", "<extensions>"] {
      let nest = String(repeating: opening, count: 5000)
      let batch = decoded(Array("<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\">\(nest)".utf8))
      #expect(batch.fixes == [])
      // Reading resumes at each track that it finds, so that a nest of them is refused piece by piece.
      let most = opening == "<trk>" ? 60 : 1
      #expect((1...most).contains(batch.problems.total))
      #expect(
        batch.problems.counts.keys.allSatisfy { [.malformed, .truncated].contains($0) },
        "\(batch.problems.counts)")
    }
  }

  @Test(arguments: ["a", "extensions", "trkpt", "metadata"])
  func textAfterDeepNestingIsRead(element: String) {
    let nest =
      String(repeating: "<\(element)>", count: 150) + String(repeating: "</\(element)>", count: 150)
    let batch = decoded(
      Array(
        """
        <gpx><trk><name>T</name><trkseg>\(Self.good)<trkpt lat="1" lon="2"><extensions>\(nest)</extensions></trkpt>
        \(Self.good)</trkseg><trkseg>\(Self.good)</trkseg></trk><wpt lat="1" lon="2"/></gpx>
        """.utf8))
    #expect(batch.fixes.count == 3)
    #expect(batch.elements.map(\.kind) == ["track", "segment", "fix", "fix", "segment", "fix", "waypoint"])
    #expect(batch.problems.counts[.malformed].map { $0 >= 1 } == true)
  }

  @Test func endlessTextIsTruncated() {
    let long = String(repeating: "x", count: 300_000)
    let batch = decoded(
      Array(
        "<gpx><trk><name>\(long)</name><trkseg><trkpt lat=\"1\" lon=\"2\"><ele>\(long)</ele></trkpt></trkseg></trk></gpx>"
          .utf8))
    #expect(batch.elements.first == .trackBegan(name: String(repeating: "x", count: 1024)))
    #expect(batch.fixes.count == 1)
    // The name and the height.
    #expect(batch.problems.counts == [.tooLong: 2])
  }

  @Test(arguments: ["<x a=\"", "<!--", "<?x ", "<"])
  func endlessTagsAreAbandonedAndLaterPointsAreRead(opening: String) {
    let long = opening + String(repeating: "y", count: 400_000) + Self.good
    let text = "<gpx><trk><trkseg>\(Self.good)\n\(long)\(Self.good)</trkseg></trk></gpx>"
    var decoder = GPXDecoder()
    let batch = decoder.decodeAll(Array(text.utf8))
    #expect((2...3).contains(batch.fixes.count))
    #expect(batch.problems.counts[.tooLong] == 1)
    #expect(batch.problems.samples.first?.line == 2)
    // Not byte by byte: old versions of expat rescan an open tag each time.
    for length in [1000, 50_000, 65_536, 200_000] {
      let pieces = decode(
        Array(text.utf8), by: GPXDecoder(), inPiecesOf: repeatElement(length, count: 1000))
      #expect(pieces.elements == batch.elements && pieces.problems == batch.problems, "\(length)")
    }
  }

  // MARK: Encodings

  private static let named =
    "<gpx><trk><name>Zürich</name><trkseg><trkpt lat=\"1\" lon=\"2\"><ele>3</ele></trkpt></trkseg></trk></gpx>"

  @Test(arguments: [false, true], ["", "\n", "\r\n \n"]) func utf16IsDecoded(isBigEndian: Bool, end: String) {
    let text = "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + Self.named + end
    expectNamedFix(ofUTF16: text, isBigEndian)
  }

  private func expectNamedFix(ofUTF16 text: String, _ isBigEndian: Bool) {
    let bytes = text.utf16.flatMap { unit in
      isBigEndian ? [UInt8(unit >> 8), UInt8(unit & 255)] : [UInt8(unit & 255), UInt8(unit >> 8)]
    }
    let batch = decoded(bytes)
    #expect(batch.problems == ProblemLog())
    #expect(batch.elements.first == .trackBegan(name: "Zürich"))
    #expect(batch.fixes.count == 1)
  }

  /// Some shells write redirected output as UTF-16, and leave the declaration as it was.
  @Test(arguments: [false, true], ["UTF-8", "ISO-8859-1"])
  func byteOrderMarkOfUTF16CountsMoreThanTheDeclaration(isBigEndian: Bool, encoding: String) {
    let text = "\u{FEFF}<?xml version=\"1.0\" encoding=\"\(encoding)\"?>" + Self.named
    expectNamedFix(ofUTF16: text, isBigEndian)
  }

  @Test func byteOrderMarkIsIgnored() {
    let batch = decoded(Array(("\u{FEFF}<?xml version=\"1.0\" encoding=\"utf-8\"?>" + Self.named).utf8))
    #expect(batch.problems == ProblemLog())
    #expect(batch.elements.first == .trackBegan(name: "Zürich"))
  }

  @Test(arguments: ["ISO-8859-1", "windows-1258"]) func latin1IsDecoded(encoding: String) {
    let text = "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>" + Self.named
    let batch = decoded(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    #expect(batch.elements.first == .trackBegan(name: "Zürich"))
    #expect(batch.fixes.count == 1)
    #expect(batch.problems.counts == (encoding == "ISO-8859-1" ? [:] : [.badEncoding: 1]))
  }

  @Test(arguments: ["windows-1252", "Windows-1252", "cp1252"]) func windows1252IsDecoded(encoding: String) {
    let bytes =
      Array("<?xml version=\"1.0\" encoding=\"\(encoding)\"?><gpx><trk><name>".utf8)
      + [0x80, 0x20, 0x96, 0x20, 0x84, 0xFC, 0x93, 0x9F, 0x81] + Array("</name></trk></gpx>".utf8)
    let batch = decoded(bytes)
    #expect(batch.elements == [.trackBegan(name: "€ – „ü“Ÿ\u{81}")])
    #expect(batch.problems == ProblemLog())
  }

  @Test func wronglyEncodedTextLosesOnlyItsElement() {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + Self.named
    let batch = decoded(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    #expect(batch.elements == [.trackBegan(name: nil), .segmentBegan] + batch.elements.suffix(1))
    #expect(batch.fixes.count == 1)
    #expect(batch.problems.total == 1)
  }
}
