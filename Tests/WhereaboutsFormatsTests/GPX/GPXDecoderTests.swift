import Testing
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsFormats

func decodedGPX(_ text: String) -> RecordingBatch {
  var decoder = GPXDecoder()
  let batch = decoder.decodeAll(Array(text.utf8))
  expectSameResultForAnyChunking(Array(text.utf8), splits: 3) { GPXDecoder() }
  return batch
}

/// A document with these children of a track's only segment.
func gpx(points: String) -> String {
  "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\"><trk><trkseg>\n\(points)\n</trkseg></trk></gpx>"
}

func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
  try #require(Coordinate(latitude: latitude, longitude: longitude))
}

@Suite struct GPXDecoderTests {
  @Test func elementsAreInDocumentOrder() throws {
    let batch = decodedGPX(
      """
      <gpx xmlns="http://www.topografix.com/GPX/1/1">
        <metadata><name>not a track</name><time>2001-01-01T00:00:00Z</time></metadata>
        <wpt lat="1" lon="2"><ele>3.5</ele><name> A &amp; B </name><sym>Flag</sym></wpt>
        <rte><name>Way</name><rtept lat="3" lon="4"><name>first</name></rtept><rtept lat="5" lon="6"/></rte>
        <trk><name>One</name><desc>x</desc><trkseg><trkpt lat="7" lon="8"/></trkseg><trkseg/></trk>
        <trk><trkseg><trkpt lon='10' lat='9'><time>2024-03-01T12:30:05Z</time></trkpt></trkseg><name>late</name></trk>
        <trk><name>empty</name></trk>
      </gpx>
      """)
    #expect(batch.problems == ProblemLog())
    #expect(
      try batch.elements == [
        .waypoint(Waypoint(coordinate: place(1, 2), name: "A & B", heightAboveGeoid: 3.5)),
        .routeBegan(name: "Way"),
        .routePoint(Waypoint(coordinate: place(3, 4), name: "first")),
        .routePoint(Waypoint(coordinate: place(5, 6))),
        .trackBegan(name: "One"), .segmentBegan,
        .fix(Fix(coordinate: place(7, 8), time: nil, source: .gpx)), .segmentBegan,
        .trackBegan(name: nil), .segmentBegan,
        .fix(Fix(coordinate: place(9, 10), time: UTCTime(iso8601: "2024-03-01T12:30:05Z"), source: .gpx)),
        .trackBegan(name: "empty"),
      ])
  }

  @Test func pointHasAllFields() throws {
    let batch = decodedGPX(
      gpx(
        points: """
          <trkpt lat=" 48.5 " lon="-11.25"><ele> 545.4 </ele><time>2024-03-01T12:30:05.25+01:00</time>
          <magvar>3</magvar><geoidheight>46.9</geoidheight><name>p</name><fix>3d</fix><sat>8</sat>
          <hdop>0.9</hdop><vdop>1.5</vdop><pdop>1.75</pdop><speed>2.5</speed><course>360</course></trkpt>
          """))
    var expected = Fix(
      coordinate: try place(48.5, -11.25), time: UTCTime(iso8601: "2024-03-01T11:30:05.25Z"), source: .gpx)
    expected.heightAboveGeoid = 545.4
    expected.heightAboveEllipsoid = 592.3
    expected.mode = .threeD
    expected.satellitesUsed = 8
    expected.horizontalDilution = 0.9
    expected.verticalDilution = 1.5
    expected.positionDilution = 1.75
    expected.horizontalAccuracy = 4.5
    expected.verticalAccuracy = 7.5
    expected.isAccuracyEstimated = true
    expected.speed = 2.5
    expected.course = 0
    #expect(batch.fixes == [expected])
    #expect(batch.problems == ProblemLog())
  }

  @Test func knownExtensionsAreReadInAnyNamespace() throws {
    let batch = decodedGPX(
      gpx(
        points: """
          <trkpt lat="1" lon="2"><hdop>4</hdop><extensions><x:y xmlns:x="urn:x"><ele>99</ele><z><time>no</time></z></x:y>
          <gpxtpx:TrackPointExtension xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
          <gpxtpx:hr>125</gpxtpx:hr><gpxtpx:speed>3.25</gpxtpx:speed><gpxtpx:course>271.5</gpxtpx:course>
          </gpxtpx:TrackPointExtension><e:extras xmlns:e="urn:e"><e:hacc>2.5</e:hacc><e:vacc>4</e:vacc><e:sacc>0.5</e:sacc>
          <e:cacc>5</e:cacc></e:extras></extensions></trkpt>
          <trkpt lat="1" lon="2"><extensions><accuracy>12</accuracy><speed>-1</speed><course>-1</course></extensions></trkpt>
          """))
    #expect(batch.problems == ProblemLog())
    let fixes = batch.fixes
    try #require(fixes.count == 2)
    #expect(fixes[0].speed == 3.25 && fixes[0].course == 271.5)
    #expect(fixes[0].horizontalAccuracy == 2.5 && fixes[0].verticalAccuracy == 4)
    #expect(fixes[0].speedAccuracy == 0.5 && fixes[0].courseAccuracy == 5)
    #expect(!fixes[0].isAccuracyEstimated && fixes[0].horizontalDilution == 4)
    #expect(fixes[0].heightAboveGeoid == nil && fixes[0].time == nil)
    #expect(fixes[1].horizontalAccuracy == 12 && fixes[1].speed == nil && fixes[1].course == nil)
  }

  /// Android states an unknown accuracy as 0; the dilution then counts. `hacc` is the element of our writer.
  @Test func accuracyOfZeroIsUnknown() throws {
    let batch = decodedGPX(
      gpx(
        points: """
          <trkpt lat="1" lon="2"><extensions><accuracy>0</accuracy></extensions></trkpt>
          <trkpt lat="1" lon="2"><hdop>4</hdop><extensions><accuracy>0.0</accuracy></extensions></trkpt>
          <trkpt lat="1" lon="2"><extensions><e:hacc xmlns:e="urn:e">0</e:hacc></extensions></trkpt>
          """))
    #expect(batch.problems == ProblemLog())
    let fixes = batch.fixes
    try #require(fixes.count == 3)
    #expect(fixes[0].horizontalAccuracy == nil && fixes[2].horizontalAccuracy == 0)
    #expect(fixes[1].isAccuracyEstimated && fixes[1].horizontalAccuracy ?? 0 > 0)
  }

  /// OsmAnd writes the bearing, Garmin's extension may have both.
  @Test(
    arguments: [
      ("<o:speed>3.5</o:speed><o:bearing>12.5</o:bearing>", 12.5, 0), ("<o:bearing>360</o:bearing>", 0, 0),
      ("<o:bearing>12</o:bearing><o:course>80</o:course>", 80, 0),
      ("<o:course>80</o:course><o:bearing>12</o:bearing>", 80, 0), ("<o:bearing>-1</o:bearing>", nil, 0),
      ("<o:course>-1</o:course><o:bearing>12</o:bearing>", 12, 0), ("<o:bearing>361</o:bearing>", nil, 1),
    ] as [(String, Double?, Int)])
  func bearingIsTheCourseWhereThereIsNone(extensions: String, course: Double?, problems: Int) throws {
    let batch = decodedGPX(
      gpx(
        points:
          "<trkpt lat=\"1\" lon=\"2\"><extensions xmlns:o=\"https://osmand.net\">\(extensions)</extensions></trkpt>"
      ))
    let fix = try #require(batch.fixes.first)
    #expect(fix.course == course && batch.problems.total == problems)
    #expect(batch.skippedElements.counts.isEmpty)
  }

  @Test func accuraciesOfOpenTracksAreRead() throws {
    let batch = decodedGPX(
      gpx(
        points: """
          <trkpt lat="1" lon="2"><extensions xmlns:o="http://opentracksapp.com/xmlschemas/v1">\
          <o:accuracy_horizontal>4.75</o:accuracy_horizontal><o:accuracy_vertical>3.5</o:accuracy_vertical>\
          </extensions></trkpt>
          """))
    let fix = try #require(batch.fixes.first)
    #expect(fix.horizontalAccuracy == 4.75 && fix.verticalAccuracy == 3.5 && !fix.isAccuracyEstimated)
    #expect(batch.skippedElements.counts.isEmpty && batch.problems == ProblemLog())
  }

  /// A route of a workout, as Apple Health exports it.
  @Test func accuraciesOfAppleHealthAreRead() throws {
    let batch = decodedGPX(
      gpx(
        points: """
          <trkpt lon="2" lat="1"><ele>5.5</ele><time>2024-05-23T12:00:00Z</time><extensions><speed>1.25</speed>\
          <course>-1</course><hAcc>4.75</hAcc><vAcc>3.5</vAcc></extensions></trkpt>
          """))
    let fix = try #require(batch.fixes.first)
    #expect(fix.horizontalAccuracy == 4.75 && fix.verticalAccuracy == 3.5 && !fix.isAccuracyEstimated)
    #expect(fix.speed == 1.25 && fix.course == nil)
    #expect(batch.skippedElements.counts.isEmpty)
  }

  @Test(
    arguments: [
      ("2d", .twoD, nil), ("3d", .threeD, nil), ("dgps", nil, .differential), ("pps", nil, .precise),
      ("none", nil, nil), ("", nil, nil),
    ] as [(String, Fix.Mode?, Fix.SolutionKind?)])
  func fixElementDeterminesModeAndSolution(text: String, mode: Fix.Mode?, solution: Fix.SolutionKind?) throws
  {
    let batch = decodedGPX(gpx(points: "<trkpt lat=\"1\" lon=\"2\"><fix>\(text)</fix></trkpt>"))
    let fix = try #require(batch.fixes.first)
    #expect(fix.mode == mode && fix.solution == solution)
    #expect(batch.problems == ProblemLog())
  }

  @Test func emptyElementsAreAbsent() throws {
    let batch = decodedGPX(
      gpx(
        points: """
          <trkpt lat="1" lon="2"><ele/><time></time><hdop> </hdop><speed>\n</speed><sat/><name/><extensions/></trkpt>
          """))
    #expect(batch.fixes == [Fix(coordinate: try place(1, 2), time: nil, source: .gpx)])
    #expect(batch.problems == ProblemLog())
  }

  @Test func zeroDilutionIsUnknown() throws {
    let batch = decodedGPX(
      gpx(points: "<trkpt lat=\"1\" lon=\"2\"><hdop>0.0</hdop><vdop>99.99</vdop></trkpt>"))
    let fix = try #require(batch.fixes.first)
    #expect(fix.horizontalDilution == nil && fix.verticalDilution == 99.99)
    #expect(fix.horizontalAccuracy == nil && fix.verticalAccuracy == nil && !fix.isAccuracyEstimated)
  }

  @Test func decreasingTimesAreAccepted() {
    let batch = decodedGPX(
      gpx(
        points: """
          <trkpt lat="1" lon="2"><time>2024-03-01T12:30:05Z</time></trkpt>
          <trkpt lat="1" lon="2"><time>2024-03-01T12:30:04Z</time></trkpt>
          """))
    #expect(batch.fixes.compactMap(\.time?.civil.second) == [5, 4])
  }

  @Test func pointsOutsideASegmentStartOne() throws {
    let fix = RecordingElement.fix(Fix(coordinate: try place(1, 2), time: nil, source: .gpx))
    let point = "<trkpt lat=\"1\" lon=\"2\"/>"
    let batch = decodedGPX("<gpx><trk>\(point)\(point)</trk><trk>\(point)</trk></gpx>")
    #expect(
      batch.elements == [
        .trackBegan(name: nil), .segmentBegan, fix, fix, .trackBegan(name: nil), .segmentBegan, fix,
      ])
  }

  @Test func allXMLTextFormsAreDecoded() throws {
    let batch = decodedGPX(
      """
      <?xml version="1.0"?><?x y?><!-- <trkpt lat="1"> --><g:gpx xmlns:g="urn:g"><g:trk><g:name><![CDATA[<B>]]> &#228;</g:name>
      <g:trkseg><g:trkpt lat="&#49;.5" lon="2"><g:ele>1<!-- x -->2<![CDATA[.5]]></g:ele></g:trkpt></g:trkseg></g:trk></g:gpx>
      """)
    #expect(batch.problems == ProblemLog())
    #expect(batch.elements.first == .trackBegan(name: "<B> ä"))
    let fix = try #require(batch.fixes.first)
    #expect(fix.coordinate.latitude == 1.5 && fix.heightAboveGeoid == 12.5)
  }

  #if os(Linux) || os(macOS)  // where a test may start a process
    @Test func staleCopyTraps() async {
      await #expect(processExitsWith: .failure) {
        var first = GPXDecoder()
        var batch = RecordingBatch()
        first.decode(Array("<gpx>".utf8), into: &batch)
        var second = first
        first.decode(Array("<trk>".utf8), into: &batch)
        second.decode(Array("<rte>".utf8), into: &batch)
      }
    }
  #endif

  /// Garmin Connect and Strava write the sport so.
  @Test func typeOfATrackIsTheActivity() {
    let points = "<trkseg><trkpt lat=\"1\" lon=\"2\"><type>walking</type></trkpt></trkseg>"
    let batch = decodedGPX(
      """
      <gpx><trk><type>running</type>\(points)\(points)</trk><trk>\(points)</trk>
      <trk><type>9</type>\(points)</trk><trk><type> Cycling </type>\(points)</trk></gpx>
      """)
    #expect(batch.fixes.map(\.activity) == [.running, .running, nil, nil, .cycling])
    #expect(batch.skippedElements.counts.map(\.name) == ["type"] && batch.problems == ProblemLog())
    // Those of the points, and the one that is no word.
    #expect(batch.skippedElements.counts.map(\.count) == [6])
  }

  @Test func unreadElementsAreCountedByName() {
    let text = """
      <gpx><metadata><name>M</name><desc>D</desc></metadata>
      <wpt lat="1" lon="2"><name>W</name><sym>Flag</sym><hdop>1</hdop></wpt>
      <trk><name>T</name><cmt>C</cmt><trkseg>
      <trkpt lat="1" lon="2"><name>P</name><extensions><x:TrackPointExtension><x:hr>90</x:hr><x:cad/>
      <x:speed>2</x:speed></x:TrackPointExtension><x:power><x:watts>7</x:watts></x:power></extensions></trkpt>
      <trkpt lat="1" lon="2"><extensions><x:hr>91</x:hr></extensions></trkpt>
      </trkseg></trk></gpx>
      """
    var decoder = GPXDecoder()
    let batch = decoder.decodeAll(Array(text.utf8))
    #expect(batch.problems == ProblemLog())
    let counts = Dictionary(uniqueKeysWithValues: batch.skippedElements.counts.map { ($0.name, $0.count) })
    #expect(
      counts == ["metadata": 1, "sym": 1, "hdop": 1, "cmt": 1, "name": 1, "hr": 2, "cad": 1, "watts": 1])
  }

  @Test func unreadNameListIsBounded() {
    let elements = (0..<100).map { "<e\($0)/>" }.joined()
    var decoder = GPXDecoder()
    let batch = decoder.decodeAll(Array("<gpx>\(elements)<\(String(repeating: "x", count: 80))/></gpx>".utf8))
    #expect(batch.skippedElements.counts.count == SkippedElements.maxNames)
    #expect(batch.skippedElements.unlistedCount == 101 - SkippedElements.maxNames)
  }

  @Test func longNameIsTruncatedAtACharacterAndReported() {
    let long = String(repeating: "é", count: 511) + "x漢漢"
    var decoder = GPXDecoder()
    let batch = decoder.decodeAll(
      Array(
        "<gpx><wpt lat=\"1\" lon=\"2\"><name>\(long)</name></wpt><trk><name>\(long)</name></trk></gpx>".utf8))
    let kept = String(repeating: "é", count: 511) + "x"
    #expect(batch.elements.last == .trackBegan(name: kept))
    guard case .waypoint(let place) = batch.elements.first else { return #expect(Bool(false), "no waypoint") }
    #expect(place.name == kept)
    #expect(batch.problems.counts == [.tooLong: 2])
  }

  @Test func courseAbove360IsRefused() {
    let text = """
      <gpx version="1.0"><trk><trkseg><trkpt lat="1" lon="2"><course>400</course></trkpt>
      <trkpt lat="1" lon="2"><course>360</course></trkpt></trkseg></trk></gpx>
      """
    var decoder = GPXDecoder()
    let batch = decoder.decodeAll(Array(text.utf8))
    #expect(batch.fixes.map(\.course) == [nil, 0])
    #expect(batch.problems.counts == [.badNumber: 1])
  }
}
