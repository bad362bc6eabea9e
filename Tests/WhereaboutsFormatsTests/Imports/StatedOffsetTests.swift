import Testing
import WhereaboutsModel

@testable import WhereaboutsFormats

/// The offsets from UTC that recordings state.
@Suite struct StatedOffsetTests {
  /// Returns the stated offsets as `time minutes`.
  private func offsets(_ text: ImportText) -> [String] {
    text.batch.elements.compactMap { element -> String? in
      guard case .offset(let minutes, let time) = element else { return nil }
      return "\(time.iso8601.prefix(16)) \(minutes)"
    }
  }

  @Test(
    arguments: [
      ("2024-05-01T10:00:00+02:00", 120), ("2024-05-01T10:00:00-0330", -210),
      ("2024-05-01T10:00:00+14:00", 840), ("2024-05-01T10:00:00Z", nil), ("2024-05-01T10:00:00", nil),
      ("2024-05-01T10:00:00+00:00", nil), ("2024-05-01T10:00:00+02:07", nil),
      ("2024-05-01T10:00:00+15:00", nil), ("2024-05-01", nil),
    ] as [(String, Int?)])
  func offsetOfATimeIsRead(text: String, minutes: Int?) {
    var offset: Int? = 15
    let time = Array(text.utf8).withUnsafeBytes { UTCTime(iso8601: $0, offset: &offset) }
    #expect(time == UTCTime(iso8601: text) && offset == minutes)
  }

