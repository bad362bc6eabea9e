import Foundation
import Testing

@Suite struct DaysTests {
  /// A recording: half an hour at a place, a walk north, forty minutes at another, and the walk back to the first.
  private func recording(_ folder: TemporaryFolder, from start: String = "2024-01-15T22:30:00Z") throws
    -> String
  {
    let begin = try #require(ISO8601DateFormatter().date(from: start))
    var rows = "time,lat,lon,hacc\n"
    for minute in 0...150 {
      let walked =
        switch minute {
        case ...30: 0.0
        case ...50: Double(minute - 30) * 84
        case ...90: 20 * 84.0
        case ...110: Double(110 - minute) * 84
        default: 0.0
        }
      // Some metres to and fro, as fixes do.
      let off = Double((minute * 7) % 5 - 2) * 2e-5
      let time = begin.addingTimeInterval(Double(minute) * 60).ISO8601Format()
      rows += "\(time),\(48 + walked / 111_200 + off),\(11 - off),8\n"
    }
    return try folder.file("walk.csv", Array(rows.utf8))
  }

  /// The walk begins at 21:40 UTC.
  @Test(arguments: [
    ("Europe/Berlin", "23:40–"), (":Europe/Berlin", "23:40–"),
    (":/usr/share/zoneinfo/Europe/Berlin", "23:40–"), ("CET-1CEST,M3.5.0,M10.5.0/3", "23:40–"),
    ("EST5EDT4,M3.2.0,M11.1.0", "17:40–"), ("CET-1CEST", "23:40–"), ("<+0530>-5:30", "03:10–"),
    ("UTC+2", "19:40–"),
  ])
  func timeZoneOfTheSystemIsThatOfTZ(zone: String, begin: String) async throws {
    let run = try await CommandRun(
      shell: "TZ='\(zone)'; export TZ; whereabouts days '\(CommandRun.walk)'")
    #expect(run.code == 0 && run.output.contains(begin), "\(run.output)\(run.errors)")
  }

  @Test func daysOfARecordingAreThoseOfTheTimeZone() async throws {
    let folder = try TemporaryFolder()
    let file = try recording(folder)
    let utc = try await CommandRun(["days", file, "--time-zone", "UTC"])
    #expect(utc.code == 0 && utc.errors.isEmpty, "\(utc.errors)")
    #expect(utc.lines.filter { $0.contains("day 2024-") } == ["Monday 2024-01-15", "Tuesday 2024-01-16"])
    #expect(utc.output.contains("walking"))
    let berlin = try await CommandRun(["days", file, "--time-zone", "Europe/Berlin"])
    #expect(berlin.lines.filter { $0.contains("day 2024-") } == ["Monday 2024-01-15", "Tuesday 2024-01-16"])
    #expect(berlin.output.contains("23:30–"))
    let one = try await CommandRun([
      "days", file, "--time-zone", "UTC", "--from", "2024-01-16", "--to", "2024-01-16", "--json",
    ])
    #expect(one.lines.count == 1 && one.output.hasPrefix(#"{"day":"2024-01-16","zone":"UTC""#))
    #expect(one.output.contains(#""type":"journey""#) && one.output.contains(#""mode":"walking""#))
  }

  @Test(arguments: ["days", "visits", "replay"])
  func recordingOfSeveralDevicesIsReported(command: String) async throws {
    let folder = try TemporaryFolder()
    func errors(of tags: [Int]) async throws -> String {
      let records = (0..<20).map { minute in
        let time = "2024-05-14T10:\(minute + 10):00Z", tag = tags[minute % tags.count]
        return #"{"latitudeE7":500000000,"longitudeE7":80000000,"deviceTag":\#(tag),"timestamp":"\#(time)"}"#
      }
      let text = "{\"locations\":[\(records.joined(separator: ","))]}"
      let file = try folder.file("\(tags.count).json", Array(text.utf8))
      let run = try await CommandRun([command, file])
      #expect(run.code == 0, "\(run.errors)")
      return run.errors
    }
    #expect(try await errors(of: [7]).isEmpty)
    #expect(try await errors(of: [7, -8]).contains("fixes are of several devices"))
  }

