import Foundation
import Testing

/// The counts of kept and refused rows, and of values that are left out of kept ones.
extension ImportTests {
  private static func trackPoint(_ time: String, latitude: String, altitude: String) -> String {
    """
    <Trackpoint><Time>\(time)</Time><Position><LatitudeDegrees>\(latitude)</LatitudeDegrees>\
    <LongitudeDegrees>13.4</LongitudeDegrees></Position><AltitudeMeters>\(altitude)</AltitudeMeters></Trackpoint>
    """
  }

  private static func feature(_ properties: String) -> String {
    """
    {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{\(properties)}}
    """
  }

  private static let valueOfCSV = """
    time,lat,lon,speed
    2023-11-14T22:14:20Z,51,0,abc
    2023-11-14T22:14:21Z,51,0,-

    """

  private static let files: [(name: String, text: String, counts: String, places: Int)] = [
    ("values.csv", valueOfCSV, "2 kept, 0 duplicates, 0 refused, 2 values left out", 0),
    (
      "rows.csv",
      """
      time,lat,lon,speed
      2023-11-14T22:14:20Z,51.5,0.1,3
      later,51.5,0.1,abc
      2023-11-14T22:14:21Z,99.5,0.1,abc

      """, "1 kept, 0 duplicates, 2 refused", 0
    ),
    (
      "walk.gpx",
      """
      <gpx version="1.1"><wpt lat="1" lon="2"><ele>high</ele><time>yesterday</time></wpt><trk><trkseg>
      <trkpt lat="52.5" lon="13.4"><ele>high</ele><time>2024-05-14T08:20:00Z</time><hdop>x</hdop></trkpt>
      <trkpt lat="52.5" lon="13.4"><ele>high</ele><time>yesterday</time></trkpt>
      <trkpt lat="52.5" lon="13.4"><ele>high</ele></trkpt></trkseg></trk></gpx>
      """, "1 kept, 0 duplicates, 3 refused, 2 values left out", 0
    ),
    (
      "walk.tcx",
      """
      <TrainingCenterDatabase><Activities><Activity Sport="Running"><Lap><Track>
      \(trackPoint("2024-05-14T08:20:00Z", latitude: "52.5", altitude: "high"))
      \(trackPoint("2024-05-14T08:20:01Z", latitude: "north", altitude: "high"))
      \(trackPoint("2024-05-14T08:20:02Z", latitude: "99", altitude: "high"))
      \(trackPoint("later", latitude: "52.5", altitude: "high"))
      \(trackPoint("2024-05-14T08:20:03Z", latitude: "52.5", altitude: "3"))
      </Track></Lap></Activity></Activities></TrainingCenterDatabase>
      """, "2 kept, 0 duplicates, 3 refused, 1 value left out", 0
    ),
    (
      "gpsd.log",
      """
      {"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}
      {"class":"TPV","device":"/dev/a","mode":3,"lat":1.1,"lon":2.1,"time":"soon"}
      {"class":"TPV","device":"/dev/a","mode":3,"lat":1.2,"lon":2.1,"time":"2024-05-14T08:20:00.000Z","speed":"fast"}
      {"class":"TPV","device":"/dev/a","mode":3,"lat":91.2,"lon":2.1,"time":"2024-05-14T08:20:01.000Z"}
      {"class":"TPV","device":"/dev/a","mode":3,"lat":"x","lon":2.1,"time":"2024-05-14T08:20:02.000Z"}
      {"class":"TPV","device":"/dev/a","mode":3,"lat":1.3,"lon":2.1,"time":"2024-05-14T08:20:03.000Z"}

      """, "2 kept, 0 duplicates, 3 refused, 1 value left out", 0
    ),
    (
      "points.geojson",
      """
      {"type":"FeatureCollection","features":[
      \(feature(#""time":"2024-05-14T08:20:00Z","speed":"fast""#)),
      \(feature(#""time":"soon","speed":"fast""#)),\(feature(#""time":"soon""#)),\(feature(#""name":"Home""#))]}
      """, "1 kept, 0 duplicates, 2 refused, 1 value left out", 1
    ),
    (
      "dawarich.jsonl",
      """
      {"latitude":"52.5","longitude":"13.4","timestamp":1700000000,"velocity":"x"}
      {"latitude":"52.5","longitude":"13.4","timestamp":"soon"}

      """, "1 kept, 0 duplicates, 1 refused, 1 value left out", 0
    ),
    (
      "locations.json",
      """
      {"locations":[{"lat":52.5,"lon":13.4,"time":1700000000.5},{"lat":52.5,"lon":13.4,"time":"soon"}]}
      """, "1 kept, 0 duplicates, 1 refused", 0
    ),
  ]

  @Test(arguments: files) func rowsAreKeptOrRefusedOnce(
    name: String, text: String, counts: String, places: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file(name, Array(text.utf8))
    let run = try await CommandRun(["import", "--dry-run", "--store", folder.path("store.sqlite"), file])
    #expect(run.code == 0 && run.errors.hasSuffix("dry run: \(counts)\n"), "\(run.errors)")
    #expect(run.errors.contains(" place or route point") == (places > 0), "\(run.errors)")
  }

  @Test func valuesLeftOutAreToldApartInJSON() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("walk.csv", Array(Self.valueOfCSV.utf8))
    let run = try await CommandRun(["import", "--json", "--store", folder.path("store.sqlite"), file])
    #expect(run.code == 0 && run.lines.count == 2, "\(run.errors)")
    let counts = #""kept":2,"duplicates":0,"refused":0,"valuesLeftOut":2"#
    #expect(run.lines.allSatisfy { $0.contains(counts) }, "\(run.output)")
  }

  /// A file of points whose times can't be read has nothing to import, and no places.
  @Test func pointsWithUnreadableTimesAloneAreAnError() async throws {
    let folder = try TemporaryFolder()
    let text = """
      {"type":"FeatureCollection","features":[\(Self.feature(#""time":"soon""#))]}
      """
    let file = try folder.file("points.geojson", Array(text.utf8))
    let run = try await CommandRun(["import", "--store", folder.path("store.sqlite"), file])
    #expect(run.code == 1 && run.errors.contains("every row was refused"), "\(run.errors)")
  }
}
