import EngineTestSupport
import Testing
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsFormats

/// KML and FIT as written, read again by their decoders.
@Suite struct TrackWriterTests {
  private func written(_ elements: [RecordingElement], by writer: some RecordingWriter) -> (
    bytes: [UInt8], omissions: Omissions
  ) {
    var bytes: [UInt8] = []
    var writer = writer
    for element in elements { writer.write(element, to: &bytes) }
    writer.finish(to: &bytes)
    return (bytes, writer.omissions)
  }

  private func read(_ bytes: [UInt8], by decoder: some RecordingDecoder) -> (
    elements: [RecordingElement], problems: Int
  ) {
    var decoder = decoder
    let batch = decoder.decodeAll(bytes)
    return (batch.elements, batch.problems.total)
  }

  private func fix(_ second: Int, _ latitude: Double, source: Fix.SourceKind) throws -> Fix {
    var fix = Fix(
      coordinate: try place(latitude, -11.25),
      time: UTCTime(secondsSince1970: 1_709_296_205 + Double(second)),
      source: source)
    fix.heightAboveGeoid = 545.4
    fix.horizontalAccuracy = 7
    fix.speed = 2.5
    return fix
  }

  private func track(_ source: Fix.SourceKind) throws -> [RecordingElement] {
    var other = try fix(600, 48.7, source: source)
    (other.speed, other.horizontalAccuracy) = (nil, nil)
    return [
      .waypoint(Waypoint(coordinate: try place(1, 2), name: "A & <B>")),
      .trackBegan(name: "Tour"), .segmentBegan, .fix(try fix(0, 48.5, source: source)),
      .fix(try fix(10, 48.5001, source: source)), .segmentBegan, .fix(other),
      .trackBegan(name: nil), .segmentBegan, .fix(try fix(900, -33, source: source)),
    ]
  }

  // MARK: KML

  @Test func kmlIsReadAsWritten() throws {
    var elements = try track(.kml)
    let time = try #require(UTCTime(secondsSince1970: 1_709_296_205))
    elements += [
      .routeBegan(name: "R"), .routePoint(Waypoint(coordinate: try place(3, 4))),
      .routePoint(Waypoint(coordinate: try place(3, 5))),
      .visit(
        RecordedVisit(
          coordinate: try place(5, 6), arrival: time, departure: time.advanced(by: .seconds(60)), name: "V")),
      .visit(
        RecordedVisit(
          coordinate: try place(5, 7), arrival: time, departure: time.advanced(by: .seconds(60)),
          name: "Shop", address: "1 High Street, A & B", kind: "TYPE_<SHOP>", placeID: "ChIJ-x",
          probability: 0.57, isConfirmed: true, level: 1)),
      .waypoint(
        Waypoint(coordinate: try place(1, 2), name: "timed", heightAboveGeoid: 12.5, time: time)),
    ]
    let (bytes, omissions) = written(elements, by: KMLWriter())
    let (found, problems) = read(bytes, by: KMLDecoder())
    #expect(found == elements && problems == 0 && omissions.isEmpty, "\(found)")
  }

  /// Data of other programs is not read, and reported.
  @Test func dataOfOtherProgramsIsSkipped() throws {
    let text = """
      <kml><Placemark><TimeSpan><begin>2024-05-14T08:00:00Z</begin><end>2024-05-14T09:00:00Z</end></TimeSpan>
      <ExtendedData><Data name="level"><value>3</value></Data><Data name="visitKind"><value>HOME</value></Data>
      <SchemaData><SimpleData name="a">b</SimpleData></SchemaData></ExtendedData>
      <Point><coordinates>6,5</coordinates></Point></Placemark></kml>
      """
    var decoder = KMLDecoder()
    let batch = decoder.decodeAll(Array(text.utf8))
    guard case .visit(let visit)? = batch.elements.first else {
      Issue.record("\(batch.elements)")
      return
    }
    #expect(visit.kind == "HOME" && visit.level == 0)
    #expect(batch.skippedElements.counts.map(\.name) == ["ExtendedData"])
    #expect(batch.skippedElements.counts.map(\.count) == [1])
  }

  /// A fix without a time, and one without a height, which lies on the ground in a `gx:Track` of its own.
  @Test func kmlRetainsUnknownValues() throws {
    var untimed = try fix(0, 48, source: .kml), flat = try fix(5, 49, source: .kml)
    untimed.time = nil
    (flat.heightAboveGeoid, flat.speed, flat.course) = (nil, nil, 0)
    let (found, _) = read(
      written([.fix(untimed), .fix(flat)], by: KMLWriter()).bytes, by: KMLDecoder())
    #expect(found == [.trackBegan(name: nil), .segmentBegan, .fix(untimed), .fix(flat)], "\(found)")
  }