  @Test func deviceWithoutFixesIsNotReported() async throws {
    let folder = try TemporaryFolder()
    let rows = [
      #"2024-05-14T08:20:11Z\#t*\#t{"_type":"location","lat":52.5,"lon":13.4,"tst":1715674800,"topic":"owntracks/ann/phone"}"#,
      #"2024-05-14T08:20:12Z\#tlwt\#t{"_type":"lwt","tst":1715674812,"topic":"owntracks/ann/tablet"}"#,
    ]
    let file = try folder.file("ann.rec", Array(rows.joined(separator: "\n").utf8))
    let run = try await CommandRun(["replay", file])
    #expect(run.code == 0 && run.output.contains("1, all accepted"), "\(run.output)\(run.errors)")
    #expect(!run.errors.contains("several devices"), "\(run.errors)")
  }

  @Test func totalsCountEachSegmentOnce() async throws {
    let folder = try TemporaryFolder()
    let file = try recording(folder, from: "2024-01-31T22:30:00Z")
    let days = ["days", file, "--time-zone", "UTC"]
    let months = try await CommandRun(days + ["--by", "month", "--json"])
    #expect(months.code == 0 && months.errors.isEmpty && months.lines.count == 2, "\(months.errors)")
    #expect(months.lines.first?.hasPrefix(#"{"period":"2024-01","days":1,"#) == true, "\(months.output)")
    #expect(months.lines.last?.hasPrefix(#"{"period":"2024-02","days":1,"#) == true, "\(months.output)")
    let year = try await CommandRun(days + ["--by", "year", "--json"])
    #expect(year.lines.count == 1 && year.output.hasPrefix(#"{"period":"2024","days":2,"journeys":2,"#))
    #expect(year.output.hasSuffix(#""visits":3,"places":2}"# + "\n"), "\(year.output)")
    let text = try await CommandRun(days + ["--by", "year"])
    #expect(text.output.hasPrefix("2024  2 days  2 journeys  3.") && text.output.contains("  walking 3."))
    #expect(text.output.hasSuffix("3 visits to 2 places\n"), "\(text.output)")
  }

  /// Half past seven in Tokyo, where the recording states its offset.
  @Test(arguments: [true, false]) func daysAreThoseOfTheStatedOffsets(isStored: Bool) async throws {
    let store = try TestStore()
    let plain = try recording(store.folder, from: "2024-01-16T07:30:00Z")
    let text = try String(contentsOfFile: plain, encoding: .utf8)
    let file = try store.folder.file("tokyo.csv", Array(text.replacing("Z,", with: "+09:00,").utf8))
    func run(_ command: String, _ options: String...) async throws -> CommandRun {
      let arguments = [command, "--time-zone", "stated"] + options
      return try await CommandRun(arguments + (isStored ? ["--store", store.path] : [file]))
    }
    if isStored {
      for _ in 0..<2 { #expect(try await store.command("import", file).code == 0) }
    }
    let days = try await run("days")
    #expect(days.code == 0 && days.errors.isEmpty, "\(days.errors)")
    #expect(days.lines.first == "Tuesday 2024-01-16, +09:00", "\(days.output)")
    #expect(days.output.contains("  07:30–"), "\(days.output)")
    let visits = try await run("visits")
    #expect(visits.output.contains("2024-01-16 07:30 +09:00"), "\(visits.output)")
    let json = try await run("days", "--json")
    #expect(json.output.hasPrefix(#"{"day":"2024-01-16","zone":"stated""#), "\(json.output)")
    #expect(json.output.contains(#""start":"2024-01-16T07:30:"#), "\(json.output)")
    #expect(json.output.contains(#"+09:00""#), "\(json.output)")
    let unstated = try await CommandRun(["days", plain, "--time-zone", "stated"])
    #expect(unstated.code == 0 && unstated.errors.contains("no recording states an offset from UTC"))
  }

  @Test func visitsHaveTheirPlaces() async throws {
    let folder = try TemporaryFolder()
    let file = try recording(folder)
    let run = try await CommandRun(["visits", file, "--time-zone", "UTC", "--json"])
    #expect(run.code == 0 && run.lines.count == 3, "\(run.errors)")
    let places = try run.lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["place"]
        as? String
    }
    #expect(places[0] == places[2] && places[0] != places[1] && places[0] != nil)
    let long = try await CommandRun(["visits", file, "--stay", "35m"])
    #expect(long.lines.count == 2)
  }

