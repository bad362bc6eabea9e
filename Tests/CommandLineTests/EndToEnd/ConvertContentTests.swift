import Foundation
import Testing

/// Values that a conversion retains, and its report of values that it drops.
@Suite struct ConvertContentTests {
  private static let ride = """
    <?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">
    <metadata><name>Ride</name></metadata><wpt lat="50" lon="8"><name>Gate</name><sym>Flag</sym></wpt>
    <trk><name>One</name><desc>text</desc><trkseg>\(points(0..<30, longitude: 8.00))</trkseg>
    <trkseg>\(points(600..<630, longitude: 8.05))</trkseg><trkseg></trkseg></trk>
    <trk><name>Two</name><trkseg>\(points(1200..<1230, longitude: 8.1))</trkseg></trk></gpx>
    """

  private static func points(_ seconds: Range<Int>, longitude: Double) -> String {
    seconds.map { second in
      let time = Date(timeIntervalSince1970: 1_700_000_000 + Double(second)).ISO8601Format()
      return """
        <trkpt lat="\(50 + Double(second) / 1e5)" lon="\(longitude)"><time>\(time)</time><extensions>
        <hr>120</hr><speed>1.1</speed></extensions></trkpt>
        """
    }.joined()
  }

  @Test(arguments: ["csv", "jsonl", "gpx"]) func segmentsPreserveDistance(format: String) async throws {
    let folder = try TemporaryFolder()
    let ride = try folder.file("ride.gpx", Array(Self.ride.utf8))
    let copy = folder.path("copy.\(format)")
    let run = try await CommandRun(["convert", ride, copy])
    #expect(run.code == 0)
    #expect(run.errors.contains("elements not read: 90 hr, 1 metadata, 1 sym, 1 desc\n"), "\(run.errors)")
    #expect(run.errors.contains("1 place, 1 segment without fixes") == (format != "gpx"), "\(run.errors)")
    let before = try await CommandRun(["replay", "--track", "--json", ride])
    let after = try await CommandRun(["replay", "--track", "--json", copy])
    let distance = /"distance":([0-9.]+)/
    let total = try #require(before.lines.last?.firstMatch(of: distance)?.1)
    #expect(after.lines.last?.firstMatch(of: distance)?.1 == total)
  }

  @Test func formatThatNeedsTimesIsNamedWhereNoFixHasATime() async throws {
    let folder = try TemporaryFolder()
    let untimed = try folder.file("untimed.csv", Array("lat,lon\n1,2\n1,3\n".utf8))
    let mixed = try folder.file("mixed.csv", Array("time,lat,lon\n,1,2\n2024-01-01T10:00:00Z,1,3\n".utf8))
    let reason = "untimed.csv: no fix has a time, which FIT needs. For NMEA without dates, pass --date"
    let run = try await CommandRun(["convert", untimed, folder.path("untimed.fit")])
    #expect(run.code == 0 && run.errors.contains(reason), "\(run.errors)")
    for (input, output) in [(untimed, "untimed.gpx"), (mixed, "mixed.fit")] {
      let other = try await CommandRun(["convert", input, folder.path(output)])
      #expect(other.code == 0 && !other.errors.contains("no fix has a time"), "\(other.errors)")
    }
  }