  @Test func kmlSegmentsDoNotEndWithHeights() throws {
    let high = try fix(0, 48, source: .kml)
    var flat = try fix(5, 48.1, source: .kml)
    flat.heightAboveGeoid = nil
    let elements: [RecordingElement] = [
      .trackBegan(name: "A"), .segmentBegan, .fix(high), .fix(flat), .fix(high), .segmentBegan, .fix(flat),
      .fix(high), .trackBegan(name: "B"), .segmentBegan, .fix(flat),
    ]
    let bytes = written(elements, by: KMLWriter()).bytes
    #expect(read(bytes, by: KMLDecoder()).elements == elements)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect((1...3).allSatisfy { text.contains("<gx:Track id=\"continued-\($0)\">") }, "\(text)")
    #expect(!text.contains("continued-4"))
  }

  @Test func kmlDividesLongSegments() throws {
    let fix = try fix(0, 48, source: .kml)
    let count = KMLWriter.maximumSegment + 1
    let (found, problems) = read(
      written(Array(repeating: .fix(fix), count: count), by: KMLWriter()).bytes, by: KMLDecoder())
    #expect(found.count { $0 == .fix(fix) } == count && problems == 0)
    #expect(found.count { $0 == .segmentBegan } == 1 && found.count { $0 == .trackBegan(name: nil) } == 1)
  }