  /// Four days without a fix are a gap: whether the device stayed is not known.
  @Test func longSilenceAtOnePlaceIsAGap() async throws {
    let folder = try TemporaryFolder()
    let minutes = Array(0...30) + Array(0...30).map { $0 + 4 * 1_440 }
    let begin = try #require(ISO8601DateFormatter().date(from: "2024-01-15T12:00:00Z"))
    let rows = minutes.map { minute in
      "\(begin.addingTimeInterval(Double(minute) * 60).ISO8601Format()),48.0000\(minute % 3),11,8\n"
    }
    let file = try folder.file("home.csv", Array(("time,lat,lon,hacc\n" + rows.joined()).utf8))
    let run = try await CommandRun(["days", file, "--time-zone", "UTC"])
    #expect(run.output.contains("gap: no fix for 3 d 23 h, at the same place"), "\(run.output)")
  }

  @Test func pictureIsDrawn() async throws {
    let folder = try TemporaryFolder()
    let svg = folder.path("day.svg"), file = try recording(folder)
    #expect(try await CommandRun(["days", file, "--svg", svg]).code == 0)
    let picture = try String(contentsOfFile: svg, encoding: .utf8)
    #expect(picture.hasPrefix("<svg") && picture.hasSuffix("</svg>\n") && picture.contains("walking"))
    let again = try await CommandRun(["days", file, "--svg", svg])
    #expect(again.code == 1 && again.errors.contains("--force"))
    #expect(try await CommandRun(["days", file, "--svg", "-"]).output.hasPrefix("<svg"))
  }

  @Test func placeIsNamedMergedAndFenced() async throws {
    let store = try TestStore()
    let file = try recording(store.folder)
    #expect(try await store.command("watch", "--source", "replay:\(file)?speed=max").code == 0)
    let list = try await store.command("places")
    #expect(list.code == 0 && list.lines.count == 2, "\(list.errors)")
    let ids = list.lines.map { String($0.prefix { $0 != " " }) }
    #expect(try await store.command("places", "name", ids[0], "Home").output == "\(ids[0]) is Home\n")
    #expect(try await store.command("days", "--time-zone", "UTC").output.contains("Home"))
    let taken = try await store.command("places", "name", ids[1], "Home")
    #expect(taken.code == 1 && taken.errors.contains("places merge"))
    #expect(try await store.command("places", "name", ids[1], "  ").code == 2)
    let identifier = try await store.command("places", "name", ids[1], ids[0])
    #expect(identifier.code == 1 && identifier.errors.contains("identifier of another place"))
    let fence = try await store.command("places", "fence", "Home", "--radius", "120")
    #expect(fence.code == 0 && fence.output.hasPrefix("Home added: "), "\(fence.errors)")
    #expect(try await store.fenceCommand("list").output.contains("Home"))
    #expect(try await store.command("places", "fence", "Home").code == 1)
    #expect(try await store.command("places", "fence", "Home", "--id", "..").code == 2)
    #expect(try await store.command("places", "merge", ids[1], "home").code == 0)
    let merged = try await store.command("places", "list", "--json")
    #expect(merged.lines.count == 1 && merged.output.contains(#""visits":3"#), "\(merged.output)")
    #expect(try await store.command("places", "name", "nowhere", "X").code == 1)
  }

