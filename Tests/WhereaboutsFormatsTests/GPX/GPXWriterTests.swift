import EngineTestSupport
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsFormats

@Suite struct GPXWriterTests {
  private func written(_ elements: [RecordingElement], creator: String = "Whereabouts") -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = GPXWriter(creator: creator)
    for element in elements { writer.write(element, to: &bytes) }
    writer.finish(to: &bytes)
    return bytes
  }

  private func body(_ elements: [RecordingElement]) -> String {
    let text = String(decoding: written(elements), as: UTF8.self)
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).joined(separator: "\n")
  }

  @Test func trackIsWrittenInSchemaOrder() throws {
    var fix = Fix(
      coordinate: try place(48.5, -11.25), time: UTCTime(iso8601: "2024-03-01T12:30:05Z"), source: .nmea)
    fix.heightAboveGeoid = 545.4
    fix.heightAboveEllipsoid = 592.3
    fix.mode = .threeD
    fix.satellitesUsed = 8
    fix.horizontalDilution = 0.9
    fix.verticalDilution = 1.5
    fix.positionDilution = 1.75
    fix.speed = 2.5
    fix.course = 0
    fix.horizontalAccuracy = 2
    fix.verticalAccuracy = 3
    fix.speedAccuracy = 0.5
    fix.courseAccuracy = 5
    #expect(
      try body([
        .waypoint(Waypoint(coordinate: place(1, 2), name: "A & <B>", heightAboveGeoid: 3, time: fix.time)),
        .routeBegan(name: "R"), .routePoint(Waypoint(coordinate: place(3, 4))),
        .trackBegan(name: "T"), .segmentBegan, .fix(fix), .segmentBegan,
        .fix(Fix(coordinate: place(0.000_000_000_4, -1e-7), time: nil, source: .nmea)),
        .trackBegan(name: nil),
      ]) == """
        <wpt lat="1" lon="2"><ele>3</ele><time>2024-03-01T12:30:05.000Z</time><name>A &amp; &lt;B&gt;</name></wpt>
        <rte><name>R</name>
        <rtept lat="3" lon="4"></rtept>
        </rte>
        <trk><name>T</name>
        <trkseg>
        <trkpt lat="48.5" lon="-11.25"><ele>545.4</ele><time>2024-03-01T12:30:05.000Z</time>\
        <geoidheight>46.9</geoidheight><fix>3d</fix><sat>8</sat><hdop>0.9</hdop><vdop>1.5</vdop><pdop>1.75</pdop>\
        <extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>2.5</gpxtpx:speed><gpxtpx:course>0</gpxtpx:course>\
        </gpxtpx:TrackPointExtension><acc:hacc>2</acc:hacc><acc:vacc>3</acc:vacc><acc:sacc>0.5</acc:sacc>\
        <acc:cacc>5</acc:cacc></extensions></trkpt>
        </trkseg>
        <trkseg>
        <trkpt lat="0.0000000004" lon="-0.0000001"></trkpt>
        </trkseg>
        </trk>
        <trk>
        </trk>
        </gpx>

        """)
  }

  /// Positions near the equator and the meridian of Greenwich: the decimals have no exponent, and are exact.
  @Test(arguments: [
    (-0.0006376666666666667, "-0.0006376666666666667"), (0.00016033333333333335, "0.00016033333333333335"),
    (6.376666666666667e-05, "0.00006376666666666667"),
    (-1.2345678901234567e-12, "-0.0000000000012345678901234567"),
    (1e-05, "0.00001"), (0.00012, "0.00012"), (9.9e-13, "0"), (0, "0"),
  ])
  func smallDegreesAreExactDecimals(degrees: Double, text: String) throws {
    let output = try body([.segmentBegan, .fix(Fix(coordinate: place(1, degrees), time: nil, source: .nmea))])
    #expect(output.contains("<trkpt lat=\"1\" lon=\"\(text)\"></trkpt>"), "\(output)")
  }

  @Test(
    arguments: [
      (-1, -1, ""), (.nan, 400, ""), (2, -1, "<gpxtpx:speed>2</gpxtpx:speed>"),
      (-1, 360, "<gpxtpx:course>0</gpxtpx:course>"),
    ] as [(Double, Double, String)])
  func invalidSpeedAndCourseAreNotWritten(speed: Double, course: Double, text: String) throws {
    var fix = Fix(coordinate: try place(1, 2), time: nil, source: .nmea)
    fix.speed = speed
    fix.course = course
    let document = body([.fix(fix)])
    let motion = document.firstMatch(of: /TrackPointExtension>(.*)<\/gpxtpx:TrackPointExtension/)
    #expect(motion.map { String($0.1) } ?? "" == text, "\(document)")
    #expect(text.isEmpty == !document.contains("<extensions>"), "\(document)")
  }

  @Test func version1_0WritesSpeedAndCourseElements() throws {
    var fix = Fix(
      coordinate: try place(48.5, -11.25), time: UTCTime(iso8601: "2024-03-01T12:30:05Z"), source: .gpx)
    fix.heightAboveGeoid = 545.4
    fix.speed = 2.5
    fix.course = 90
    fix.horizontalAccuracy = 2
    fix.courseAccuracy = 5
    var writer = GPXWriter(version: .v1_0)
    var bytes: [UInt8] = []
    writer.write(fix, to: &bytes)
    writer.finish(to: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(
      text.contains(#"<gpx version="1.0" creator="Whereabouts" xmlns="http://www.topografix.com/GPX/1/0""#))
    #expect(
      text.contains(
        "<time>2024-03-01T12:30:05.000Z</time><course>90</course><speed>2.5</speed><acc:hacc>2</acc:hacc>"
          + "<acc:cacc>5</acc:cacc></trkpt>"))
    var decoder = GPXDecoder()
    let batch = decoder.decodeAll(bytes)
    #expect(batch.problems == ProblemLog() && batch.fixes == [fix] && batch.skippedElements.isEmpty)
  }

  @Test func omissionsAreCounted() throws {
    var fix = Fix(coordinate: try place(1, 2), time: nil, source: .nmea)
    fix.climb = 1
    fix.satellitesInView = 9
    fix.floor = 2
    fix.activity = .running
    fix.isSimulated = true
    fix.solution = .rtkFixed
    fix.heightAboveEllipsoid = 50
    var writer = GPXWriter(version: .v1_0)
    var bytes: [UInt8] = []
    writer.write(fix, to: &bytes)
    writer.write(fix, to: &bytes)
    if let heading = Heading(degrees: 1, reference: .trueNorth) {
      writer.write(.heading(heading), to: &bytes)
    }
    let kinds: [Omissions.Kind] = [
      .climb, .satellitesInView, .floor, .activity, .simulation, .solution, .ellipsoidalHeight,
    ]
    for kind in kinds {
      #expect(writer.omissions[kind] == 2, "\(kind)")
    }
    #expect(writer.omissions[.heading] == 1 && writer.omissions[.waypoint] == 0)
  }

  /// GPX states one activity of a track. Others are left out and counted.
  @Test func activityOfATrackIsItsType() throws {
    func fix(_ second: Int, _ activity: Fix.StatedActivity?) throws -> RecordingElement {
      let time = UTCTime(secondsSince1970: 1_709_296_205 + Double(second))
      var fix = Fix(coordinate: try place(1, 2), time: time, source: .gpx)
      fix.activity = activity
      return .fix(fix)
    }
    let running: [RecordingElement] = [
      .trackBegan(name: "Run"), .segmentBegan, try fix(0, .running), try fix(1, .running), .segmentBegan,
      try fix(2, .running),
    ]
    let both: [RecordingElement] = [
      .trackBegan(name: "both"), .segmentBegan, try fix(3, .running), try fix(4, .cycling), try fix(5, nil),
    ]
    let unstated: [RecordingElement] = [
      .trackBegan(name: "both"), .segmentBegan, try fix(3, nil), try fix(4, nil), try fix(5, nil),
    ]
    let train: [RecordingElement] = [.trackBegan(name: nil), .segmentBegan, try fix(6, .rail)]
    let elements = running + both + train
    var writer = GPXWriter()
    var bytes: [UInt8] = []
    for element in elements { writer.write(element, to: &bytes) }
    writer.finish(to: &bytes)
    var decoder = GPXDecoder()
    #expect(decoder.decodeAll(bytes).elements == running + unstated + train)
    #expect(writer.omissions[.activity] == 2)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("<trk><name>Run</name><type>running</type>\n<trkseg>"), "\(text)")
    #expect(text.matches(of: /<type>/).count == 2)
  }

  /// A longer track is written as its fixes come, and so is one of many segments without fixes.
  @Test func heldTrackIsLimited() throws {
    let unstated = Fix(coordinate: try place(1, 2), time: nil, source: .gpx)
    var running = unstated
    running.activity = .running
    let beginning: [RecordingElement] = [.trackBegan(name: nil), .segmentBegan]
    let twoFixes: [RecordingElement] = beginning + [.fix(running), .fix(running)]
    let segments: [RecordingElement] = beginning + [.segmentBegan, .segmentBegan]
    var writer = GPXWriter(maximumHeldFixes: 2)
    var bytes: [UInt8] = []
    func pointCount() -> Int { String(decoding: bytes, as: UTF8.self).matches(of: /<trkpt/).count }
    for element in twoFixes { writer.write(element, to: &bytes) }
    #expect(pointCount() == 0 && writer.omissions[.activity] == 0)
    writer.write(running, to: &bytes)
    #expect(pointCount() == 3 && writer.omissions[.activity] == 3)
    writer.write(running, to: &bytes)
    #expect(pointCount() == 4 && writer.omissions[.activity] == 4)
    for element in twoFixes { writer.write(element, to: &bytes) }
    #expect(pointCount() == 4, "the next track is held")
    for element in segments { writer.write(element, to: &bytes) }
    writer.write(running, to: &bytes)
    #expect(pointCount() == 7 && writer.omissions[.activity] == 5)
    writer.finish(to: &bytes)
    var decoder = GPXDecoder()
    let batch = decoder.decodeAll(bytes)
    var expected = beginning
    for _ in 0..<4 { expected.append(.fix(unstated)) }
    expected += twoFixes
    expected += segments
    expected.append(.fix(unstated))
    #expect(batch.elements == expected && batch.problems == ProblemLog())
    var direct = GPXWriter(maximumHeldFixes: 0)
    bytes = []
    direct.write(running, to: &bytes)
    #expect(pointCount() == 1 && direct.omissions[.activity] == 1)
  }

  @Test func fixesWithoutTrackAreWrittenAsOneSegment() throws {
    let fix = RecordingElement.fix(Fix(coordinate: try place(1, 2), time: nil, source: .nmea))
    let point = "<trkpt lat=\"1\" lon=\"2\"></trkpt>\n"
    #expect(body([fix, fix]) == "<trk>\n<trkseg>\n\(point)\(point)</trkseg>\n</trk>\n</gpx>\n")
    #expect(body([]) == "</gpx>\n")
  }

  /// The schema of GPX 1.1 allows longitudes from −180 to below 180.
  @Test func antimeridianIsWrittenAsTheSchemaHasIt() throws {
    let document = try body([
      .waypoint(Waypoint(coordinate: place(1, 180))),
      .fix(Fix(coordinate: place(-17, 180), time: nil, source: .gpx)),
      .fix(Fix(coordinate: place(-17, -180), time: nil, source: .gpx)),
      .fix(Fix(coordinate: place(-17, 179.999_999_9), time: nil, source: .gpx)),
    ])
    #expect(document.matches(of: /lon="-180"/).count == 3, "\(document)")
    #expect(document.contains("lon=\"179.9999999\""), "\(document)")
    #expect(!document.contains("lon=\"180\""), "\(document)")
  }

  /// A receiver in two dimensions keeps its last height, and a correction does not make the height a measured one.
  @Test(arguments: [Fix.SolutionKind.differential, .precise, .rtkFloat])
  func correctedFixInTwoDimensionsStaysInTwo(solution: Fix.SolutionKind) throws {
    var fix = Fix(coordinate: try place(1, 2), time: nil, source: .gpx)
    fix.mode = .twoD
    fix.solution = solution
    fix.heightAboveGeoid = 30
    var writer = GPXWriter()
    var bytes: [UInt8] = []
    writer.write(fix, to: &bytes)
    writer.finish(to: &bytes)
    #expect(writer.omissions[.solution] == 1 && writer.omissions[.mode] == 0)
    fix.solution = nil
    var decoder = GPXDecoder()
    #expect(decoder.decodeAll(bytes).fixes == [fix])
  }

  @Test func latePlacesAreOmittedAndCounted() throws {
    var writer = GPXWriter()
    var bytes: [UInt8] = []
    let point = Waypoint(coordinate: try place(1, 2))
    writer.write(.routePoint(point), to: &bytes)
    writer.write(.waypoint(point), to: &bytes)
    writer.write(.trackBegan(name: nil), to: &bytes)
    writer.write(.routeBegan(name: nil), to: &bytes)
    writer.write(.waypoint(point), to: &bytes)
    writer.finish(to: &bytes)
    #expect(writer.omissions[.waypoint] == 2 && writer.omissions[.route] == 1)
    var decoder = GPXDecoder()
    let batch = decoder.decodeAll(bytes)
    #expect(batch.elements == [.routeBegan(name: nil), .routePoint(point), .trackBegan(name: nil)])
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>) func writtenElementsRoundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var elements: [RecordingElement] = []
    for _ in 0..<3 { elements.append(.waypoint(random.waypoint())) }
    for _ in 0..<2 {
      elements.append(.routeBegan(name: random.name()))
      for _ in 0..<3 { elements.append(.routePoint(random.waypoint())) }
    }
    for _ in 0..<3 {
      elements.append(.trackBegan(name: random.name()))
      for _ in 0..<2 {
        elements.append(.segmentBegan)
        for _ in 0..<8 { elements.append(.fix(random.fix())) }
      }
    }
    let bytes = written(elements, creator: "a \"b\" <c>")
    var decoder = GPXDecoder()
    let batch = decoder.decodeAll(bytes)
    #expect(batch.problems == ProblemLog())
    #expect(batch.elements.count == elements.count)
    for (read, original) in zip(batch.elements, elements) {
      guard case .fix(let fix) = original, case .fix(let found) = read else {
        #expect(read == original)
        continue
      }
      #expect(found.isClose(to: fix.asReadFromGPX), "\(found) and not \(fix.asReadFromGPX)")
    }
    #expect(String(decoding: bytes, as: UTF8.self).firstMatch(of: /[0-9]e[-+0-9]/) == nil)
  }
}

