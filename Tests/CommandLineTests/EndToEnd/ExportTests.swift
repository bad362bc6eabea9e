import Foundation
import Testing

@Suite struct ExportTests {
  private func makeDriveStore() async throws -> TestStore {
    let store = try TestStore()
    let run = try await store.command("track", "--source", CommandRun.driveSource, "--trip", "drive")
    #expect(run.code == 0, "\(run.errors)")
    return store
  }

  @Test(arguments: ["gpx", "csv", "jsonl"])
  func exportReadsBackAsStoredFixes(format: String) async throws {
    let store = try await makeDriveStore()
    let file = store.folder.path("out.\(format)")
    #expect(try await store.command("export", file).code == 0)
    let kept = try await store.command(
      "history", "--since", "2000-01-01", "--format", "{time} {lat:6} {lon:6}")
    let read = try await CommandRun(["convert", "--to", "jsonl", file])
    #expect(read.lines.count == kept.lines.count && kept.lines.count > 600)
  }

  /// The drive crosses the meridian of Greenwich.
  @Test(arguments: ["gpx", "kml", "csv", "jsonl", "geojson"])
  func importOfAnExportAddsNothing(format: String) async throws {
    let store = try TestStore()
    let file = store.folder.path("out.\(format)")
    #expect(try await store.command("import", CommandRun.drive).output.contains("this: 671 kept"))
    #expect(try await store.command("export", file).code == 0)
    let again = try await store.command("import", file)
    #expect(again.output.contains("this: 0 kept, 671 duplicates"), "\(again)")
  }

  @Test func segmentsBeginAfterGaps() async throws {
    let store = try await makeDriveStore()
    let file = store.folder.path("out.gpx")
    #expect(try await store.command("export", "--trip", "drive", file).code == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("<name>drive</name>") && text.components(separatedBy: "<trkseg>").count == 3)
    let whole = try await store.command("export", "--gap", "1h", "--to", "gpx")
    #expect(whole.output.components(separatedBy: "<trkseg>").count == 2)
  }

  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to open the trip again with"))
  func exportOfAnOpenTripStatesItsEnd() async throws {
    let store = try await makeDriveStore()
    let ended = try await store.command("export", "--trip", "drive", "--to", "jsonl")
    #expect(ended.code == 0 && ended.errors.isEmpty, "\(ended.errors)")
    // Settled until 08:20:00, as if the program had been killed.
    let settled = "UPDATE trip SET ended = NULL, settled_to = 1715674800000000000"
    #expect(try await CommandRun(shell: "sqlite3 '\(store.path)' '\(settled)'").code == 0)
    let open = try await store.command("export", "--trip", "drive", "--to", "jsonl")
    #expect(open.code == 0 && open.lines.last?.contains("T08:20:00") == true, "\(open)")
    let end = "trip drive is open: the export ends with its settled track, at 2024-05-14 08:20:00 UTC."
    #expect(open.errors.hasPrefix(end), "\(open.errors)")
  }

  /// The first fixes have the date of a wrong clock.
  @Test func tripWhoseDateWentBackIsNotExportedAndSaysWhy() async throws {
    let store = try TestStore()
    var rows = "time,lat,lon,hacc,speed\n", north = 0.0
    for date in ["2080-01-01", "2024-05-14"] {
      for second in 10..<59 {
        north += 9e-5
        rows += "\(date)T08:00:\(second)Z,\(48 + north),11,5,10\n"
      }
    }
    let file = try store.folder.file("back.csv", Array(rows.utf8))
    let track = try await store.command("track", "--source", "replay:\(file)?speed=max", "--trip", "back")
    #expect(track.code == 0, "\(track.errors)")
    let run = try await store.command("export", "--trip", "back")
    #expect(run.code == 1 && run.output.isEmpty, "\(run)")
    let reason = "could not export trip back: its first fix is dated 2080-01-01"
    #expect(run.errors.hasPrefix("whereabouts: \(reason)"), "\(run.errors)")
    #expect(run.errors.hasSuffix("Pass --since and --until instead of --trip.\n"), "\(run.errors)")
  }

  /// The trip begins with the date of a clock that is behind. A fix from before the trip lies between its dates.
  @Test func tripWhoseDateWentForwardHasOnlyItsOwnFixes() async throws {
    let store = try TestStore()
    let earlier = try store.folder.file(
      "earlier.csv", Array("time,lat,lon,hacc\n2024-05-10T08:00:00Z,48,11,5\n".utf8))
    #expect(try await store.command("import", earlier).code == 0)
    var rows = "time,lat,lon,hacc,speed\n", north = 0.0
    for date in ["2024-05-01", "2024-05-14"] {
      for second in 10..<59 {
        north += 9e-5
        rows += "\(date)T08:00:\(second)Z,\(48 + north),11,5,10\n"
      }
    }
    let file = try store.folder.file("forward.csv", Array(rows.utf8))
    let track = try await store.command("track", "--source", "replay:\(file)?speed=max", "--trip", "forward")
    #expect(track.code == 0, "\(track.errors)")
    let run = try await store.command("export", "--trip", "forward", "--to", "jsonl")
    #expect(run.code == 0 && run.lines.first?.contains("2024-05-01T08:00:1") == true, "\(run)")
    #expect(run.lines.last?.contains("2024-05-14T08:00:5") == true, "\(run)")
    #expect(!run.output.contains("2024-05-10"), "\(run)")
  }