  @Test func fixesWithoutATimeAreInNoTimeRange() async throws {
    let remedy = "without a time. For NMEA without dates, pass --date"
    let since = ["convert", "--since", "2024-01-01", "-"]
    let none = try await CommandRun(since, input: Array("lat,lon\n1,2\n1,3\n".utf8))
    #expect(
      none.code == 1 && none.errors.contains("no fix in this time range: 2 fixes \(remedy)"), "\(none.errors)"
    )
    let some = try await CommandRun(
      since, input: Array("time,lat,lon\n,1,2\n2024-01-01T10:00:00Z,1,3\n".utf8))
    #expect(
      some.code == 0 && some.lines.count == 1
        && some.errors.contains("not in the time range: 1 fix \(remedy)"), "\(some.errors)")
  }

  /// A time range may have visits and no fixes. KML holds visits, and GPX does not.
  @Test func visitsOfATimeRangeWithoutFixesAreConverted() async throws {
    let folder = try TemporaryFolder()
    let text = """
      {"semanticSegments":[{"startTime":"2024-05-14T10:00:00Z","endTime":"2024-05-14T12:00:00Z","visit":{
      "topCandidate":{"semanticType":"HOME","placeLocation":{"latLng":"52.5°, 13.4°"}}}}]}
      """
    let file = try folder.file("Timeline.json", Array(text.utf8))
    let cases: [(String, String, Int32)] = [
      ("kml", "2024-05-14", 0), ("kml", "2024-06-01", 1), ("gpx", "2024-05-14", 1),
    ]
    for (format, since, code) in cases {
      let run = try await CommandRun(["convert", "--to", format, "--since", since, file])
      #expect(run.code == code && run.output.contains("<TimeSpan>") == (code == 0), "\(run)")
      #expect(run.errors.contains("no fix in this time range") == (code == 1), "\(run)")
    }
  }

  @Test func gpx10IsWritten() async throws {
    let run = try await CommandRun(["convert", "--to", "gpx1.0", "-"], input: Array(Self.ride.utf8))
    #expect(run.code == 0 && run.output.contains("<gpx version=\"1.0\""))
    #expect(run.output.contains("Z</time><speed>1.1</speed></trkpt>"))
  }

  @Test func geoJSONReportsOmittedSpeeds() async throws {
    let run = try await CommandRun(["convert", "--to", "geojson", "-"], input: Array(Self.ride.utf8))
    #expect(run.code == 0 && run.output.matches(of: /"coordTimes":\[/).count == 3)
    #expect(
      run.errors.contains(
        "left out, for which GeoJSON has no place: speed, course, accuracy and quality of 90 fixes\n"))
  }

  @Test func strictFailureLeavesNoFile() async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun(["convert", "--strict", CommandRun.drive, folder.path("out.csv")])
    #expect(run.code == 1 && run.errors.contains("out.csv: --strict rejects an input with problems\n"))
    #expect(try folder.names == [])
    #expect(try await CommandRun(["convert", "--strict", CommandRun.walk, folder.path("out.csv")]).code == 0)
    #expect(try folder.names == ["out.csv"])
  }

  @Test func missingColumnIsReportedByName() async throws {
    let run = try await CommandRun(["convert", "-"], input: Array("time,lat,long itude2\n1,2,3\n".utf8))
    #expect(run.code == 1)
    #expect(
      run.errors.hasSuffix(
        "could not read standard input: nothing in it could be read as CSV: header without a column for the "
          + "longitude (lon, lng or longitude)\n"), "\(run.errors)")
  }

  @Test func movedDatesAreReported() async throws {
    let arguments = ["--not-before", "2030-01-01", CommandRun.drive]
    let converted = try await CommandRun(["convert", "--to", "csv"] + arguments)
    #expect(converted.errors.contains("dates moved by 1,024 weeks or a multiple"), "\(converted.errors)")
    let replayed = try await CommandRun(["replay"] + arguments)
    #expect(replayed.output.contains("  Dates       "), "\(replayed.output)")
    #expect(try await !CommandRun(["replay", CommandRun.drive]).output.contains("moved"))
  }

  /// Programs write the dates of a receiver that lost count of GPS weeks into files of every format.
  @Test func datesOfEveryFormatAreMoved() async throws {
    let rows = """
      time,lat,lon
      1979-12-31T10:00:00Z,52,13
      2007-04-13T10:00:00Z,52,13
      2026-11-27T10:00:01Z,52,13

      """
    let run = try await CommandRun(["convert", "--not-before", "2020-01-01", "-"], input: Array(rows.utf8))
    let days = run.lines.map { String($0.dropFirst(#"{"time":""#.count).prefix(10)) }
    #expect(days == ["1979-12-31", "2026-11-27", "2026-11-27"], "\(run.output)")
    #expect(run.errors.contains("1 date moved by 1,024 weeks or a multiple"), "\(run.errors)")
  }
}
