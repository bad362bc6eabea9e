import Testing
import WhereaboutsGeodesy
import WhereaboutsModel

@testable import WhereaboutsFormats

/// The archive of a user's data of Dawarich, batches of Overland in files, and exports of Polarsteps.
@Suite struct ServerFileTests {
  // MARK: Dawarich

  /// A point with the members of the archive, in its order.
  private static func point(_ second: Int, latitude: String = "52.5", rawData: String = "null") -> String {
    #"{"battery_status":"charging","battery":85,"timestamp":\#(1_715_674_800 + second),"altitude":15.5,"#
      + #""velocity":"1.5","accuracy":5,"tracker_id":"an","topic":"owntracks/ann/an","vertical_accuracy":3,"#
      + #""mode":2,"inrids":"{}","in_regions":["home"],"raw_data":\#(rawData),"city":"Berlin","course":45.5,"#
      + #""created_at":"2024-05-15T00:00:00.000Z","lonlat":"POINT (13.4 52.5)","longitude":13.4,"#
      + #""latitude":\#(latitude),"visit_reference":{"name":"Office","started_at":"2024-05-14T08:00:00Z"}}"#
  }

  private static func visit(_ status: String, place: String) -> String {
    #"{"started_at":"2024-05-14T08:00:00.000Z","ended_at":"2024-05-14T09:30:00.000Z","duration":90,"#
      + #""name":"Work","status":"\#(status)","place_reference":\#(place)}"#
  }

  private static let office =
    #"{"name":"Office","latitude":"52.51","longitude":"13.41","source":"photon","visit_radius":50}"#

  private static let visits = [
    visit("confirmed", place: office), visit("suggested", place: office),
    visit("declined", place: office), visit("suggested", place: "null"),
  ]

  /// Expects the visits of ``visits``.
  private func expectVisits(_ text: ImportText) throws {
    #expect(text.visits.map(\.isConfirmed) == [true, false])
    let visit = try #require(text.visits.first)
    #expect(visit.name == "Office" && visit.coordinate == Coordinate(latitude: 52.51, longitude: 13.41))
    #expect(visit.arrival.iso8601 == "2024-05-14T08:00:00.000Z")
    #expect(visit.departure.iso8601 == "2024-05-14T09:30:00.000Z")
    let skipped = text.batch.skippedElements.counts.map { "\($0.count) \($0.name)" }
    #expect(skipped == ["1 declined visit", "1 visit without a place"])
  }

