import Foundation
import Testing

/// `whereabouts import` of files into a store.
@Suite struct ImportTests {
  /// Records of two phones, one a minute, some of them with equal times.
  static func records(_ minutes: Range<Int>, tags: [Int] = [7, -8]) -> String {
    let rows = minutes.flatMap { minute in
      tags.map { tag in
        "{\"latitudeE7\":\(500_000_000 + minute * 100 + tag),\"longitudeE7\":80000000,\"accuracy\":12,\"deviceTag\":\(tag),\"timestamp\":\"\(time(minute))\"}"
      }
    }
    return "{\"locations\":[\n\(rows.joined(separator: ",\n"))\n]}"
  }

  private static func time(_ minute: Int) -> String {
    Date(timeIntervalSince1970: 1_600_000_000 + Double(minute) * 60).ISO8601Format()
  }

  private func history(_ store: String, _ device: String) async throws -> [String] {
    let run = try await CommandRun(["export", "--all", "--store", store, "--device", device, "--to", "jsonl"])
    #expect(run.code == 0, "\(run.errors)")
    return run.lines.map(String.init)
  }

  private func check(_ store: String) async throws {
    let run = try await CommandRun(["store", "check", "--store", store])
    #expect(run.code == 0, "\(run.output)\n\(run.errors)")
  }

  /// As of a mistyped name.
  @Test func importOfNoRecordingCreatesNoStore() async throws {
    let folder = try TemporaryFolder()
    let text = try folder.file("note.txt", Array("hello\n".utf8))
    for file in [folder.path("missing.gpx"), text] {
      let run = try await CommandRun(["import", file, "--store", folder.path("new/store.sqlite")])
      #expect(run.code == 1 && run.errors.hasSuffix("0 kept, 0 duplicates, 0 refused\n"), "\(run.errors)")
    }
    #expect(try folder.names == ["note.txt"])
  }

