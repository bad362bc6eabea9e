import EngineTestSupport
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsFormats

/// Tracks and segments through every format that is read back.
@Suite struct RoundTripTests {
  static let formats: [RecordingFormat] = [.gpx, .csv, .jsonLines]

  @Test(arguments: formats, 1...10 as ClosedRange<UInt64>)
  func tracksAndSegmentsRoundTrip(format: RecordingFormat, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let names = [nil, "Morning", "a, \"b\"\nc; é漢🚲", "1", "Morning"]
    var elements: [RecordingElement] = []
    for _ in 0..<5 {
      elements.append(.trackBegan(name: names.randomElement(using: &random) ?? nil))
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        elements.append(.segmentBegan)
        for _ in 0..<Int.random(in: 1...3, using: &random) { elements.append(.fix(random.trackPoint())) }
      }
    }
    let (read, omissions) = try Self.roundTripped(format, elements)
    #expect(read == elements, "seed \(seed)")
    #expect(omissions.isEmpty)
  }

  @Test(arguments: [RecordingFormat.csv, .jsonLines])
  func segmentsWithoutATrackRoundTrip(format: RecordingFormat) throws {
    var random = SeededGenerator(seed: 1)
    let elements: [RecordingElement] = [
      .fix(random.trackPoint()), .segmentBegan, .fix(random.trackPoint()), .segmentBegan,
      .fix(random.trackPoint()), .trackBegan(name: nil), .fix(random.trackPoint()),
    ]
    #expect(try Self.roundTripped(format, elements).elements == elements)
  }

  @Test(arguments: [RecordingFormat.csv, .jsonLines]) func unwritableElementsAreCounted(
    format: RecordingFormat
  )
    throws
  {
    var random = SeededGenerator(seed: 1)
    let place = Waypoint(coordinate: random.trackPoint().coordinate)
    let (read, omissions) = try Self.roundTripped(
      format,
      [
        .waypoint(place), .waypoint(place), .routeBegan(name: "R"), .routePoint(place),
        .trackBegan(name: "empty"),
        .trackBegan(name: "T"), .segmentBegan, .segmentBegan, .fix(random.trackPoint()), .segmentBegan,
      ])
    #expect(read.map(\.kind) == ["track", "segment", "fix"])
    #expect(omissions[.waypoint] == 2 && omissions[.route] == 1 && omissions[.routePoint] == 1)
    #expect(omissions[.emptyTrack] == 1 && omissions[.emptySegment] == 2)
  }

  /// Every recorded document through all formats in turn, against the counts of another reader.
  @Test(
    .enabled(if: SharedData.has("gpx/expected.tsv"), "needs ../shared/data/gpx beside the package"),
    arguments: SharedData.table("gpx/expected.tsv"))
  func recordedDocumentRoundTripsThroughAllFormats(row: [String: String]) throws {
    var decoder = GPXDecoder()
    let original = decoder.decodeAll(try SharedData.bytes("gpx/" + (row["file"] ?? ""))).elements
    var elements = original
    var emptyTracks = 0, emptySegments = 0, places = 0
    for format in [RecordingFormat.csv, .jsonLines, .gpx] {
      let (read, omissions) = try Self.roundTripped(format, elements)
      elements = read
      emptyTracks += omissions[.emptyTrack]
      emptySegments += omissions[.emptySegment]
      places += omissions[.waypoint] + omissions[.route] + omissions[.routePoint]
    }
    let tracks = original.count { $0.kind == "track" }, segments = original.count { $0.kind == "segment" }
    #expect(elements.count { $0.kind == "track" } == tracks - emptyTracks)
    #expect(elements.count { $0.kind == "segment" } == segments - emptySegments)
    #expect(places == original.count { ["waypoint", "route", "routePoint"].contains($0.kind) })
    // All that remains is the same, in the same order: names, breaks, places, times, heights, speeds, accuracies,
    // activities.
    #expect(elements == Self.withoutUnwritableElements(original))
  }

  private static func withoutUnwritableElements(_ elements: [RecordingElement]) -> [RecordingElement] {
    var kept: [RecordingElement] = []
    var waiting: [RecordingElement] = []
    for element in elements {
      switch element {
      case .trackBegan: waiting = [element]
      case .segmentBegan: waiting = waiting.filter { $0.kind == "track" } + [element]
      case .fix:
        kept += waiting + [element]
        waiting = []
      default: break
      }
    }
    return kept
  }

  private static func roundTripped(
    _ format: RecordingFormat, _ elements: [RecordingElement]
  ) throws -> (elements: [RecordingElement], omissions: Omissions) {
    var writer = try #require(format.makeWriter())
    var decoder = format.makeDecoder()
    var bytes: [UInt8] = []
    for element in elements { writer.write(element, to: &bytes) }
    writer.finish(to: &bytes)
    // A recording without a row is an empty file in some formats.
    if !bytes.isEmpty { #expect(RecordingFormat.detect(bytes) == format) }
    var batch = RecordingBatch()
    decoder.decode(bytes, into: &batch)
    decoder.finish(into: &batch)
    #expect(batch.problems == ProblemLog())
    return (batch.elements, writer.omissions)
  }
}

extension SeededGenerator {
  /// A fix that every format keeps wholly.
  fileprivate mutating func trackPoint() -> Fix {
    let full = fix()
    var fix = Fix(
      coordinate: Coordinate(
        uncheckedLatitude: decimal(in: -90...90, places: 7), longitude: decimal(in: -180...180, places: 7)),
      time: full.time, source: .gpx)
    fix.heightAboveGeoid = chance(0.5) ? decimal(in: -100...9000, places: 2) : nil
    fix.speed = chance(0.5) ? decimal(in: 0...60, places: 2) : nil
    fix.horizontalAccuracy = chance(0.5) ? decimal(in: 0.5...60, places: 1) : nil
    return fix
  }
}

extension RecordingElement {
  /// The kind of the element.
  var kind: String {
    switch self {
    case .fix: "fix"
    case .heading: "heading"
    case .satellites: "satellites"
    case .trackBegan: "track"
    case .segmentBegan: "segment"
    case .waypoint: "waypoint"
    case .routeBegan: "route"
    case .routePoint: "routePoint"
    case .deviceBegan: "device"
    case .visit: "visit"
    case .offset: "offset"
    }
  }
}