  @Test func kmlCountsOmissions() throws {
    var fix = try fix(0, 48, source: .kml)
    fix.climb = 1
    fix.floor = 2
    fix.activity = .running
    let (_, omissions) = written(
      [.deviceBegan(name: "d"), .trackBegan(name: "empty"), .trackBegan(name: nil), .fix(fix)],
      by: KMLWriter())
    #expect(
      omissions[.climb] == 1 && omissions[.floor] == 1 && omissions[.activity] == 1
        && omissions[.device] == 1 && omissions[.emptyTrack] == 1)
  }

  /// Each value that a format has no place for is counted, and no value that it states.
  @Test func lostValuesOfAFixAreCounted() throws {
    var fix = try fix(0, 48, source: .nmea)
    (fix.mode, fix.solution, fix.satellitesUsed, fix.satellitesInView) = (.threeD, .differential, 9, 12)
    (fix.horizontalDilution, fix.verticalAccuracy, fix.speedAccuracy, fix.course) = (1, 4, 0.5, 90)
    fix.horizontalAccuracy = 300
    fix.activity = .driving
    // GPX states its difference to the height above the geoid.
    fix.heightAboveEllipsoid = 592.3
    let lost: Set<Omissions.Kind> = [
      .mode, .solution, .satellitesUsed, .satellitesInView, .dilutions, .verticalAccuracy, .motionAccuracies,
      .activity, .ellipsoidalHeight,
    ]
    func counted(_ omissions: Omissions) -> Set<Omissions.Kind> {
      Set(Omissions.Kind.allCases.filter { omissions[$0] == 1 })
    }
    #expect(counted(written([.fix(fix)], by: KMLWriter()).omissions) == lost)
    #expect(
      counted(written([.fix(fix)], by: FITWriter()).omissions) == lost.union([.course, .horizontalAccuracy]))
    #expect(counted(written([.fix(fix)], by: GPXWriter()).omissions) == [.satellitesInView, .mode])
  }

  @Test func lostMarksOfAFixAreCounted() throws {
    var fix = try fix(0, 48, source: .nmea)
    (fix.isAccuracyEstimated, fix.solution) = (true, .autonomous)
    #expect(written([.fix(fix)], by: KMLWriter()).omissions[.estimationMark] == 1)
    #expect(written([.fix(fix)], by: FITWriter()).omissions[.estimationMark] == 1)
    #expect(written([.fix(fix)], by: GPXWriter()).omissions[.solution] == 1)
    // An accuracy that is not written has no mark.
    fix.horizontalAccuracy = 300
    let omissions = written([.fix(fix)], by: FITWriter()).omissions
    #expect(omissions[.horizontalAccuracy] == 1 && omissions[.estimationMark] == 0)
    fix.horizontalAccuracy = nil
    #expect(written([.fix(fix)], by: KMLWriter()).omissions[.estimationMark] == 0)
  }

  /// Values that mean "unknown" are written by no format, and counted by each.
  @Test func impossibleValuesAreOmittedAndCounted() throws {
    let plain = Fix(coordinate: try place(1, 2), time: try fix(0, 1, source: .kml).time, source: .kml)
    var impossible = plain
    (impossible.horizontalAccuracy, impossible.speed, impossible.course) = (-1, -1, 400)
    (impossible.horizontalDilution, impossible.climb) = (-1, .nan)
    let writers: [any RecordingWriter] = [
      KMLWriter(), FITWriter(), GPXWriter(), GPXWriter(version: .v1_0), CSVWriter(), JSONLinesWriter(),
      GeoJSONWriter(), GeoJSONWriter(style: .points),
    ]
    for writer in writers {
      let (bytes, omissions) = written([.fix(impossible)], by: writer)
      let expected = written([.fix(plain)], by: writer).bytes
      #expect(bytes == expected, "\(type(of: writer))")
      let counted = Omissions.Kind.allCases.filter { omissions[$0] > 0 }
      #expect(counted == [.impossibleValue] && omissions[.impossibleValue] == 5, "\(type(of: writer))")
    }
  }

  @Test func emptyKMLIsADocument() {
    let (found, problems) = read(written([], by: KMLWriter()).bytes, by: KMLDecoder())
    #expect(found.isEmpty && problems == 0)
  }

  // MARK: FIT

  /// Each track is a separate file; places have the precision of the format, and waypoints come after the records.
  @Test func fitIsReadAsWritten() throws {
    let elements = try track(.fit)
    let (bytes, omissions) = written(elements, by: FITWriter())
    let (found, problems) = read(bytes, by: FITDecoder())
    #expect(problems == 0 && omissions.isEmpty)
    let structure = found.filter { if case .fix = $0 { false } else { true } }
    let expected: [RecordingElement] = [
      .trackBegan(name: "Tour"), .segmentBegan, .segmentBegan, .trackBegan(name: nil), .segmentBegan,
    ]
    #expect(
      structure.filter { if case .waypoint = $0 { false } else { true } } == expected, "\(structure)")
    let waypoints = structure.compactMap { if case .waypoint(let place) = $0 { place.name } else { nil } }
    #expect(waypoints == ["A & <B>"])
    let before = elements.fixes, after = found.fixes
    try #require(before.count == after.count)
    for (one, other) in zip(before, after) {
      #expect(one.coordinate.distance(to: other.coordinate) < 0.01)
      #expect(one.time == other.time && one.speed == other.speed)
      #expect(one.horizontalAccuracy == other.horizontalAccuracy && other.heightAboveGeoid == 545.4)
    }
  }

  @Test func fitRetainsUnknownAndExtremeValues() throws {
    var plain = try fix(0, 90, source: .fit)
    plain.coordinate = try place(90, 180)
    (plain.heightAboveGeoid, plain.speed, plain.horizontalAccuracy) = (nil, nil, 1000)
    var deep = try fix(1, -90, source: .fit)
    (deep.heightAboveGeoid, deep.horizontalAccuracy) = (-499, 6.2)
    var exact = try fix(2, -90, source: .fit)
    exact.horizontalAccuracy = 0
    let elements: [RecordingElement] = [.fix(plain), .fix(deep), .fix(exact)]
    let (found, problems) = read(written(elements, by: FITWriter()).bytes, by: FITDecoder())
    let fixes = found.fixes
    try #require(fixes.count == 3 && problems == 0)
    #expect(fixes[0].coordinate.distance(to: plain.coordinate) < 0.02)
    #expect(
      fixes[0].heightAboveGeoid == nil && fixes[0].speed == nil && fixes[0].horizontalAccuracy == nil)
    // An accuracy is never stated better than it is.
    #expect(fixes[1].heightAboveGeoid == -499 && fixes[1].horizontalAccuracy == 7)
    // 0 is unknown.
    #expect(fixes[2].horizontalAccuracy == 1)
  }

  /// A record has whole seconds, and a receiver may have ten fixes in one.
  @Test func fitCountsFractionsOfSeconds() throws {
    let whole = try fix(0, 48, source: .fit)
    var between = whole
    between.time = whole.time?.advanced(by: .milliseconds(100))
    let (bytes, omissions) = written([.fix(whole), .fix(between)], by: FITWriter())
    #expect(omissions[.timeFraction] == 1)
    #expect(read(bytes, by: FITDecoder()).elements.fixes.map(\.time) == [whole.time, whole.time])
    #expect(written([.fix(between)], by: KMLWriter()).omissions.isEmpty)
  }

  @Test func fitLeavesOutFixesWithoutAUsableTime() throws {
    var untimed = try fix(0, 48, source: .fit), old = untimed
    untimed.time = nil
    old.time = UTCTime(secondsSince1970: 0)
    let (bytes, omissions) = written(
      [.fix(untimed), .fix(old), .routeBegan(name: "R"), .waypoint(Waypoint(coordinate: old.coordinate))],
      by: FITWriter())
    let (found, problems) = read(bytes, by: FITDecoder())
    #expect(omissions[.untimedFix] == 2 && omissions[.route] == 1 && omissions[.waypoint] == 1)
    #expect(found.isEmpty && problems == 0 && !bytes.isEmpty)
  }

  @Test func longNameIsCutAtACharacter() throws {
    let name = String(repeating: "ö", count: 40)
    let (bytes, _) = written(
      [.trackBegan(name: name), .fix(try fix(0, 48, source: .fit))], by: FITWriter())
    let (found, _) = read(bytes, by: FITDecoder())
    #expect(found.contains(.trackBegan(name: String(repeating: "ö", count: 23))), "\(found)")
  }
}

extension [RecordingElement] {
  fileprivate var fixes: [Fix] { compactMap { if case .fix(let fix) = $0 { fix } else { nil } } }
}