  @Test(
    arguments: [
      (#""time":"2024-05-01T10:00:00","utc_offset":"+02:00""#, ["2024-05-01T08:00 120"]),
      (#""utcOffset":120,"timestamp":"2024-05-01T10:00:00""#, ["2024-05-01T08:00 120"]),
      (#""utc_time":"2024-05-01T08:00:00","utc_offset":2"#, ["2024-05-01T08:00 120"]),
      (#""utc":"2024-05-01T08:00:00","utc_offset":2"#, ["2024-05-01T08:00 120"]),
      (
        #""time":"2024-05-01T10:00:00","utc_time":"2024-05-01T08:00:00","utc_offset":2"#,
        ["2024-05-01T08:00 120"]
      ),
      (#""time":"2024-05-01T08:00:00Z","utc_offset":0"#, []),
    ] as [(String, [String])])
  func offsetOfAPointMakesATimeLocal(properties: String, expected: [String]) {
    let text = ImportText(
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":{\#(properties)}}"#,
      as: .geoJSON)
    #expect(text.problems == [] && text.rows == ["2024-05-01T08:00:00.000Z 1.0 2.0"])
    #expect(offsets(text) == expected)
  }

  /// Times of points, and the offsets given for them.
  private static let rows: [(times: [String], offsets: [String])] = [
    (["2024-05-01T08:00:00Z", "2024-05-01T09:00:00Z"], []),
    (["2024-05-01T10:00:00+02:00", "2024-05-01T11:00:00+02:00"], ["2024-05-01T08:00 120"]),
    (
      ["2024-05-01T10:00:00+02:00", "2024-05-01T18:00:00+09:00", "2024-05-01T19:00:00+09:00"],
      ["2024-05-01T08:00 120", "2024-05-01T09:00 540"]
    ),
    // A time without an offset states nothing.
    (
      ["2024-05-01T10:00:00+02:00", "2024-05-01T09:00:00Z", "2024-05-01T12:00:00+02:00"],
      ["2024-05-01T08:00 120"]
    ),
    // The newest point first.
    (
      ["2024-05-01T19:00:00+09:00", "2024-05-01T18:00:00+09:00", "2024-05-01T10:00:00+02:00"],
      ["2024-05-01T10:00 540", "2024-05-01T09:00 540", "2024-05-01T08:00 120"]
    ),
  ]

  @Test(arguments: rows, [RecordingFormat.gpx, .tcx, .kml, .csv, .jsonLines, .geoJSON])
  func offsetIsGivenWhereItChanges(row: (times: [String], offsets: [String]), format: RecordingFormat) {
    let text = ImportText(Self.document(of: row.times, as: format))
    #expect(text.format == format && text.problems == [])
    #expect(text.fixes.count == row.times.count)
    #expect(offsets(text) == row.offsets)
  }

  private static func document(of times: [String], as format: RecordingFormat) -> String {
    func points(_ point: (String) -> String, separator: String = "") -> String {
      times.map(point).joined(separator: separator)
    }
    switch format {
    case .gpx:
      let all = points { "<trkpt lat=\"1\" lon=\"2\"><time>\($0)</time></trkpt>" }
      return
        "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\(all)</trkseg></trk></gpx>"
    case .tcx:
      let all = points {
        "<Trackpoint><Time>\($0)</Time><Position><LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position></Trackpoint>"
      }
      return
        "<TrainingCenterDatabase><Activities><Activity Sport=\"Running\"><Lap><Track>\(all)</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
    case .kml:
      let all = points { "<when>\($0)</when><gx:coord>2 1</gx:coord>" }
      return
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Document><Placemark><gx:Track>\(all)</gx:Track></Placemark></Document></kml>"
    case .csv: return "time,lat,lon\n" + points { "\($0),1,2\n" }
    case .jsonLines: return points { "{\"time\":\"\($0)\",\"lat\":1,\"lon\":2}\n" }
    default:
      let all = points(
        {
          "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[2,1]},\"properties\":{\"time\":\"\($0)\"}}"
        }, separator: ",")
      return "{\"type\":\"FeatureCollection\",\"features\":[\(all)]}"
    }
  }

  @Test func androidTimelineStatesOffsetsBesideVisitsAndActivities() {
    // The texts of times have the offset at the export.
    let text = ImportText(
      """
      {"semanticSegments":[
       {"startTime":"2024-05-01T10:00:00.000+02:00","endTime":"2024-05-01T12:00:00.000+02:00",
        "timelinePath":[{"point":"52.5°, 13.4°","time":"2024-05-01T10:04:00.000+02:00"}]},
       {"startTime":"2024-05-01T10:00:00.000+02:00","endTime":"2024-05-01T23:00:00.000+02:00",
        "startTimeTimezoneUtcOffsetMinutes":120,"endTimeTimezoneUtcOffsetMinutes":540,
        "activity":{"start":{"latLng":"52.5°, 13.4°"},"end":{"latLng":"35.6°, 139.7°"},"topCandidate":{"type":"FLYING"}}},
       {"startTime":"2024-05-01T23:00:00.000+02:00","endTime":"2024-05-02T01:00:00.000+02:00",
        "startTimeTimezoneUtcOffsetMinutes":540,"endTimeTimezoneUtcOffsetMinutes":540,
        "visit":{"topCandidate":{"placeLocation":{"latLng":"35.6°, 139.7°"}}}}],
       "rawSignals":[{"position":{"LatLng":"35.6°, 139.7°","timestamp":"2024-05-01T23:30:00.000+02:00"}}]}
      """)
    #expect(offsets(text) == ["2024-05-01T08:00 120", "2024-05-01T21:00 540"])
    #expect(text.fixes.count == 4 && text.problems == [])
  }

  @Test func iPhoneTimelineStatesOffsetsInItsTimes() {
    let text = ImportText(
      """
      [{"endTime":"2024-05-01T18:00:00.000+09:00","startTime":"2024-05-01T08:00:00.000+02:00",
        "activity":{"start":"geo:52.5,13.4","end":"geo:35.6,139.7","topCandidate":{"type":"flying","probability":"0"}}}]
      """)
    #expect(offsets(text) == ["2024-05-01T06:00 120", "2024-05-01T09:00 540"])
  }

  @Test(
    arguments: [
      (7200, ["2021-01-01T00:00 120"]), (-12_600, ["2021-01-01T00:00 -210"]), (0, ["2021-01-01T00:00 0"]),
      (7201, []), (420, []), (54_000, []), (nil, []),
    ] as [(Int64?, [String])])
  func localTimeOfAFITActivityHoldsForItsFile(ahead: Int64?, expected: [String]) {
    let newYear: Int64 = 1_609_459_200 - 631_065_600
    var builder = FITBuilder()
    builder.define(0, 20, [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85)])
    builder.message(
      0,
      FITBuilder.bytes(newYear, 4) + FITBuilder.bytes(FITBuilder.semicircles(45), 4)
        + FITBuilder.bytes(FITBuilder.semicircles(-90), 4))
    builder.define(1, 34, [(253, 4, 0x86), (5, 4, 0x86)])
    builder.message(
      1,
      FITBuilder.bytes(newYear + 3600, 4)
        + FITBuilder.bytes(ahead.map { newYear + 3600 + $0 } ?? 0xFFFF_FFFF, 4))
    #expect(offsets(ImportText(builder.file())) == expected)
  }
}