  @Test func sameFileTwiceAddsNothingAndOverlapsMerge() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.sqlite")
    let first = try folder.file("Records.json", Array(Self.records(0..<300).utf8))
    let second = try folder.file("later.json", Array(Self.records(200..<400).utf8))
    let run = try await CommandRun(["import", "--store", store, "--rename", "-8=tablet", first])
    #expect(run.code == 0)
    #expect(run.errors == "600 kept, 0 duplicates, 0 refused\n")
    #expect(
      run.output == """
        tablet: 300 kept, 0 duplicates, 2020-09-13 – 2020-09-13
        timeline-7: 300 kept, 0 duplicates, 2020-09-13 – 2020-09-13

        """)
    let again = try await CommandRun(["import", "--store", store, "--rename", "-8=tablet", first])
    #expect(again.errors == "0 kept, 600 duplicates, 0 refused\n")
    let overlap = try await CommandRun(["import", "--store", store, "--rename", "-8=tablet", second])
    #expect(overlap.errors == "200 kept, 200 duplicates, 0 refused\n")
    #expect(try await history(store, "timeline-7").count == 400)
    try await check(store)
    // The last fix of the past is the device's last fix.
    let last = try await CommandRun(["last", "--store", store, "--device", "tablet", "--json"])
    #expect(last.output.contains(Self.time(399).dropLast(1)), "\(last.output)")
  }

  private static let times = [
    "2024-05-14T08:20:00", "2024-05-14 08:20:10.5", "2024-05-14T08:20:20Z", "2024-05-14T10:20:30+02:00",
  ]

  private static func rows(_ time: String, _ place: (String, String), separator: String = "\n") -> String {
    times.enumerated().map { index, text -> String in
      "{\"\(time)\":\"\(text)\",\"\(place.0)\":52.\(index),\"\(place.1)\":13}"
    }.joined(separator: separator)
  }

  private static var positions: String { "[\(rows("timestamp", ("latitude", "longitude"), separator: ","))]" }
  private static var geoJSONLine: String {
    let places = times.indices.map { index -> String in "[13,52.\(index)]" }.joined(separator: ",")
    return """
      {"type":"Feature","geometry":{"type":"LineString","coordinates":[\(places)]},\
      "properties":{"coordTimes":\(times)}}
      """
  }

  /// Programs write local times so, too: the track is then hours away from the truth.
  @Test(arguments: [
    "<gpx><trk><trkseg>"
      + times.enumerated().map { "<trkpt lat='52.\($0)' lon='13'><time>\($1)</time></trkpt>" }.joined()
      + "</trkseg></trk></gpx>",
    "<TrainingCenterDatabase><Activities><Activity><Lap><Track>"
      + times.enumerated().map {
        """
        <Trackpoint><Time>\($1)</Time><Position><LatitudeDegrees>52.\($0)</LatitudeDegrees>\
        <LongitudeDegrees>13</LongitudeDegrees></Position></Trackpoint>
        """
      }.joined() + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>",
    "<kml><Document>"
      + times.enumerated().map {
        """
        <Placemark><TimeStamp><when>\($1)</when></TimeStamp><Point><coordinates>13,52.\($0)</coordinates></Point>\
        </Placemark>
        """
      }.joined() + "</Document></kml>",
    "time,lat,lon\n" + times.enumerated().map { "\($1),52.\($0),13\n" }.joined(),
    rows("time", ("lat", "lon")), rows("timestamp", ("lat", "lon")), positions, geoJSONLine,
  ])
  func timesWithoutAZoneAreReported(text: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("track", Array(text.utf8)), store = folder.path("store.sqlite")
    let run = try await CommandRun(["import", "--json", "--store", store, file])
    #expect(run.code == 0 && run.errors.contains("4 kept"), "\(run.errors)")
    #expect(run.errors.contains("2 times without a zone, read as UTC"), "\(run.errors)")
    #expect(run.lines.allSatisfy { $0.contains("\"timesWithoutZone\":2") }, "\(run.output)")
    // Its output states UTC.
    let conversion = try await CommandRun(["convert", "--to", "jsonl", file])
    #expect(conversion.errors.contains("2 times without a zone, read as UTC"), "\(conversion.errors)")
  }

  /// A receiver without a fix states positions that are marked as invalid.
  @Test func fileWithoutAValidPositionIsReported() async throws {
    let folder = try TemporaryFolder()
    let sentence = "$GPRMC,070000.000,V,5230.000,N,01324.000,E,0.00,0.00,010624,,*12\r\n"
    let file = try folder.file("lost.nmea", Array(sentence.utf8))
    let run = try await CommandRun(["import", "--store", folder.path("store.sqlite"), file])
    #expect(run.code == 0 && run.errors.contains("lost.nmea: holds no valid position\n"), "\(run.errors)")
  }

  /// Some programs write a track, and each of its points as a placemark.
  @Test func trackAndItsPointsInAFileAreStoredOnce() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.sqlite")
    let times = (0..<3).map { "2024-05-01T10:04:0\($0)Z" }
    let track = times.map { "<when>\($0)</when>" } + times.map { _ in "<gx:coord>13.4 52.5 0</gx:coord>" }
    let points = times.map {
      "<Placemark><TimeStamp><when>\($0)</when></TimeStamp><Point><coordinates>13.4,52.5,0</coordinates></Point></Placemark>"
    }
    let document = """
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
      <Placemark><gx:Track>\(track.joined())</gx:Track></Placemark>\(points.joined())</Document></kml>
      """
    let file = try folder.file("both.kml", Array(document.utf8))
    #expect(
      try await CommandRun(["import", "--dry-run", "--store", store, file]).errors
        == "dry run: 3 kept, 3 duplicates, 0 refused\n")
    #expect(
      try await CommandRun(["import", "--store", store, file]).errors == "3 kept, 3 duplicates, 0 refused\n")
    #expect(
      try await CommandRun(["import", "--store", store, file]).errors == "0 kept, 6 duplicates, 0 refused\n")
    #expect(try await history(store, "this").count == 3)
  }

  @Test func pointsOfOneMinuteAreStoredOnceEach() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.sqlite")
    func path(_ points: [String]) -> String {
      let rows = points.map { "{\"point\":\"\($0)\",\"time\":\"2024-05-01T10:04:00.000+02:00\"}" }
      return
        "{\"semanticSegments\":[{\"startTime\":\"2024-05-01T10:00:00.000+02:00\",\"endTime\":\"2024-05-01T12:00:00.000+02:00\",\"timelinePath\":[\(rows.joined(separator: ","))]}]}"
    }
    let here = "52.5°, 13.4°", there = "52.51°, 13.4°"
    let file = try folder.file("Timeline.json", Array(path([here, there, here]).utf8))
    let other = try folder.file(
      "Zeitachse.json", Array(path([here, there, here, there, "52.52°, 13.4°"]).utf8))
    #expect(
      try await CommandRun(["import", "--store", store, file]).errors == "3 kept, 0 duplicates, 0 refused\n")
    #expect(
      try await CommandRun(["import", "--store", store, file]).errors == "0 kept, 3 duplicates, 0 refused\n")
    #expect(
      try await CommandRun(["import", "--store", store, other]).errors == "2 kept, 3 duplicates, 0 refused\n")
    let latitudes = try await history(store, "this").compactMap {
      $0.split(separator: "\"lat\":").last?.prefix { $0 != "," }
    }
    #expect(latitudes == ["52.5", "52.51", "52.5", "52.51", "52.52"])
  }

  /// A phone's Timeline of visits alone has no fix, and is a past nevertheless.
  @Test func statedVisitsAreStoredOnceAndForgotten() async throws {
    let store = try TestStore()
    let visits = [(10, "HOME"), (12, "WORK")].map { hour, kind in
      """
      {"startTime":"2024-05-01T\(hour):00:00Z","endTime":"2024-05-01T\(hour + 1):00:00Z",
      "visit":{"hierarchyLevel":0,"topCandidate":{"placeId":"x","semanticType":"\(kind)","placeLocation":{"latLng":"52.\(hour)°, 13.4°"}}}}
      """
    }
    let text = "{\"semanticSegments\":[\(visits.joined(separator: ","))]}"
    let file = try store.folder.file("Timeline.json", Array(text.utf8))
    let dry = try await store.command("import", "--dry-run", file)
    #expect(dry.errors.hasSuffix("0 refused, 2 of 2 stated visits kept\n"), "\(dry.errors)")
    for kept in [2, 0] {
      let run = try await store.command("import", file)
      let lines =
        "Timeline.json: 2 stated visits: \(kept) kept, \(2 - kept) duplicates\n"
        + "0 kept, 0 duplicates, 0 refused, \(kept) of 2 stated visits kept\n"
      #expect(run.code == 0 && run.errors.hasSuffix(lines), "\(run.errors)")
    }
    let json = try await store.command("import", "--json", file)
    #expect(json.output.contains(#""visits":2,"keptVisits":0"#), "\(json.output)")
    let span = ["--since", "2024-05-01T12:30:00Z", "--until", "2024-05-01T12:40:00Z", "--yes"]
    let forgotten = try await CommandRun(["forget", "--store", store.path] + span)
    #expect(forgotten.output == "1 stated visit erased\n", "\(forgotten.errors)")
    let nothing = try await CommandRun(["forget", "--store", store.path] + span)
    #expect(nothing.errors == "nothing to erase\n", "\(nothing.errors)")
    #expect(try await store.command("import", file).errors.hasSuffix("1 of 2 stated visits kept\n"))
    try await check(store.path)
  }

  @Test func refusedRowsAreLocatedAndTheRestIsStored() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.sqlite")
    let text =
      "time,lat,lon\n2024-05-14T08:20:00Z,52.5,13.4\n2024-05-14T08:21:00Z,north,13.4\nlater,52.5,13.4\n,52.5,13.4\n2024-05-14T08:22:00Z,52.6,13.4\n"
    let file = try folder.file("walk.csv", Array(text.utf8))
    let run = try await CommandRun(["import", "--store", store, "--device", "anna", file])
    #expect(run.code == 0)
    #expect(
      run.errors.contains("line 3, byte 65: lat or lon is neither a decimal number nor "), "\(run.errors)")
    #expect(run.errors.contains("line 4"), "\(run.errors)")
    #expect(run.errors.contains("rejected 1 point without a time"), "\(run.errors)")
    #expect(run.errors.hasSuffix("2 kept, 0 duplicates, 3 refused\n"), "\(run.errors)")
    #expect(run.output.hasPrefix("anna: 2 kept"))
  }

  /// A waypoint is no fix: its unreadable time is no reason for the missing time of a fix.
  @Test func unreadableTimeOfAWaypointIsRefusedBesideAnUntimedPoint() async throws {
    let folder = try TemporaryFolder()
    let text = """
      <gpx version="1.1"><wpt lat="1" lon="2"><time>yesterday</time></wpt><trk><trkseg>
      <trkpt lat="52.5" lon="13.4"/>
      <trkpt lat="52.5" lon="13.4"><time>2024-05-14T08:20:00Z</time></trkpt></trkseg></trk></gpx>
      """
    let file = try folder.file("walk.gpx", Array(text.utf8))
    let run = try await CommandRun(["import", "--store", folder.path("store.sqlite"), file])
    #expect(run.errors.hasSuffix("1 kept, 0 duplicates, 2 refused\n"), "\(run.errors)")
  }

  /// A point without a time, and one whose time can't be read, are one refused point each.
  @Test func pointWithAnUnreadableTimeIsRefusedOnce() async throws {
    let folder = try TemporaryFolder()
    let points = ["<time>2024-05-14T08:20:00Z</time>", "<time>yesterday</time>", ""].map {
      "<trkpt lat=\"52.5\" lon=\"13.4\">\($0)</trkpt>"
    }
    let file = try folder.file(
      "walk.gpx", Array("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8))
    let run = try await CommandRun(["import", "--store", folder.path("store.sqlite"), file])
    #expect(run.code == 0 && run.errors.contains("rejected 2 points without a time"), "\(run.errors)")
    #expect(run.errors.hasSuffix("1 kept, 0 duplicates, 2 refused\n"), "\(run.errors)")
  }

  /// The date may stand too late in the recording for its first fixes, and no other file needs the option.
  @Test func optionForSentencesWithoutADateIsNamed() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.sqlite")
    let sentence = "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n"
    let file = try folder.file("undated.nmea", Array(sentence.utf8))
    let undated = try await CommandRun(["import", "--store", store, file])
    #expect(undated.errors.contains("rejected 1 point without a time (see --date)\n"), "\(undated.errors)")
    let dated = try await CommandRun(["import", "--store", store, "--date", "2024-06-01", file])
    #expect(dated.code == 0 && dated.output.hasPrefix("this: 1 kept"), "\(dated.errors)")
    let rows = "time,lat,lon\n,52.5,13.4\n2024-05-14T08:20:00Z,52.5,13.4\n"
    let table = try folder.file("walk.csv", Array(rows.utf8))
    let other = try await CommandRun(["import", "--store", store, table])
    #expect(other.errors.contains("rejected 1 point without a time\n"), "\(other.errors)")
  }

  @Test func movedDatesAreReported() async throws {
    let folder = try TemporaryFolder()
    let old = try folder.file("old.csv", Array("time,lat,lon\n2007-04-13T10:00:00Z,52,13\n".utf8))
    let run = try await CommandRun(
      ["import", "--store", folder.path("store.sqlite"), "--not-before", "2020-01-01", old])
    #expect(run.output.hasPrefix("this: 1 kept") && run.output.contains("2026-11-27"), "\(run.output)")
    #expect(run.errors.contains("old.csv: 1 date moved by 1,024 weeks or a multiple"), "\(run.errors)")
  }

  /// Content without a readable row is a failure, with the option that reads it if one does.
  @Test func importWithoutAReadableRowFails() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.sqlite")
    let sentence = "$GPRMC,081500.00,A,5128.6,N,00000.4,W,0.0,,140524,,,A\r\n"
    let old = try folder.file("old.nmea", Array(sentence.utf8))
    let refused = try await CommandRun(["import", "--store", store, old])
    #expect(refused.code == 1)
    #expect(refused.errors.contains("With --checksums optional, they are read"), "\(refused.errors)")
    let read = try await CommandRun(["import", "--store", store, "--checksums", "optional", old])
    #expect(read.code == 0 && read.output.hasPrefix("this: 1 kept"), "\(read.errors)")
    let junk = try folder.file("junk.bin", Array("no recording".utf8))
    let forced = try await CommandRun(["import", "--store", store, "--from", "gpx", junk])
    #expect(forced.code == 1 && forced.errors.contains("nothing in it could be read as GPX"))
    let untimed = try folder.file("untimed.csv", Array("lat,lon\n47,8\n".utf8))
    let timeless = try await CommandRun(["import", "--store", store, untimed])
    #expect(timeless.code == 1 && timeless.errors.contains("no point has a time"), "\(timeless.errors)")
    #expect(timeless.errors.contains("NMEA without dates, pass --date"), "\(timeless.errors)")
    // Beside a file that is read, too.
    let timed = try folder.file("timed.csv", Array("time,lat,lon\n2024-06-01T11:00:00Z,47,8\n".utf8))
    for files in [[untimed, timed], [timed, untimed]] {
      let two = try await CommandRun(["import", "--store", store] + files)
      #expect(two.code == 1 && two.output.hasPrefix("this: "), "\(two.output)")
      #expect(two.errors.contains("nothing to import from \(untimed): no point has a time"), "\(two.errors)")
    }
    // A folder with such a file fails, and its other files are imported.
    let mixed = folder.path("mixed")
    try FileManager.default.createDirectory(atPath: mixed, withIntermediateDirectories: true)
    try Data(sentence.utf8).write(to: URL(filePath: "\(mixed)/old.nmea"))
    try Data("time,lat,lon\n2024-06-01T12:00:00Z,47,8\n".utf8).write(to: URL(filePath: "\(mixed)/a.csv"))
    let both = try await CommandRun(["import", "--store", store, mixed])
    #expect(both.code == 1 && both.output.hasPrefix("this: 1 kept"), "\(both.output)")
  }

  @Test func dryRunChangesNothing() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.sqlite")
    let file = try folder.file("Records.json", Array(Self.records(0..<10).utf8))
    let run = try await CommandRun(["import", "--dry-run", "--json", "--store", store, file])
    #expect(run.errors == "dry run: 20 kept, 0 duplicates, 0 refused\n")
    #expect(run.lines.count == 2)
    #expect(
      try run.line(1).hasPrefix("{\"total\":true,\"kept\":20,\"duplicates\":0,\"refused\":0,\"dryRun\":true"))
    #expect(try folder.names == ["Records.json"])
    _ = try await CommandRun(["import", "--store", store, file])
    let after = try await CommandRun(["import", "--dry-run", "--store", store, file])
    #expect(after.errors == "dry run: 0 kept, 20 duplicates, 0 refused\n")
    let one = try folder.file("one.json", Array(Self.records(0..<1, tags: [7]).utf8))
    let again = try await CommandRun(["import", "--dry-run", "--store", store, one])
    #expect(again.errors == "dry run: 0 kept, 1 duplicate, 0 refused\n")
  }

  /// Points that a later batch or file repeats are duplicates: a file is stored in batches of 8,192 points.
  @Test(arguments: [false, true]) func dryRunCountsAsTheImportDoes(isFirst: Bool) async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.sqlite")
    let points = (0..<9000).map { "\(Self.time($0)),52.\(1000 + $0),13.4\n" }
    let again = points[..<3000].joined()
    let long = try folder.file("long.csv", Array("time,lat,lon\n\(points.joined())\(again)".utf8))
    let short = try folder.file("short.csv", Array("time,lat,lon\n\(again)".utf8))
    if !isFirst {
      let text = "time,lat,lon\n\(Self.time(0)),51,13.4\n"
      let file = try folder.file("other.csv", Array(text.utf8))
      #expect(try await CommandRun(["import", "--store", store, "--device", "anna", file]).code == 0)
    }
    let arguments = ["import", "--store", store, "--device", "anna", long, short]
    let dry = try await CommandRun(arguments + ["--dry-run"])
    let real = try await CommandRun(arguments)
    #expect(real.errors.contains("9,000 kept, 6,000 duplicates, 0 refused\n"), "\(real.errors)")
    #expect(dry.errors.hasSuffix("dry run: 9,000 kept, 6,000 duplicates, 0 refused\n"), "\(dry.errors)")
  }

  /// A script that reads no line still needs the exit code.
  @Test func closedOutputHidesNoFailureOfAnImport() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("one.csv", Array("time,lat,lon\n\(Self.time(0)),52.1,13.4\n".utf8))
    let other = try folder.file("notes.txt", Array("hello".utf8))
    // The command begins after its reader has closed the pipe.
    let run = try await CommandRun(
      shell: """
        cd '\(folder.path(""))' && mkfifo go
        (
          read line < go
          whereabouts import --json --store store.sqlite '\(other)' '\(file)'
          echo "code $?" >&2
        ) | {
          exec <&-
          echo now > go
        }
        """)
    #expect(run.errors.hasSuffix("1 kept, 0 duplicates, 0 refused\ncode 1\n"), "\(run.errors)")
  }

  @Test func foldersAndWrongFiles() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.sqlite")
    let root = folder.path("rec")
    for name in ["anna/phone", "ben/watch"] {
      try FileManager.default.createDirectory(
        atPath: "\(root)/\(name)", withIntermediateDirectories: true)
      let line =
        "2024-05-14T08:20:11Z\t*                 \t{\"_type\":\"location\",\"lat\":52.5,\"lon\":13.4,\"tst\":1715674800}\n"
      try Data(line.utf8).write(to: URL(filePath: "\(root)/\(name)/2024-05.rec"))
    }
    try Data("hello".utf8).write(to: URL(filePath: "\(root)/notes.txt"))
    let run = try await CommandRun(["import", "--store", store, root])
    #expect(run.code == 0)
    #expect(run.lines.map { $0.prefix(9) } == ["anna-phon", "ben-watch"])
    #expect(
      run.errors
        == "skipped 1 file that is not a recording, found in folders\n2 kept, 0 duplicates, 0 refused\n")
    let counted = try await CommandRun(["import", "--json", "--store", store, root])
    #expect(try counted.line(counted.lines.count - 1).contains("\"skippedFiles\":1"), "\(counted.output)")
    let settings = try folder.file("Settings.json", Array("{\"deviceSettings\":[]}".utf8))
    let wrong = try await CommandRun(["import", "--store", store, settings])
    #expect(wrong.code == 1)
    #expect(
      wrong.errors.contains("it is Takeout's Settings.json, which holds no positions; take Records.json"))
  }

  /// The file is a recording, although none of its rows can be read. A table of something else is none.
  @Test func fileOfAFolderWithRefusedRowsOnlyIsAFailure() async throws {
    let folder = try TemporaryFolder(), store = folder.path("store.sqlite")
    let root = folder.path("rec"), bad = "\(root)/bad.csv"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try Data("time,lat,lon\n2024-05-14T08:20:00Z,52.5,13.4\n".utf8).write(to: URL(filePath: "\(root)/a.csv"))
    try Data("lat,width\n10,20\n".utf8).write(to: URL(filePath: "\(root)/sizes.csv"))
    let rows = "time,lat,lon\n2024-05-14T08:20:00Z,470,8\nlater,47,8\n"
    try Data(rows.utf8).write(to: URL(filePath: bad))
    let skipped = "skipped 1 file that is not a recording, found in folders\n"
    let run = try await CommandRun(["import", "--store", store, root])
    #expect(run.code == 1 && run.output.hasPrefix("this: 1 kept"), "\(run.output)")
    let failure = "whereabouts: could not read \(bad): nothing in it could be read as CSV\n"
    #expect(run.errors.contains(failure) && run.errors.contains(skipped), "\(run.errors)")
    try FileManager.default.removeItem(atPath: bad)
    let others = try await CommandRun(["import", "--store", store, root])
    #expect(others.code == 0 && others.errors.contains(skipped), "\(others.errors)")
  }

  #if os(Linux)
    /// Archives of other systems have such names. Foundation can't remove the file.
    @Test func fileWhoseNameIsNotUTF8IsReported() async throws {
      let folder = try TemporaryFolder()
      let root = folder.path("rec"), store = folder.path("store.sqlite")
      let run = try await CommandRun(
        shell: """
          mkdir '\(root)' && cp '\(CommandRun.walk)' '\(root)/walk.gpx'
          cp '\(CommandRun.walk)' "\(root)/$(printf 'b\\377.gpx')"
          whereabouts import --store '\(store)' '\(root)'
          code=$?
          rm -r '\(root)'
          exit $code
          """)
      #expect(run.code == 1 && run.errors.contains("could not read \(root)/b"), "\(run.errors)")
      #expect(run.errors.contains("801 kept, 0 duplicates") && !run.errors.contains("not a recording"))
    }
  #endif

  @Test func importOfThePastCrossesNoFence() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.sqlite")
    let added = try await CommandRun([
      "fence", "add", "--store", store, "home", "--at", "50.0,8.0", "--radius", "500",
    ])
    #expect(added.code == 0, "\(added.errors)")
    let file = try folder.file("Records.json", Array(Self.records(0..<200, tags: [7]).utf8))
    #expect(try await CommandRun(["import", "--store", store, "--rename", "7=this", file]).code == 0)
    let drive = try await CommandRun([
      "fence", "watch", "--store", store, "--source", "replay:\(CommandRun.walk)?speed=max", "--json",
    ])
    #expect(!drive.output.contains("2020-09-1"), "\(drive.output)")
    let events = try await CommandRun(["fence", "events", "--store", store])
    #expect(!events.output.contains("2020-09-1"), "\(events.output)")
    try await check(store)
    #expect(try await history(store, "this").count >= 200)
  }

  static func has(_ program: String) -> Bool {
    ["/usr/bin/", "/bin/", "/usr/local/bin/"].contains {
      FileManager.default.isExecutableFile(atPath: $0 + program)
    }
  }

  // MARK: Kills

  /// The process is killed again and again in the middle; the end is that of one run.
  @Test func killedImportsEndAsOneRunDoes() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("Records.json", Array(Self.records(0..<12_000).utf8))
    let whole = folder.path("whole.sqlite"), killed = folder.path("killed.sqlite")
    #expect(try await CommandRun(["import", "--store", whole, file]).code == 0)
    // Each round gets further: the kill follows after a number of new rows. Where the shell stands still until the import
    // is over, nothing is left to be killed, and it begins again.
    let run = try await CommandRun(
      shell: """
        binary='\(CommandRun.binary.path())'
        runs() { grep -qs '^State:.[RSD]' "/proc/$1/status"; }
        kills=0
        while [ $kills = 0 ]; do
          rm -f '\(killed)'*
          for round in 1 2 3 4 5 6; do
            "$binary" import --store '\(killed)' '\(file)' > /dev/null 2>&1 &
            size=$(stat -c %s '\(killed)-wal' 2>/dev/null || echo 0)
            while runs $! && [ "$(stat -c %s '\(killed)-wal' 2>/dev/null || echo 0)" -le $((size + round * 100000)) ]; do :; done
            kill -9 $! 2>/dev/null
            wait $! 2>/dev/null
            code=$?
            case $code in
            0) ;;
            137) kills=$((kills + 1)) ;;
            *) echo "an import ended with $code" >&2; exit 9 ;;
            esac
          done
        done
        "$binary" import --store '\(killed)' '\(file)' 2>&1
        """)
    #expect(run.code == 0, "\(run)")
    for device in ["timeline-7", "timeline--8"] {
      #expect(try await history(killed, device) == history(whole, device))
    }
    try await check(killed)
    #expect(
      try await CommandRun(["import", "--store", killed, file]).errors
        == "0 kept, 24,000 duplicates, 0 refused\n")
  }
}