extension Fix {
  /// A fix after a round trip through GPX.
  fileprivate var asReadFromGPX: Fix {
    var fix = self
    fix.source = .gpx
    fix.isSimulated = false
    fix.climb = nil
    fix.satellitesInView = nil
    fix.floor = nil
    fix.activity = nil
    if heightAboveGeoid == nil { fix.heightAboveEllipsoid = nil }
    if coordinate.longitude == 180 {
      fix.coordinate = Coordinate(uncheckedLatitude: coordinate.latitude, longitude: -180)
    }
    switch solution {
    case .precise: fix.solution = .precise
    case .differential, .rtkFixed, .rtkFloat: fix.solution = .differential
    default: fix.solution = nil
    }
    if mode == .twoD {
      fix.solution = nil
    } else if fix.solution != nil {
      fix.mode = heightAboveGeoid == nil ? nil : .threeD
    }
    let dilutions = [\Fix.horizontalDilution, \.verticalDilution, \.positionDilution]
    for dilution in dilutions {
      if let value = fix[keyPath: dilution], value < 0.001 { fix[keyPath: dilution] = nil }
    }
    fix.isAccuracyEstimated = false
    if isAccuracyEstimated || (horizontalAccuracy == nil && verticalAccuracy == nil) {
      fix.horizontalAccuracy = fix.horizontalDilution.flatMap(RangingError.accuracy)
      fix.verticalAccuracy = fix.verticalDilution.flatMap(RangingError.accuracy)
      fix.isAccuracyEstimated = fix.horizontalAccuracy != nil || fix.verticalAccuracy != nil
    }
    return fix
  }