  @Test func archiveInOneFile() throws {
    let points = [Self.point(11), Self.point(12, latitude: #""x""#), Self.point(13)]
    let text = ImportText(
      #"""
      {"counts":{"areas":1,"trips":0,"notifications":0,"points":3,"visits":4,"places":1},"settings":{"maps":{}},
      "areas":[{"name":"Home","latitude":"52.5","longitude":"13.4","radius":100}],
      "trips":[{"name":"Trip","started_at":"2024-05-14T08:00:00Z","ended_at":"2024-05-14T09:00:00Z"}],
      "points":[\#(points.joined(separator: ",\n"))],
      "visits":[\#(Self.visits.joined(separator: ","))],"places":[\#(Self.office)]}
      """#)
    #expect(text.format == .geoJSON)
    #expect(text.rows == ["2024-05-14T08:20:11.000Z 52.5 13.4", "2024-05-14T08:20:13.000Z 52.5 13.4"])
    #expect(text.problems == ["5 a point is no place"])
    let fix = try #require(text.fixes.first)
    #expect(fix.speed == 1.5 && fix.horizontalAccuracy == 5 && fix.course == 45.5 && fix.mode == nil)
    try expectVisits(text)
  }

  @Test func archiveWithAFileForEachMonth() throws {
    let cut = String(Self.point(12).prefix(100))
    let points = [Self.point(11), cut, Self.point(13, latitude: "null"), Self.point(14, latitude: #""x""#)]
    let text = ImportText((points + [Self.point(15)]).map { $0 + "\n" }.joined())
    #expect(text.format == .jsonLines)
    #expect(text.rows == ["2024-05-14T08:20:11.000Z 52.5 13.4", "2024-05-14T08:20:15.000Z 52.5 13.4"])
    #expect(text.problems.map { $0.prefix(2) } == ["2 ", "3 ", "4 "])
    let visits = ImportText(Self.visits.map { $0 + "\n" }.joined())
    #expect(visits.format == .jsonLines && visits.fixes.isEmpty && visits.problems == [])
    try expectVisits(visits)
  }

  /// The raw data of an import may be longer than the bytes that show the format.
  @Test func longPointIsRecognized() {
    let raw = "\"\(String(repeating: "x", count: RecordingFormat.detectionLength))\""
    let text = ImportText(Self.point(11, rawData: raw) + "\n")
    #expect(text.format == .jsonLines && text.rows == ["2024-05-14T08:20:11.000Z 52.5 13.4"])
  }

  /// The other files of the archive hold no positions of the device.
  @Test(arguments: [
    #"{"name":"Home","latitude":"52.5","longitude":"13.4","radius":100,"created_at":"2024-05-14T08:00:00Z"}"#,
    #"{"name":"Trip","started_at":"2024-05-14T08:00:00Z","ended_at":"2024-05-14T09:00:00Z","distance":10}"#,
    #"{"maps":{"distance_unit":"km"},"timezone":"UTC"}"#,
    #"{"data":[{"battery_status":"full","tracker_id":"an","timestamp":1715674811}]}"#,
    "{\n  \"format_version\": 2,\n  \"counts\": {\n    \"points\": 1,\n    \"notifications\": 0\n  }\n}",
  ])
  func otherFileOfTheArchiveIsNoRecording(_ text: String) {
    #expect(ImportText(text + "\n").format == nil)
  }

  /// A GeoJSON document may have members of any name.
  @Test(arguments: ["points", "locations", "visits"])
  func arrayOfTheArchivesNameInGeoJSONIsNotRead(_ name: String) {
    let text = ImportText(
      #"{"type":"FeatureCollection","\#(name)":[\#(Self.point(11)),\#(Self.visits[0])],"features":["#
        + #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"#
        + #""properties":{"time":"2024-05-14T08:20:12Z"}}]}"#)
    #expect(text.rows == ["2024-05-14T08:20:12.000Z 52.5 13.4"] && text.visits.isEmpty)
  }

  // MARK: Overland

  @Test func batchOfOverlandIsReadAsAServerReadsIt() throws {
    func feature(_ second: Int, _ properties: String, latitude: String = "52.5") -> String {
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,\#(latitude)]},"properties":{"#
        + #""timestamp":"2024-05-14T10:20:\#(second)+0200",\#(properties)}}"#
    }
    let features = [
      feature(11, #""speed":-1,"horizontal_accuracy":5,"motion":["driving"],"device_id":"ann""#),
      feature(12, #""speed":2,"device_id":"ann""#, latitude: "95"),
      feature(13, #""speed":2,"device_id":"ben""#),
      feature(
        14,
        #""action":"visit","arrival_date":"2024-05-14T08:00:00Z","departure_date":"2024-05-14T08:20:00Z""#),
      feature(15, #""action":"visit","arrival_date":"2024-05-14T08:00:00Z","departure_date":null"#),
      #"{"type":"Feature","geometry":null,"properties":{"type":"trip","mode":"walking"}}"#,
    ]
    let text = ImportText(
      #"{"current":{"properties":{}},"locations":["# + features.joined(separator: ",\n") + #"],"trip":{}}"#)
    #expect(text.format == .geoJSON)
    #expect(text.rows == ["2024-05-14T08:20:11.000Z 52.5 13.4", "2024-05-14T08:20:13.000Z 52.5 13.4"])
    #expect(text.fixes.map(\.speed) == [nil, 2] && text.fixes.first?.activity == .driving)
    #expect(text.devices == ["ann", "ben"] && text.batch.elements.last?.kind == "visit")
    #expect(text.visits.map(\.departure.iso8601) == ["2024-05-14T08:20:00.000Z"])
    #expect(text.batch.problems.samples.map(\.line) == [2])
    let skipped = text.batch.skippedElements.counts.map { "\($0.count) \($0.name)" }
    #expect(skipped == ["1 visit without both times", "1 trip"])
  }

  // MARK: Polarsteps

  /// `locations.json` of a trip in an export of Polarsteps.
  @Test func locationsOfPolarstepsAreFixes() {
    let text = ImportText(
      #"{"locations":[{"lat":52.5,"lon":13.4,"time":1715674811.25},"# + "\n"
        + #"{"lat":95,"lon":13.4,"time":1715674812},{"lat":52.6,"lon":13.4,"time":1715674813.0}]}"#)
    #expect(text.format == .geoJSON)
    #expect(text.rows == ["2024-05-14T08:20:11.250Z 52.5 13.4", "2024-05-14T08:20:13.000Z 52.6 13.4"])
    #expect(text.problems == ["2 a point is no place"])
    // A trip has steps with places, which are no positions of the device.
    let trip = #"{"id":1,"all_steps":[{"location":{"lat":52.5,"lon":13.4},"start_time":1715674811.0}]}"#
    #expect(RecordingFormat.detect(Array(trip.utf8)) == nil)
  }

  @Test func serverFilesAreTheSameForAnyChunks() {
    let points = (11...13).map { Self.point($0) }
    for text in [
      (points + Self.visits).map { $0 + "\n" }.joined(),
      #"{"counts":{"points":3,"notifications":0},"points":["# + points.joined(separator: ",") + "]}",
      #"{"locations":[{"geometry":{"coordinates":[13.4,52.5]},"properties":{"timestamp":"2024-05-14T08:20:11Z"}}]}"#,
      #"{"locations":[{"lat":52.5,"lon":13.4,"time":1715674811.25},{"lat":52.6,"lon":13.4,"time":1715674813}]}"#,
    ] {
      let bytes = Array(text.utf8)
      guard let format = RecordingFormat.detect(bytes) else {
        Issue.record("no format: \(text)")
        continue
      }
      if format == .jsonLines {
        expectSoundWhenDamaged(bytes, seed: 1) { JSONLinesDecoder() }
      } else {
        expectSoundWhenDamaged(bytes, seed: 1) { GeoJSONDecoder() }
      }
    }
  }
}
