import Testing
import WhereaboutsGeodesy
import WhereaboutsModel

@testable import WhereaboutsFormats

/// TCX and KML.
@Suite struct XMLImportTests {
  // MARK: TCX

  private static func tcx(_ points: String) -> String {
    """
    <?xml version="1.0"?><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
    <Activities><Activity Sport="Running"><Id>2021-01-01T08:00:00Z</Id><Lap StartTime="2021-01-01T08:00:00Z">\(points)</Lap>
    </Activity></Activities></TrainingCenterDatabase>
    """
  }

  private static func point(_ second: Int, _ more: String = "") -> String {
    "<Trackpoint><Time>2021-01-01T08:00:0\(second)Z</Time><Position><LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position>\(more)</Trackpoint>"
  }

  @Test func tracksOfALapAreSegments() throws {
    let speed =
      "<Extensions><ns3:TPX><ns3:Speed>2.5</ns3:Speed><ns3:Watts>200</ns3:Watts></ns3:TPX></Extensions>"
    let text = ImportText(
      " \n"
        + Self.tcx(
          "<Track>\(Self.point(1, "<AltitudeMeters>97.5</AltitudeMeters><HeartRateBpm><Value>120</Value></HeartRateBpm>" + speed.replacing("ns3:", with: "a:")))\(Self.point(2))</Track><Track>\(Self.point(3))<Trackpoint><Time>2021-01-01T08:00:04Z</Time></Trackpoint></Track>"
        ))
    #expect(text.format == .tcx)
    #expect(text.batch.elements.map(\.kind) == ["track", "segment", "fix", "fix", "segment", "fix"])
    #expect(text.batch.elements.first == .trackBegan(name: "Running"))
    let fix = try #require(text.fixes.first)
    #expect(
      fix.time?.iso8601 == "2021-01-01T08:00:01.000Z" && fix.heightAboveGeoid == 97.5 && fix.speed == 2.5)
    #expect(text.problems == [])
    #expect(
      text.batch.skippedElements.counts.contains {
        $0.name == "Trackpoint without a position" && $0.count == 1
      })
  }

  @Test(
    arguments: [
      (" Sport=\"Running\"", .running), (" Sport=\"Biking\"", .cycling), (" Sport=\"Other\"", nil), ("", nil),
    ] as [(String, Fix.StatedActivity?)])
  func sportIsTheActivity(sport: String, activity: Fix.StatedActivity?) {
    let track = "<Lap><Track>\(Self.point(1))</Track></Lap>"
    let text = ImportText(
      """
      <TrainingCenterDatabase><Activities><Activity Sport="Biking">\(track)</Activity><Activity\(sport)>\(track)</Activity></Activities>
      <Courses><Course><Name>Home</Name><Track>\(Self.point(2))</Track></Course></Courses></TrainingCenterDatabase>
      """)
    #expect(text.problems == [])
    #expect(text.fixes.map(\.activity) == [.cycling, activity, nil])
  }

  @Test func courseIsATrackWithItsName() {
    let text = ImportText(
      "<TrainingCenterDatabase><Courses><Course><Name>Home</Name><Track>\(Self.point(1))</Track></Course></Courses></TrainingCenterDatabase>"
    )
    #expect(text.batch.elements.first == .trackBegan(name: "Home"))
    #expect(text.fixes.count == 1)
  }

  @Test func readingResumesAfterMalformedXML() {
    let text = ImportText(
      Self.tcx("<Track>\(Self.point(1))<Trackpoint><Time>oops</Trackpoint>\(Self.point(3))</Track>"))
    #expect(text.fixes.count == 2 && text.batch.problems.total >= 1)
    #expect(text.fixes.map(\.activity) == [.running, .running])
    let bad = ImportText(
      Self.tcx(
        "<Track>\(Self.point(1).replacing(">1<", with: ">91<"))\(Self.point(2).replacing("Z</Time", with: "?</Time"))</Track>"
      ))
    #expect(bad.batch.problems.counts == [.badCoordinate: 1, .badTime: 1])
    #expect(bad.fixes.map(\.time) == [nil])
  }

  @Test func activityWithAnUnreadableBeginningHasNoSportOfTheOneBefore() {
    let text = ImportText(
      """
      <TrainingCenterDatabase><Activities>
      <Activity Sport="Biking"><Lap><Track>\(Self.point(1))</Track></Lap></Activity>
      <Activity Sport="Running" Sport="Running"><Lap><Track>\(Self.point(2))</Track></Lap></Activity>
      </Activities></TrainingCenterDatabase>
      """)
    #expect(text.fixes.map(\.activity) == [.cycling, nil])
    #expect(text.batch.elements.filter { if case .trackBegan = $0 { true } else { false } }.count == 2)
    #expect(text.batch.problems.total == 1)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func damagedTCXIsSoundForAnyChunks(seed: UInt64) {
    expectSoundWhenDamaged(
      Array(Self.tcx("<Track>\((1...9).map { Self.point($0) }.joined())</Track>").utf8), seed: seed
    ) {
      TCXDecoder()
    }
  }

  // MARK: KML

  private static func kml(_ placemark: String) -> ImportText {
    ImportText(
      "<?xml version=\"1.0\"?><kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Document><Folder><Placemark><name>Way</name>\(placemark)</Placemark></Folder></Document></kml>"
    )
  }

  @Test(
    arguments: [
      // All times first, and in turn.
      "<gx:Track><when>2021-01-01T08:00:00Z</when><when>2021-01-01T10:00:10+02:00</when><gx:coord>2 1 5</gx:coord><gx:coord>2.5 1.5 6</gx:coord></gx:Track>",
      "<gx:Track><when>2021-01-01T08:00:00Z</when><gx:coord>2 1</gx:coord><when>2021-01-01T08:00:10Z</when><gx:coord>2.5  1.5 6</gx:coord></gx:Track>",
      "<gx:MultiTrack><gx:interpolate>1</gx:interpolate><gx:Track><when>2021-01-01T08:00:00Z</when><gx:coord>2 1</gx:coord></gx:Track><gx:Track><when>2021-01-01T08:00:10Z</when><gx:coord>2.5 1.5 6</gx:coord></gx:Track></gx:MultiTrack>",
    ]) func timesAndPlacesOfATrackArePairs(track: String)
  {
    let text = Self.kml(track)
    #expect(text.format == .kml)
    #expect(text.rows == ["2021-01-01T08:00:00.000Z 1.0 2.0", "2021-01-01T08:00:10.000Z 1.5 2.5"])
    #expect(text.batch.elements.first == .trackBegan(name: "Way"))
    // The ground is the default of altitudes: the number means nothing.
    #expect(text.fixes.allSatisfy { $0.heightAboveGeoid == nil })
    #expect(text.problems == [])
  }

  /// As OpenTracks and My Tracks write it.
  @Test func altitudeModeOfAMultiTrackHoldsForItsTracks() {
    func track(_ height: Int, _ mode: String = "") -> String {
      "<gx:Track>\(mode)<when>2021-01-01T08:00:00Z</when><gx:coord>2 1 \(height)</gx:coord></gx:Track>"
    }
    let text = Self.kml(
      """
      <gx:MultiTrack><altitudeMode>absolute</altitudeMode><gx:interpolate>1</gx:interpolate>\(track(5))\(track(6))\
      \(track(7, "<altitudeMode>clampToGround</altitudeMode>"))</gx:MultiTrack></Placemark><Placemark>\
      <gx:MultiTrack>\(track(8))</gx:MultiTrack></Placemark><Placemark>\(track(9))
      """)
    #expect(text.fixes.map(\.heightAboveGeoid) == [5, 6, nil, nil, nil])
    #expect(text.problems == [])
  }

  @Test func valuesBesideATrack() throws {
    let text = Self.kml(
      """
      <gx:Track><altitudeMode>absolute</altitudeMode><when>2021-01-01T08:00:00Z</when><when>2021</when><when>2021-01-01</when>
      <gx:coord>2 1 5</gx:coord><gx:coord>2 1 6</gx:coord><gx:coord></gx:coord><gx:coord>2 1 7</gx:coord>
      <ExtendedData><SchemaData><gx:SimpleArrayData name="accuracy"><gx:value>9.5</gx:value><gx:value>8</gx:value><gx:value></gx:value><gx:value>1</gx:value></gx:SimpleArrayData></SchemaData></ExtendedData></gx:Track>
      """)
    let fixes = text.fixes
    try #require(fixes.count == 2)
    #expect(fixes[0].heightAboveGeoid == 5 && fixes[0].horizontalAccuracy == 9.5)
    // Only a year: no time of a point.
    #expect(fixes[1].time == nil && fixes[1].horizontalAccuracy == 8)
    #expect(text.batch.problems.counts == [.badTime: 1, .missing: 1])
  }

  /// Android states an unknown accuracy as 0.
  @Test func accuracyOfZeroBesideATrackIsUnknown() {
    let text = Self.kml(
      """
      <gx:Track><when>2021-01-01T08:00:00Z</when><when>2021-01-01T08:00:01Z</when>
      <gx:coord>2 1 5</gx:coord><gx:coord>2 1 6</gx:coord>
      <ExtendedData><SchemaData><gx:SimpleArrayData name="accuracy"><gx:value>0</gx:value><gx:value>0.5</gx:value></gx:SimpleArrayData></SchemaData></ExtendedData></gx:Track>
      """)
    #expect(text.fixes.map(\.horizontalAccuracy) == [nil, 0.5])
    #expect(text.problems == [])
  }

  /// The span may follow the line.
  @Test(arguments: [true, false]) func spanYieldsTheTimesOfALine(isFirst: Bool) throws {
    let span = "<TimeSpan><begin>2021-01-01T08:00:00Z</begin><end>2021-01-01T08:00:40Z</end></TimeSpan>"
    let line = "<LineString><coordinates>2,0,0 2.1,0\n 2.4,0,1</coordinates></LineString>"
    let text = Self.kml(isFirst ? span + line : line + span)
    #expect(
      text.rows == [
        "2021-01-01T08:00:00.000Z 0.0 2.0", "2021-01-01T08:00:10.000Z 0.0 2.1",
        "2021-01-01T08:00:40.000Z 0.0 2.4",
      ])
    // A time that was shared out is marked.
    #expect(text.fixes.map(\.solution) == [nil, .deadReckoning, nil])
  }

  /// Tracks with accuracies, a route between them and a place that is none.
  private static let severalTracks: [UInt8] = {
    func track(_ count: Int) -> String {
      let times = (0..<count).map { "<when>2021-01-01T08:00:\($0 < 10 ? "0" : "")\($0)Z</when>" }.joined()
      let places = (0..<count).map { "<gx:coord>\($0) \($0 == 3 ? "" : "1")</gx:coord>" }.joined()
      let values = (0..<count).map { "<gx:value>\($0).2</gx:value>" }.joined()
      return """
        <Placemark><name>\(count)</name><gx:Track>\(times)\(places)<ExtendedData><SchemaData><gx:SimpleArrayData name="accuracy">\
        \(values)</gx:SimpleArrayData></SchemaData></ExtendedData></gx:Track></Placemark>
        """
    }
    let route = "<Placemark><LineString><coordinates>2,0 2.1,0</coordinates></LineString></Placemark>"
    return Array(
      "<kml><Document>\(track(12))\(route)\(track(1))\(track(0))\(track(30))\(route)</Document></kml>".utf8)
  }()

  @Test(arguments: [1, 2, 5, 12, 13, 100], [1, 64, 4096])
  func limitedBatchesHaveTheSameElementsInOrder(limit: Int, chunk: Int) {
    let bytes = Self.severalTracks
    var whole = KMLDecoder()
    let expected = whole.decodeAll(bytes)
    var decoder = KMLDecoder(), batch = RecordingBatch(), elements: [RecordingElement] = []
    batch.limit = limit
    func drain() {
      repeat {
        #expect(batch.elements.count <= limit)
        elements += batch.elements
        batch.removeAll()
      } while decoder.decodeHeldBack(into: &batch)
    }
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      decoder.decode(Array(bytes[start..<min(start + chunk, bytes.count)]), into: &batch)
      drain()
    }
    decoder.finish(into: &batch)
    drain()
    #expect(elements == expected.elements && expected.fixes.count == 41)
    #expect(expected.fixes[2].horizontalAccuracy == 2.2)
    #expect(batch.problems == expected.problems)
  }

  @Test func lineWithOneVertexIsCounted() {
    let span = "<TimeSpan><begin>2021-01-01T08:00:00Z</begin><end>2021-01-01T09:00:00Z</end></TimeSpan>"
    let text = Self.kml("<LineString><coordinates>2,0,0</coordinates></LineString>\(span)")
    #expect(text.batch.elements.isEmpty && text.problems == [])
    #expect(text.batch.skippedElements.counts.map(\.name) == ["LineString with one vertex"])
  }

  /// A file of a tracker's feed may have nothing but a link to the places.
  @Test func linkToAnotherFileIsCounted() {
    let text = ImportText(
      "<kml><Document><Style/><NetworkLink><Link><href>http://example.com/feed.kml</href></Link></NetworkLink></Document></kml>",
      as: .kml)
    #expect(text.batch.elements.isEmpty && text.problems == [])
    #expect(text.batch.skippedElements.counts.map(\.name) == ["NetworkLink"])
  }

  @Test func geometryWithoutTimesIsNoTrack() {
    let text = Self.kml("<LineString><coordinates>2,0 2.1,0</coordinates></LineString>")
    #expect(text.batch.elements.map(\.kind) == ["route", "routePoint", "routePoint"])
    let place = Self.kml("<Point><coordinates>2,0</coordinates></Point>")
    #expect(place.batch.elements.map(\.kind) == ["waypoint"])
    let stamped = Self.kml(
      "<TimeStamp><when>2021-01-01T08:00:00Z</when></TimeStamp><Point><coordinates>2,0</coordinates></Point>")
    #expect(stamped.rows == ["2021-01-01T08:00:00.000Z 0.0 2.0"])
    let stay = Self.kml(
      "<Point><coordinates>2,0</coordinates></Point><TimeSpan><begin>2021-01-01T08:00:00Z</begin><end>2021-01-01T09:00:00Z</end></TimeSpan>"
    )
    #expect(stay.visits.map(\.name) == ["Way"])
  }

  /// A long name is not lost, in each format.
  @Test func beginningOfALongNameIsKept() {
    let long = String(repeating: "é", count: 511) + "x漢漢"
    let kept = String(repeating: "é", count: 511) + "x"
    let line = "<LineString><coordinates>2,0 2.1,0</coordinates></LineString>"
    let texts = [
      ImportText("<kml><Placemark><name>\(long)</name>\(line)</Placemark></kml>", as: .kml),
      ImportText(
        "<TrainingCenterDatabase><Courses><Course><Name>\(long)</Name><Track>\(Self.point(1))</Track></Course></Courses></TrainingCenterDatabase>",
        as: .tcx),
      ImportText(
        #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[2,0],[2.1,0]]},"properties":{"name":"\#(long)"}}"#,
        as: .geoJSON),
    ]
    let firsts: [RecordingElement] = [
      .routeBegan(name: kept), .trackBegan(name: kept), .trackBegan(name: kept),
    ]
    for (text, first) in zip(texts, firsts) {
      #expect(text.batch.elements.first == first)
      #expect(text.batch.problems.counts == [.tooLong: 1])
    }
  }

  @Test func pointsAfterATrackBelongToNoTrackBefore() {
    let point =
      "</Placemark><Placemark><TimeStamp><when>2021-01-03T08:00:00Z</when></TimeStamp><Point><coordinates>9,8</coordinates></Point>"
    let text = Self.kml(
      "<gx:Track><when>2021-01-01T08:00:00Z</when><gx:coord>2 1</gx:coord></gx:Track>" + point + point)
    #expect(text.batch.elements.map(\.kind) == ["track", "segment", "fix", "track", "fix", "fix"])
  }

  @Test func placesWithoutTimesAreRefused() {
    let none = Self.kml("<gx:Track><gx:coord>2 1 5</gx:coord><gx:coord>2 1 5</gx:coord></gx:Track>")
    #expect(none.fixes.isEmpty && none.batch.problems.counts == [.missing: 2])
    let more = Self.kml(
      "<gx:Track><when>2021-01-01T08:00:00Z</when><gx:coord>2 1</gx:coord><gx:coord>2 1</gx:coord></gx:Track>"
    )
    #expect(more.fixes.count == 1 && more.batch.problems.counts == [.missing: 1])
    let bad = Self.kml("<LineString><coordinates>2,0 x,y 2,99</coordinates></LineString>")
    #expect(bad.batch.problems.counts == [.badCoordinate: 1])
  }

  /// A file of places without times does not fill the memory.
  @Test func placesThatWaitForTheirTimesAreLimited() {
    var track = KMLTrack()
    for _ in 0..<KMLTrack.maxPoints { track.append(nil as KMLPlace?) }
    #expect(!track.isOverfull)
    track.append(nil as KMLPlace?)
    #expect(track.isOverfull && track.placeCount == KMLTrack.maxPoints)
    // The times of the places that are held still belong to them.
    for _ in 0..<KMLTrack.maxPoints + 1 { track.append(nil as UTCTime?) }
    track.append(nil as KMLPlace?)
    #expect(track.timeCount == KMLTrack.maxPoints && track.placeCount == KMLTrack.maxPoints)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func damagedKMLIsSoundForAnyChunks(seed: UInt64) {
    let points = (1...9).map { "<when>2021-01-01T08:00:0\($0)Z</when><gx:coord>\($0) \($0) \($0)</gx:coord>" }
      .joined()
    let text =
      "<kml><Document><Placemark><gx:Track>\(points)</gx:Track></Placemark><Placemark><LineString><coordinates>1,2,3 4,5,6</coordinates></LineString><TimeSpan><begin>2021-01-01</begin><end>2021-01-02</end></TimeSpan></Placemark></Document></kml>"
    expectSoundWhenDamaged(Array(text.utf8), seed: seed) { KMLDecoder() }
  }
}