  /// Another run over the same recording, and an import of it, have fixes of the same times.
  @Test func tripIsExportedWithoutFixesOfOtherRuns() async throws {
    let store = try TestStore()
    for duration in ["3m", "5m"] {
      let part = try await store.command("watch", "--source", CommandRun.driveSource, "--duration", duration)
      #expect(part.code == 0, "\(part.errors)")
    }
    #expect(try await store.command("import", CommandRun.drive).code == 0)
    for trip in ["first", "second"] {
      let track = try await store.command(
        "track", "--source", CommandRun.driveSource, "--trip", trip, "--anew")
      #expect(track.code == 0, "\(track.errors)")
    }
    let short = try await store.command(
      "track", "--source", CommandRun.driveSource, "--trip", "short", "--anew", "--duration", "4m")
    #expect(short.code == 0, "\(short.errors)")
    for (trip, count) in [("first", 671), ("second", 671)] {
      let run = try await store.command("export", "--trip", trip, "--to", "jsonl")
      #expect(run.code == 0 && run.lines.count == count, "\(trip): \(run.lines.count) \(run.errors)")
    }
    let times = try await store.command("export", "--trip", "short", "--to", "jsonl").lines
    #expect(times.count > 100 && Set(times).count == times.count)
  }

  @Test func aSpanIsExported() async throws {
    let store = try await makeDriveStore()
    let run = try await store.command(
      "export", "--since", "2024-05-14T08:20:00Z", "--until", "2024-05-14T08:20:10Z", "--to", "geojson")
    #expect(run.code == 0 && run.output.contains("08:20:09") && !run.output.contains("08:20:10"))
    let none = try await store.command("export", "--today")
    #expect(none.code == 1 && none.output.isEmpty && none.errors == "whereabouts: no fix to write\n")
  }

  @Test func statedVisitsAreExportedOrReported() async throws {
    let store = try TestStore()
    let place = "<name>Café</name><Point><coordinates>13.4,52.5</coordinates></Point>"
    let span = "<TimeSpan><begin>2024-05-14T10:00:00Z</begin><end>2024-05-14T12:00:00Z</end></TimeSpan>"
    let text = "<kml><Document><Placemark>\(place)\(span)</Placemark></Document></kml>"
    let file = try store.folder.file("visits.kml", Array(text.utf8))
    #expect(try await store.command("import", file).errors.hasSuffix("1 of 1 stated visit kept\n"))
    let visit = try await store.command("export", "--to", "kml")
    #expect(visit.code == 0 && visit.output.contains("<name>Café</name>"), "\(visit.errors)")
    #expect(visit.output.contains("<begin>2024-05-14T10:00:00"), "\(visit.output)")
    #expect(try await store.command("export", "--to", "kml", "--since", "2024-05-14T12:00:01Z").code == 1)
    #expect(try await store.command("export", "--to", "jsonl").code == 1)
    let rows = "time,lat,lon\n2024-05-14T13:00:00Z,52.5,13.4\n"
    let fixes = try store.folder.file("walk.csv", Array(rows.utf8))
    #expect(try await store.command("import", fixes).code == 0)
    let lines = try await store.command("export", "--to", "jsonl")
    #expect(lines.code == 0 && lines.lines.count == 1 && lines.errors.contains("1 visit"), "\(lines.errors)")
  }

  @Test func existingFileIsNotReplacedWithoutForce() async throws {
    let store = try await makeDriveStore()
    let file = try store.folder.file("out.gpx", Array("mine".utf8))
    let refused = try await store.command("export", file)
    #expect(refused.code == 1 && refused.errors.contains("Pass --force to replace the file."))
    #expect(try await store.command("export", "--today", "--force", file).code == 1)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    #expect(try await store.command("export", "--force", file).code == 0)
    let unknown = try await store.command("export", "--trip", "Dri")
    #expect(
      unknown.code == 1 && unknown.errors == "whereabouts: no trip has the name Dri. Did you mean drive?\n")
    let other = try await store.command("trips", "walk")
    #expect(
      other.code == 1
        && other.errors.hasSuffix("the name walk. Run `whereabouts trips` to list the trips.\n"))
  }

  @Test func valuesThatTheFormatCannotHoldAreReported() async throws {
    let store = try TestStore()
    let rows = "time,lat,lon,vacc\n1975-01-01T00:00:00Z,1,1,9\n2024-01-01T10:00:00Z,1,1,9\n"
    let file = try store.folder.file("walk.csv", Array(rows.utf8))
    #expect(try await store.command("import", file).code == 0)
    let course = try await store.command("export", store.folder.path("out.fit"))
    #expect(
      course.code == 0 && course.errors.contains("left out, for which FIT has no place: ")
        && course.errors.contains("vertical accuracy of 1 fix")
        && course.errors.contains("1 fix without a usable time"), "\(course.errors)")
    let map = try await store.command("export", "--to", "geojson")
    #expect(
      map.code == 0 && map.errors.contains("speed, course, accuracy and quality of 2 fixes"),
      "\(map.errors)")
    #expect(try await store.command("export", "--to", "jsonl").errors.isEmpty)
  }
}
