import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsFormats

/// Problems of a document are counted and located, and the rest is read.
@Suite(.enabled(if: XMLStream<GPXHandler>.canRestart, "needs a parser that can begin again"))
struct GPXProblemTests {
  private static let good = "<trkpt lat=\"1\" lon=\"2\"><ele>3</ele></trkpt>"

  @Test(
    arguments: [
      ("<trkpt lat=\"91\" lon=\"2\"/>", .badCoordinate),
      ("<trkpt lat=\"1\" lon=\"180.01\"/>", .badCoordinate),
      ("<trkpt lat=\"1\"/>", .missing), ("<trkpt/>", .missing), ("<trkpt lat=\"\" lon=\"2\"/>", .badNumber),
      ("<trkpt lat=\"1\" lon=\"east\"><ele>1</ele></trkpt>", .badNumber),
      ("<trkpt lat=\"nan\" lon=\"2\"/>", .badNumber),
    ] as [(String, InputProblem.Kind)])
  func pointWithoutPlaceIsOneProblemAndLaterPointsAreRead(point: String, kind: InputProblem.Kind) throws {
    let batch = decodedGPX(gpx(points: "\(Self.good)\n\(point)\n\(Self.good)"))
    #expect(batch.fixes.count == 2)
    #expect(batch.problems.counts == [kind: 1])
    let problem = try #require(batch.problems.samples.first)
    #expect(problem.line == 4)
    #expect(
      problem.byteOffset == gpx(points: "\(Self.good)\n").utf8.count - "\n</trkseg></trk></gpx>".utf8.count)
  }

  @Test(
    arguments: [
      ("<ele>high</ele>", .badNumber), ("<ele>1,5</ele>", .badNumber), ("<time>noon</time>", .badTime),
      ("<time>2024-02-30T00:00:00Z</time>", .badTime), ("<fix>4d</fix>", .malformed),
      ("<hdop>1.0.0</hdop>", .badNumber),
      ("<ele>" + String(repeating: "1", count: 5000) + "</ele>", .tooLong),
    ] as [(String, InputProblem.Kind)])
  func unreadableElementIsOneProblemAndItsPointIsRetained(child: String, kind: InputProblem.Kind) {
    let batch = decodedGPX(
      gpx(points: "<trkpt lat=\"1\" lon=\"2\">\(child)<speed>4</speed></trkpt>"))
    #expect(batch.fixes.map(\.speed) == [4])
    #expect(batch.fixes.first?.heightAboveGeoid == nil && batch.fixes.first?.time == nil)
    #expect(batch.problems.counts == [kind: 1])
    #expect(batch.problems.samples.first?.line == 3)
  }

  @Test(arguments: [
    "<trkpt lat=\"1\" lon=\"2\"><name>Tom & Jerry</name></trkpt>",
    "<trkpt lat=\"1\" lon=\"2\"><ele>3</trkpt>", "<trkpt lat=\"1\" lon=2></trkpt>",
    "<trkpt lat=\"1\" lat=\"1\" lon=\"2\"></trkpt>", "<trkpt lat=\"&nbsp;\" lon=\"2\"/>", "<trk<trkpt/>",
    "<1/>", "a < b", "</trkpt>", "<?xml x?>", "<!-- -- -->", "]]>", "&#0;", "<trkpt lat=\"1\" lon=\"2\"/ >",
    "<trkpt lat=\"1\" lon=\"2\"><name>\u{1}</name></trkpt>",
  ])
  func decodingResumesAtTheNextPointAfterMalformedXML(broken: String) {
    let batch = decodedGPX(
      "<gpx><trk><name>T</name><trkseg>\n\(Self.good)\n\(broken)\n\(Self.good)\(Self.good)</trkseg>\n"
        + "<trkseg>\(Self.good)</trkseg></trk><trk><name>U</name><trkseg>\(Self.good)</trkseg></trk></gpx>")
    #expect(batch.problems.counts[.malformed] == 1)
    #expect(batch.problems.samples.allSatisfy { $0.line == 3 })
    #expect(batch.fixes.count == 5)
    let rest = batch.elements.filter { if case .fix = $0 { false } else { true } }
    #expect(
      rest == [
        .trackBegan(name: "T"), .segmentBegan, .segmentBegan, .trackBegan(name: "U"), .segmentBegan,
      ])
  }

  @Test(arguments: [7, 8, 9, 2_039, 2_040, 2_041, 20_000])
  func problemAfterManyLineFeedsAndMalformedXMLHasItsLine(lineFeeds: Int) {
    let batch = decodedGPX(
      gpx(
        points: String(repeating: "\n", count: lineFeeds) + "<1/>\n" + Self.good
          + "\n<trkpt lat=\"91\" lon=\"2\"/>"))
    #expect(batch.fixes.count == 1)
    #expect(batch.problems.samples.map(\.line) == [lineFeeds + 3, lineFeeds + 5])
  }

  @Test func malformedNameLosesOneWaypoint() {
    let batch = decodedGPX(
      """
      <gpx><wpt lat="1" lon="1"><name>a</name></wpt>
      <wpt lat="2" lon="2"><name>b & c</name></wpt>
      <wpt lat="3" lon="3"><name>d</name></wpt>
      <rte><name><</name><rtept lat="4" lon="4"/><rtept lat="5" lon="5"/></rte>
      <trk><name>T</name><trkseg>\(Self.good)</trkseg></trk>
      </gpx>
      """)
    #expect(batch.problems.counts == [.malformed: 2])
    #expect(batch.problems.samples.map(\.line) == [2, 4])
    let kinds = batch.elements.map { element in
      switch element {
      case .waypoint(let place): "wpt \(place.name ?? "")"
      case .routeBegan(let name): "rte \(name ?? "")"
      case .routePoint: "rtept"
      case .trackBegan(let name): "trk \(name ?? "")"
      case .segmentBegan: "trkseg"
      case .fix: "trkpt"
      case .heading, .satellites, .deviceBegan, .visit, .offset: "?"
      }
    }
    #expect(kinds == ["wpt a", "wpt d", "rte ", "rtept", "rtept", "trk T", "trkseg", "trkpt"])
  }

  @Test func truncatedDocumentIsReadUpToItsEnd() {
    let whole = gpx(points: Self.good + Self.good + Self.good)
    let end = whole.utf8.count - "</trkseg></trk></gpx>".utf8.count - 8
    let batch = decodedGPX(String(decoding: whole.utf8.prefix(end), as: UTF8.self))
    #expect(batch.fixes.count == 2)
    #expect(batch.problems.counts == [.truncated: 1])
    #expect(batch.problems.samples.first?.line == 3)
  }

  @Test(arguments: ["", "  \n ", "<gpx>", "<gpx", "<!-- x"])
  func unfinishedDocumentIsOneProblem(text: String) {
    let batch = decodedGPX(text)
    #expect(batch.elements == [])
    #expect(batch.problems.counts == [.truncated: 1])
  }

  @Test func otherDocumentTypeIsOneProblem() {
    let batch = decodedGPX("<kml><trk><trkseg>\(Self.good)</trkseg></trk><gpx>\(Self.good)</gpx></kml>")
    #expect(batch.elements == [])
    #expect(batch.problems.counts == [.malformed: 1])
    #expect(batch.problems.samples.first?.detail == "not a GPX document")
  }

  @Test func concatenatedDocumentsAreBothRead() {
    let document = gpx(points: Self.good)
    let batch = decodedGPX(document + "\n" + document)
    #expect(batch.fixes.count == 2)
    #expect(batch.problems.counts == [.malformed: 1])
    #expect(batch.problems.samples.first?.detail == "document goes on after its end")
    #expect(batch.problems.samples.first?.line == 6)
  }

  /// Returns a document whose elements have a prefix of a namespace.
  private func prefixed(_ document: String, by prefix: String) -> String {
    var text = document.replacing("<gpx", with: "<gpx xmlns:\(prefix)=\"http://www.topografix.com/GPX/1/1\"")
    for name in ["gpx", "trk", "wpt"] {
      text = text.replacing("<\(name)", with: "<\(prefix):\(name)")
        .replacing("</\(name)", with: "</\(prefix):\(name)")
    }
    return text
  }

  @Test func concatenatedDocumentsWithPrefixesAreBothRead() {
    let document = "<gpx><trk><trkseg>\(Self.good)</trkseg></trk></gpx>\n"
    let batch = decodedGPX(
      prefixed(document, by: "g") + prefixed(document, by: "gpx-1.1") + document
        + prefixed("<gpx><wpt lat=\"1\" lon=\"1\"/></gpx>", by: "g"))
    #expect(batch.fixes.count == 3)
    #expect(batch.elements.count { if case .trackBegan = $0 { true } else { false } } == 3)
    #expect(batch.problems.counts == [.malformed: 3])
    #expect(
      batch.problems.samples.map(\.detail)
        == Array(repeating: "document goes on after its end", count: 3))
    #expect(batch.problems.samples.map(\.line) == [2, 3, 4])
  }

  @Test(arguments: ["<1/>", "<g:trkpt lat=\"1\" lon=2></g:trkpt>", "a < b", "</g:trkpt>"])
  func decodingResumesAtTheNextPointWithAPrefix(broken: String) {
    let document = "<gpx><trk><trkseg>\(Self.good)?\(Self.good)\(Self.good)</trkseg></trk></gpx>"
    let batch = decodedGPX(prefixed(document, by: "g").replacing("?", with: broken))
    #expect(batch.fixes.count == 3)
    #expect(batch.problems.counts == [.malformed: 1])
  }

  @Test(arguments: ["", "\n\r\n ", "<!-- made by x -->\n", "<?x?>"])
  func trailingCommentsAndWhitespaceAreAccepted(tail: String) {
    let batch = decodedGPX(gpx(points: Self.good) + tail)
    #expect(batch.fixes.count == 1)
    #expect(batch.problems == ProblemLog())
  }

  @Test(arguments: ["\0\0\0\0", "\nx & y", "&<gpx"]) func trailingGarbageIsOneProblem(tail: String) throws {
    let document = gpx(points: Self.good)
    let batch = decodedGPX(document + tail)
    #expect(batch.fixes.count == 1)
    #expect(batch.problems.counts == [.garbage: 1])
    let offset = try #require(batch.problems.samples.first?.byteOffset)
    #expect(offset == document.utf8.count + (tail.hasPrefix("\n") ? 1 : 0))
  }

  // Found by feeding damaged documents whole and in pieces.
  @Test(arguments: [
    "<trkpt lat=\"51.506196000\"<trkseg> lon", "<gpx><trk><trkseg><a b</gpx><trkpt lat=\"1\" lon=\"2\"> x",
    "<x><\0trkpt lat=\"1\" lon=\"2\"/><\0trkpt lat=\"3\" lon=\"4\"/></x>", "<gpx></gpx>foo & bar<trk></trk",
    "<gpx/>\n<a>&</a>\n<wpt lat=\"1\" lon=\"2\"/>",
  ])
  func lateErrorsAreTheSameForAnyChunking(text: String) {
    _ = decodedGPX(text)
  }

  @Test func blankLinesBeforeTheDeclarationAreIgnored() {
    let batch = decodedGPX("\n \r\n" + gpx(points: "<trkpt/>"))
    #expect(batch.problems.counts == [.missing: 1])
    #expect(batch.problems.samples.first?.line == 5)
  }

  @Test(arguments: PropertyCases.seeds(15, of: 1...60 as ClosedRange<UInt64>))
  func damagedDocumentsNeverCrashAndChunkingDoesNotMatter(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let point = """
      <trkpt lat="48.1" lon="11.5"><ele>520.5</ele><time>2024-05-01T06:00:00Z</time><fix>3d</fix><hdop>1.1</hdop>
      <extensions><g:TrackPointExtension xmlns:g="urn:g"><g:speed>3</g:speed></g:TrackPointExtension></extensions></trkpt>\n
      """
    let document = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1"><metadata/><wpt lat="1" lon="2"><name>A</name></wpt><rte><rtept lat="1" lon="2"/></rte><trk>
      <name>T</name><trkseg>\(point)\(point)\(point)</trkseg></trk></gpx>
      """
    for _ in 0..<20 {
      expectSameResultForAnyChunking(random.mutated(Array(document.utf8)), seed: seed, splits: 2) {
        GPXDecoder()
      }
    }
  }
}