  /// An answer of a server about some days gives a place the identifier of its first visit in them.
  @Test func placeIsFoundByTheIdentifierOfEachVisit() async throws {
    let store = try TestStore(), file = try recording(store.folder)
    #expect(try await store.command("watch", "--source", "replay:\(file)?speed=max").code == 0)
    let visits = try await store.command("visits", "--json").lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    try #require(visits.count == 3)
    let place = try #require(visits[2]["place"] as? String)
    let id = try #require(visits[2]["id"] as? String)
    let later = "p\(id.dropFirst())"
    #expect(later != place)
    #expect(try await store.command("places", "name", later, "Home").output == "\(place) is Home\n")
  }

  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to spoil the store with"))
  func unreadablePlaceIsLeftOutAndCanBeRemoved() async throws {
    let store = try TestStore()
    let file = try recording(store.folder)
    #expect(try await store.command("watch", "--source", "replay:\(file)?speed=max").code == 0)
    let ids = try await store.command("places").lines.map { String($0.prefix { $0 != " " }) }
    try #require(ids.count == 2)
    #expect(try await store.command("places", "name", ids[0], "Home").code == 0)
    _ = try await CommandRun(shell: "sqlite3 '\(store.path)' 'UPDATE place SET lat = 400'")
    for command in ["days", "visits", "places"] {
      let run = try await store.command(command)
      #expect(run.code == 0 && !run.output.isEmpty, "\(command): \(run.errors)")
      #expect(
        run.errors.contains("1 place can't be read and is left out: \(ids[0])")
          && run.errors.contains("`whereabouts places remove \(ids[0]) --store \(store.path)`"),
        "\(command): \(run.errors)")
    }
    let followed = try await store.command("days", "--follow", "--duration", "2s")
    #expect(
      followed.code == 0 && followed.errors.contains("1 place can't be read and is left out: \(ids[0])"),
      "\(followed.errors)")
    let removed = try await store.command("places", "remove", ids[0])
    #expect(removed.output == "\(ids[0]) removed\n", "\(removed.errors)")
    #expect(try await store.command("places").errors.isEmpty)
    let again = try await store.command("places", "remove", ids[0])
    #expect(again.code == 1 && again.errors.hasSuffix("Run `whereabouts places` to list the places.\n"))
  }

  /// The store and the file show the same past of visits alone.
  @Test func statedVisitsHaveDaysAndProposedNames() async throws {
    let store = try TestStore()
    let text = """
      {"semanticSegments":[{"startTime":"2024-05-14T10:00:00Z","endTime":"2024-05-14T12:00:00Z","visit":{
      "topCandidate":{"semanticType":"HOME","placeLocation":{"latLng":"52.5°, 13.4°"}}}}]}
      """
    let file = try store.folder.file("Timeline.json", Array(text.utf8))
    #expect(try await store.command("import", file).code == 0)
    let days = try await store.command("days", "--time-zone", "UTC")
    #expect(days.output.contains("10:00–12:00") && days.output.contains("Home? (stated)"), "\(days.output)")
    #expect(try await CommandRun(["days", "--time-zone", "UTC", file]).output == days.output)
    let visits = try await store.command("visits", "--json", "--time-zone", "UTC")
    #expect(visits.lines.count == 1 && visits.output.contains(#""stated":true"#), "\(visits.output)")
    let places = try await store.command("places", "list", "--json")
    #expect(places.output.contains(#""proposedName":"Home""#), "\(places.output)")
    let id = try await store.command("places").output.prefix { $0 != " " }
    #expect(try await store.command("places", "name", String(id), "Home").code == 0)
    let named = try await store.command("days", "--time-zone", "UTC").output
    #expect(named.contains("Home (stated)"), "\(named)")
  }

  /// A phone may export visits alone, with their offsets.
  @Test func visitsAloneHaveTheirStatedOffsets() async throws {
    let store = try TestStore()
    let text = """
      {"semanticSegments":[{"startTime":"2024-05-14T10:00:00Z","endTime":"2024-05-14T12:00:00Z",
      "startTimeTimezoneUtcOffsetMinutes":540,"endTimeTimezoneUtcOffsetMinutes":540,"visit":{
      "topCandidate":{"semanticType":"HOME","placeLocation":{"latLng":"35.7°, 139.7°"}}}}]}
      """
    let file = try store.folder.file("Timeline.json", Array(text.utf8))
    #expect(try await store.command("import", file).code == 0)
    let days = try await store.command("days", "--time-zone", "stated")
    #expect(days.code == 0 && days.errors.isEmpty, "\(days.errors)")
    // The day begins before the first stated offset, in the zone of the system.
    #expect(days.output.contains("19:00 +09:00–21:00 +09:00"), "\(days.output)")
    #expect(try await CommandRun(["days", "--time-zone", "stated", file]).output == days.output)
  }

  /// A merge can't be undone, so it loses no name.
  @Test func placeWithoutANameGetsTheNameOfAMerge() async throws {
    let store = try TestStore()
    let file = try recording(store.folder)
    #expect(try await store.command("import", file).code == 0)
    let ids = try await store.command("places").lines.map { String($0.prefix { $0 != " " }) }
    #expect(try await store.command("places", "name", ids[1], "Home").code == 0)
    let merge = try await store.command("places", "merge", "Home", ids[0])
    #expect(merge.output == "\(ids[1]) belongs to Home\n", "\(merge.errors)")
    let list = try await store.command("places", "list", "--json")
    #expect(
      list.lines.count == 1 && list.output.hasPrefix("{\"place\":\"\(ids[0])\",\"name\":\"Home\""),
      "\(list.output)")
  }

  /// One fix with a wrong date does not move the last seven days.
  @Test func fixOfTheFutureDoesNotMoveTheLastDays() async throws {
    let store = try TestStore()
    let file = try recording(store.folder)
    let future = try store.folder.file(
      "future.csv", Array("time,lat,lon,hacc\n2099-01-01T00:00:00Z,48,11,8\n".utf8))
    #expect(try await store.command("import", file).code == 0)
    #expect(try await store.command("import", future).code == 0)
    let run = try await store.command("days", "--time-zone", "UTC")
    #expect(run.code == 0 && run.errors.contains("1 fix dated more than a day ahead"), "\(run.errors)")
    #expect(run.output.contains("2024-01-15") && !run.output.contains("2099"), "\(run.output)")
    #expect(!run.output.contains("gap: no fix for 27,"), "a gap until 2099: \(run.output)")
    let later = try await store.command("days", "--time-zone", "UTC", "--from", "2099-01-01")
    #expect(later.errors.isEmpty && later.output.contains("2099-01-01"), "\(later.errors)")
  }

  /// A wrong date at the last place or elsewhere does not end the last stay.
  @Test(arguments: ["48,11", "52,13"])
  func fixOfTheFutureChangesNoSegment(place: String) async throws {
    let store = try TestStore()
    let file = try recording(store.folder)
    let future = try store.folder.file(
      "future.csv", Array("time,lat,lon,hacc\n2099-01-01T00:00:00Z,\(place),8\n".utf8))
    #expect(try await store.command("import", file).code == 0)
    let before = try await store.command("days", "--time-zone", "UTC", "--json")
    #expect(before.lines.count == 2 && before.output.contains(#""lastFix""#), "\(before)")
    #expect(try await store.command("import", future).code == 0)
    let after = try await store.command("days", "--time-zone", "UTC", "--json")
    #expect(after.output == before.output && after.errors.contains("1 fix dated"), "\(after)")
  }

  /// A wrong date after the reported days does not end their last stay.
  @Test(arguments: [["visits"], ["days"], ["days", "--by", "month"]])
  func fixOfTheFutureAfterTheReportedDaysChangesNothing(command: [String]) async throws {
    let store = try TestStore()
    let file = try recording(store.folder)
    let future = try store.folder.file(
      "future.csv", Array("time,lat,lon,hacc\n2099-01-01T00:00:00Z,52,13,8\n".utf8))
    #expect(try await store.command("import", file).code == 0)
    let arguments = command + ["--time-zone", "UTC", "--json", "--store", store.path]
    let before = try await CommandRun(arguments + ["--to", "2024-01-20"])
    #expect(before.code == 0 && !before.output.isEmpty, "\(before)")
    #expect(try await store.command("import", future).code == 0)
    let after = try await CommandRun(arguments + ["--to", "2024-01-20"])
    #expect(after.code == 0 && after.output == before.output && after.errors.isEmpty, "\(after)")
    let later = try await CommandRun(arguments + ["--to", "2099-01-01"])
    // Totals of a month have no departures.
    #expect(later.code == 0 && (later.output != before.output || command.contains("--by")), "\(later)")
  }

  /// A stay with a wrong date is no part of the whole past either.
  @Test(arguments: [["visits"], ["places"], ["days", "--by", "year"]])
  func fixesOfTheFutureAreNoPartOfTheWholePast(command: [String]) async throws {
    let store = try TestStore()
    let file = try recording(store.folder)
    let rows = (10..<40).map { "2099-01-01T00:\($0):00Z,52,13,8\n" }.joined()
    let future = try store.folder.file("future.csv", Array("time,lat,lon,hacc\n\(rows)".utf8))
    #expect(try await store.command("import", file).code == 0)
    let arguments = command + ["--time-zone", "UTC", "--json", "--store", store.path]
    let before = try await CommandRun(arguments)
    #expect(before.code == 0 && !before.output.isEmpty && before.errors.isEmpty, "\(before)")
    #expect(try await store.command("import", future).code == 0)
    let after = try await CommandRun(arguments)
    #expect(after.code == 0 && after.output == before.output, "\(after)")
    #expect(after.errors.contains("30 fixes dated more than a day ahead of the clock"), "\(after.errors)")
    #expect(after.errors.contains("Pass --from to see them") == (command != ["places"]), "\(after.errors)")
    if command == ["places"] { return }
    let later = try await CommandRun(arguments + ["--from", "2099-01-01"])
    #expect(later.errors.isEmpty && later.output.contains("2099"), "\(later)")
  }

  /// `places` does not list such a place, so a name would be lost.
  @Test func placeOfFixesOfTheFutureGetsNoName() async throws {
    let store = try TestStore()
    let file = try recording(store.folder)
    let rows = (10..<40).map { "2099-01-01T00:\($0):00Z,52,13,8\n" }.joined()
    let future = try store.folder.file("future.csv", Array("time,lat,lon,hacc\n\(rows)".utf8))
    #expect(try await store.command("import", file).code == 0)
    #expect(try await store.command("import", future).code == 0)
    let visits = try await store.command("visits", "--json", "--from", "2099-01-01")
    let id = try #require(visits.lines.last?.firstMatch(of: #/"place":"([a-z0-9]+)"/#)?.1, "\(visits)")
    let named = try await store.command("places", "name", String(id), "Nowhere")
    #expect(named.code == 1 && named.errors.contains("no place has the identifier or name \(id)"), "\(named)")
  }

  /// A stated visit with a wrong date is no part of it either.
  @Test(arguments: ["visits", "places"])
  func statedVisitOfTheFutureIsNoPartOfTheWholePast(command: String) async throws {
    let store = try TestStore()
    let file = try recording(store.folder)
    let text = """
      {"semanticSegments":[{"startTime":"2099-05-14T10:00:00Z","endTime":"2099-05-14T12:00:00Z","visit":{
      "topCandidate":{"semanticType":"HOME","placeLocation":{"latLng":"52.5°, 13.4°"}}}}]}
      """
    let future = try store.folder.file("Timeline.json", Array(text.utf8))
    #expect(try await store.command("import", file).code == 0)
    let before = try await store.command(command, "--time-zone", "UTC", "--json")
    #expect(before.code == 0 && !before.output.isEmpty && before.errors.isEmpty, "\(before)")
    #expect(try await store.command("import", future).code == 0)
    let after = try await store.command(command, "--time-zone", "UTC", "--json")
    #expect(after.code == 0 && after.output == before.output, "\(after)")
    #expect(
      after.errors.contains("leave out 1 stated visit dated more than a day ahead of the clock"),
      "\(after.errors)")
  }

  /// A single fix makes no segment, and neither do fixes without times.
  @Test(arguments: ["time,lat,lon\n2024-01-15T22:30:00Z,48,11\n", "lat,lon\n48,11\n48.1,11\n48.2,11\n"])
  func singleTimeMakesNoDay(text: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("one.csv", Array(text.utf8))
    let run = try await CommandRun(["days", file])
    #expect(run.code == 0 && run.output.isEmpty, "\(run.output)")
    #expect(run.errors == "no days: no two fixes with different times\n")
  }

  @Test func invalidOptionsAreUsageErrors() async throws {
    let folder = try TemporaryFolder()
    let file = try recording(folder)
    for arguments in [
      ["--from", "2024-02-01", "--to", "2024-01-01"], ["--time-zone", "Mars/Base"], ["--stay", "5s"],
      ["--store", "x.sqlite"], ["--svg", "-", "--json"], ["--follow"], ["--duration", "1s"],
      ["--by", "week"], ["--by", "month", "--svg", folder.path("x.svg")],
    ] {
      #expect(try await CommandRun(["days", file] + arguments).code == 2, "\(arguments)")
    }
    #expect(try await CommandRun(["days", "--store", folder.path("none.sqlite")]).code == 1)
  }

  /// Fixes stored while the command runs are reported: here from an import, and later from another one.
  @Test func followedDaysReportStoredFixes() async throws {
    let store = try TestStore()
    let file = try recording(store.folder)
    let rows = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    func part(_ name: String, _ range: Range<Int>) throws -> String {
      try store.folder.file(
        name, Array((([rows[0]] + rows[range]).joined(separator: "\n") + "\n").utf8))
    }
    let first = try part("first.csv", 1..<21), second = try part("second.csv", 21..<71)
    for json in [true, false] {
      let place = try TestStore()
      let closed = json ? #"{"change":"closed","id":"v"# : "closed     2024-01-15 22:30–23:0"
      let opened = json ? #"{"change":"opened","id":"v"# : "opened     2024-01-15 23:"
      let run = try await CommandRun(
        shell: """
          whereabouts import --store '\(place.path)' '\(first)' 2>/dev/null
          out='\(place.folder.path("out"))'
          '\(CommandRun.binary.path())' days --follow --time-zone UTC\(json ? " --json" : "") \
          --store '\(place.path)' >"$out" &
          run=$!
          wait_for $run grep -q current "$out"
          whereabouts import --store '\(place.path)' '\(second)' 2>/dev/null
          has_changes() { grep -qF '\(closed)' "$out" && grep -qF '\(opened)' "$out"; }
          wait_for $run has_changes
          kill -INT $run
          wait $run; code=$?
          cat "$out"
          exit $code
          """)
      #expect(run.code == 0, "\(run.errors)")
      let lines = run.lines.filter {
        !$0.hasPrefix("this: ") && !$0.hasPrefix("{\"device\":\"this\",\"kept\"")
      }
      let current = try #require(lines.first { $0.contains("current") }), all = lines.joined(separator: "\n")
      if json {
        #expect(current.hasPrefix(#"{"change":"current","id":"v"#), "\(current)")
      } else {
        #expect(current.hasPrefix("current    2024-01-15 22:30–…      p"), "\(current)")
      }
      #expect(all.contains("\n\(closed)") && all.contains("\n\(opened)"), "\(all)")
    }
  }

  /// Days derive from the repaired past: a repair changes them, and its undo restores each byte.
  @Test func daysFollowRepairsAndTheirUndo() async throws {
    let store = try TestStore()
    let file = try recording(store.folder)
    var rows = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    // Three visits a day are 40 km off for six minutes, which no device can be.
    for begin in [35, 70, 130] {
      for minute in begin..<(begin + 4) {
        var fields = rows[minute + 1].split(separator: ",").map(String.init)
        fields[1] = "48.4"
        rows[minute + 1] = fields.joined(separator: ",")
      }
    }
    let teleports = try store.folder.file("teleports.csv", Array((rows.joined(separator: "\n") + "\n").utf8))
    #expect(try await store.command("import", teleports).code == 0)
    func days() async throws -> String {
      let json = try await store.command("days", "--json", "--time-zone", "UTC").output
      let visits = try await store.command("visits", "--time-zone", "UTC").output
      return json + visits + (try await store.command("places", "list", "--time-zone", "UTC").output)
    }
    let before = try await days()
    let list = try await store.command("repair")
    let finding = try #require(list.lines.first { $0.contains("places out of reach") }, "\(list.output)")
    let id = String(finding.prefix { $0 != " " })
    #expect(try await store.command("repair", "apply", id, "--choice", "leave-out").code == 0)
    let repaired = try await days()
    #expect(repaired != before)
    // The repaired past is that of the recording without these fixes.
    let clean = try TestStore()
    let rest = rows.filter { !$0.contains(",48.4,") }.joined(separator: "\n") + "\n"
    #expect(try await clean.command("import", try clean.folder.file("rest.csv", Array(rest.utf8))).code == 0)
    let expected = try await clean.command("days", "--json", "--time-zone", "UTC").output
    #expect(!expected.isEmpty && repaired.hasPrefix(expected))
    #expect(try await store.command("repair", "undo", "1").code == 0)
    #expect(try await days() == before)
  }
}