  /// Whether all is equal but for the rounding of very small numbers and of the geoid's height.
  fileprivate func isClose(to other: Fix) -> Bool {
    func isClose(_ left: Double?, _ right: Double?, within error: Double) -> Bool {
      guard let left, let right else { return left == nil && right == nil }
      return abs(left - right) <= error
    }
    var rounded = self
    rounded.coordinate = other.coordinate
    rounded.heightAboveEllipsoid = other.heightAboveEllipsoid
    let numbers = [
      \Fix.heightAboveGeoid, \.speed, \.course, \.horizontalAccuracy, \.verticalAccuracy, \.speedAccuracy,
      \.courseAccuracy,
    ]
    for number in numbers { rounded[keyPath: number] = other[keyPath: number] }
    return rounded == other
      && isClose(coordinate.latitude, other.coordinate.latitude, within: 5e-10)
      && isClose(coordinate.longitude, other.coordinate.longitude, within: 5e-10)
      && isClose(heightAboveEllipsoid, other.heightAboveEllipsoid, within: 1.1e-4)
      && numbers.allSatisfy { isClose(self[keyPath: $0], other[keyPath: $0], within: 5e-10) }
  }
}

extension SeededGenerator {
  fileprivate mutating func name() -> String? {
    guard chance(0.8) else { return nil }
    let marks = Array("ab &<>\"'é漢🚲;]\\-\n\t\r")
    let middle = (0..<Int.random(in: 0...20, using: &self)).compactMap { _ in
      marks.randomElement(using: &self)
    }
    return "x" + String(middle) + "y"
  }

  fileprivate mutating func waypoint() -> Waypoint {
    let fix = fix()
    return Waypoint(
      coordinate: Coordinate(
        uncheckedLatitude: decimal(in: -90...90, places: 7), longitude: decimal(in: -180...180, places: 7)),
      name: name(), heightAboveGeoid: chance(0.5) ? decimal(in: -100...9000, places: 2) : nil, time: fix.time)
  }
}
