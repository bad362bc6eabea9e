import Foundation
import Testing

@Suite struct HistoryTests {
  /// A store with the fixes of the drive.
  private func makeDriveStore() async throws -> TestStore {
    let store = try TestStore()
    let run = try await store.command("watch", "--json", "--source", CommandRun.driveSource)
    #expect(run.code == 0 && run.lines.count > 600, "\(run.errors)")
    return store
  }

  @Test func storedFixesAreListedUnchanged() async throws {
    let store = try TestStore()
    let run = try await store.command(
      "watch", "--json", "--accuracy", "city", "--source", CommandRun.driveSource)
    let all = try await store.command("history", "--json", "--since", "2000-01-01")
    #expect(all.code == 0 && all.errors.isEmpty)
    #expect(Set(run.lines).isSubset(of: Set(all.lines)) && all.lines.count >= run.lines.count)
  }

  @Test func lastTwentyAreListedByDefault() async throws {
    let store = try await makeDriveStore()
    let last = try await store.command("history")
    #expect(last.code == 0 && last.lines.count == 20)
    #expect(last.lines.allSatisfy { $0.hasPrefix("2024-05-14 08:2") })
    #expect(last.lines == last.lines.sorted())
    let three = try await store.command("history", "--last", "3")
    #expect(three.lines == last.lines.suffix(3))
    let formatted = try await store.command("history", "--last", "2", "--format", "{lat:3},{lon:3}")
    #expect(try formatted.lines.count == 2 && formatted.line(0).hasPrefix("51."))
  }

  @Test func storedTimesAreMarkedAsUTC() async throws {
    let store = try TestStore()
    #expect(try await store.command("track", "--source", CommandRun.driveSource).code == 0)
    let history = try await store.command("history"), trips = try await store.command("trips")
    let time = #/^2024-05-14 08:2\d:\d\d UTC /#
    #expect(history.lines.count == 20 && history.lines.allSatisfy { $0.contains(time) })
    #expect(trips.lines.count == 1 && trips.output.contains(" 2024-05-14 08:15:06 UTC "), "\(trips.output)")
    // The list and the details of a trip state the same times under the same words.
    let name = try #require(trips.lines.first?.split(separator: " ").first)
    let details = try await store.command("trips", String(name)).output
    let elapsed = try #require(details.firstMatch(of: #/Elapsed +(.+)/#)?.1)
    let moving = try #require(details.firstMatch(of: #/Moving +(.+)/#)?.1)
    #expect(trips.output.contains("elapsed \(elapsed) ") && trips.output.contains("moving \(moving) "))
  }

  @Test func spanExcludesItsEnd() async throws {
    let store = try await makeDriveStore()
    let minute = try await store.command(
      "history", "--since", "2024-05-14T08:20:00Z", "--until", "2024-05-14T08:21:00Z", "--json")
    #expect(minute.lines.count == 60)
    #expect(minute.lines.allSatisfy { $0.hasPrefix(#"{"time":"2024-05-14T08:20:"#) })
    let none = try await store.command("history", "--today")
    #expect(none.code == 0 && none.output.isEmpty && none.errors == "no fixes in this time range\n")
  }

  @Test func unusedFixIsListedWithItsUse() async throws {
    let store = try TestStore()
    let lines = try String(contentsOfFile: CommandRun.walk, encoding: .utf8)
    #expect(lines.contains("<trkpt"))
    let track = """
      time,lat,lon,hacc
      2024-05-14T08:00:00Z,51,0,5
      2024-05-14T08:00:01Z,51.00001,0,5
      2024-05-14T08:00:03Z,51.00003,0,5
      2024-05-14T08:00:02Z,51.00002,0,5
      2024-05-14T08:00:04Z,51.00004,0,5

      """
    let file = try store.folder.file("track.csv", Array(track.utf8))
    #expect(try await store.command("watch", "--source", "replay:\(file)?speed=max").code == 0)
    let used = try await store.command("history", "--json")
    #expect(used.lines.count == 4 && !used.output.contains("use"))
    let all = try await store.command("history", "--json", "--all")
    #expect(try all.lines.count == 5 && all.line(2).contains(#""use":"late"}"#))
    #expect(try all.line(1).contains(#""use":"used"}"#))
    #expect(try await store.command("history", "--all").line(2).hasPrefix("late "))
    // Only the late fix is of this second.
    let span = ["--since", "2024-05-14T08:00:02Z", "--until", "2024-05-14T08:00:03Z"]
    let none = try await CommandRun(["history", "--store", store.path] + span)
    #expect(none.code == 0 && none.output.isEmpty)
    #expect(none.errors == "no fixes in this time range; --all lists the unused ones\n")
    let export = try await CommandRun(["export", "--store", store.path] + span)
    #expect(export.code == 1 && export.output.isEmpty)
    #expect(export.errors == "whereabouts: no fix to write; --all includes the unused ones\n")
    let whole = try await store.command("export")
    #expect(whole.code == 0 && whole.lines.count == 4)
    #expect(whole.errors == "\(store.path): left out: 1 unused fix, which --all includes\n")
    let unused = try await store.command("export", "--all")
    #expect(unused.lines.count == 5 && unused.errors.isEmpty)
  }

  @Test func lastFixIsShownWithItsAge() async throws {
    let store = try await makeDriveStore()
    let last = try await store.command("last")
    #expect(try last.code == 0 && last.line(0).hasPrefix("last seen "))
    #expect(try last.line(0).contains(" d ") && last.line(0).hasSuffix(" ago, at 2024-05-14 08:26:59 UTC"))
    for label in ["Place", "Height", "Moving", "Satellites", "Source"] {
      #expect(last.lines.contains { $0.hasPrefix(label) }, "\(label)")
    }
    let json = try await store.command("last", "--json")
    #expect(
      json.lines.count == 1 && json.output.hasPrefix(#"{"age":"#) && json.output.contains(#""fix":{"time""#))
    let history = try await store.command("history", "--last", "1", "--json")
    #expect(try json.output.contains(history.line(0)))
  }

  @Test func emptyStoreIsReported() async throws {
    let store = try TestStore()
    for command in ["history", "last", "trips", "export"] {
      let run = try await store.command(command)
      #expect(
        run.code == 1 && run.errors == "whereabouts: no store exists at \(store.path)\n")
    }
    _ = try await store.fenceCommand("add", "home", "--at", "1,2")
    let last = try await store.command("last")
    #expect(last.code == 1 && last.errors == "whereabouts: no fix is stored\n")
    let history = try await store.command("history")
    #expect(history.code == 0 && history.output.isEmpty && history.errors == "no fixes are stored\n")
    #expect(try await store.command("trips").code == 0)
    #expect(try await store.command("export").code == 1)
  }

  @Test func recordingIsStoredOnlyOnRequest() async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun(
      shell:
        "XDG_DATA_HOME='\(folder.path("data"))' whereabouts watch --count 3 --source '\(CommandRun.driveSource)'"
    )
    #expect(run.code == 0 && run.lines.count == 3)
    #expect(try folder.names == [])
  }

  @Test func summaryListsStoredData() async throws {
    let store = try await makeDriveStore()
    let text = try await store.command("history", "--summary")
    #expect(try text.code == 0 && text.line(0).hasPrefix("\(store.path): ") && text.line(0).hasSuffix("B"))
    #expect(text.output.contains("this device: ") && text.output.contains(" fixes"))
    #expect(text.output.contains("from 2024-05-14 08:15:0"))
    let json = try await store.command("history", "--summary", "--json")
    #expect(json.lines.count == 2 && json.output.contains(#""device":"this","fixes":"#))
    #expect(try json.line(1).contains(#""bytes":"#))
  }

  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to change the store with"))
  func summaryCountsTheFencesOfAServer() async throws {
    let store = try TestStore()
    #expect(try await store.command("fence", "import", CommandRun.places).code == 0)
    // As a server leaves them.
    let move = """
      INSERT INTO shared_fence (id, serial, fence)
      SELECT json_extract(fence, "$.id"), row_number() OVER (), fence FROM fence_edit; DELETE FROM fence_edit
      """
    let moved = try await CommandRun(shell: "sqlite3 '\(store.path)' '\(move)'")
    #expect(moved.code == 0, "\(moved.errors)")
    #expect(try await store.command("fence", "remove", "home").code == 0)
    #expect(try await store.fenceCommand("list").lines.count == 5)
    let text = try await store.command("history", "--summary")
    #expect(text.output.contains("this device: 0 fixes, 5 fences\n"), "\(text.output)")
  }

  @Test func summaryCountsFencesThatNoWatchHasSeen() async throws {
    let store = try TestStore()
    #expect(try await store.command("fence", "import", CommandRun.places).code == 0)
    #expect(try await store.command("fence", "remove", "home").code == 0)
    let text = try await store.command("history", "--summary")
    #expect(text.output.contains("this device: 0 fixes, 5 fences\n"), "\(text.output)")
    let json = try await store.command("history", "--summary", "--json")
    #expect(json.output.contains(#""fences":5,"#), "\(json.output)")
    #expect(try await store.command("fence", "watch", "--source", CommandRun.driveSource).code == 0)
    let watched = try await store.command("history", "--summary", "--json")
    #expect(watched.output.contains(#""fences":5,"#), "\(watched.output)")
  }

  @Test func devicesAreSeparate() async throws {
    let store = try TestStore()
    _ = try await store.command("watch", "--count", "5", "--source", CommandRun.driveSource)
    _ = try await store.command(
      "watch", "--count", "7", "--device", "boat", "--source", "replay:\(CommandRun.sail)?speed=max")
    #expect(
      try await store.command("history", "--device", "boat", "--json").output.contains("2024-05-14T08:1")
        == false)
    let summary = try await store.command("history", "--summary", "--json")
    #expect(summary.lines.count == 3)
    let nobody = try await store.command("last", "--device", "kite")
    #expect(nobody.code == 1)
    #expect(nobody.errors.contains("device kite has no data; the store has boat, this. Pass --device"))
  }

  @Test func onlyDeviceIsReadWithoutOption() async throws {
    let store = try TestStore()
    _ = try await store.command("import", "--device", "bike", CommandRun.walk)
    for command in [
      ["last"], ["history", "--json"], ["days"], ["places"], ["export"], ["repair"], ["power"],
    ] {
      let run = try await CommandRun(command + ["--store", store.path])
      let named = try await CommandRun(command + ["--store", store.path, "--device", "bike"])
      #expect(run.code == 0 && run.output == named.output, "\(command) \(run.errors)")
      if command != ["repair"] { #expect(!run.output.isEmpty, "\(command)") }
    }
    _ = try await store.command("import", "--device", "car", CommandRun.drive)
    let last = try await store.command("last")
    #expect(
      last.code == 2 && last.errors.contains("the store has bike, car. Pass --device"), "\(last.errors)")
    #expect(try await store.command("days", "--device", "nosuch").code == 1)
  }

  @Test(arguments: [
    ["history", "--last", "0"], ["history", "--today", "--since", "2024-05-14"],
    ["history", "--summary", "--all"],
    ["history", "--since", "2024-05-14", "--until", "2024-05-13"], ["history", "--since", "soon"],
    ["trips", "a", "--open"], ["export", "--trip", "a", "--today"], ["forget"], ["history", "--store", ""],
    ["forget", "--everything", "--trip", "a"],
    ["watch", "--store", "a", "--no-store", "--source", "replay:x"],
    ["track", "--trip", "a", "--source", "replay:x"],
    ["fence", "watch", "--no-store", "--source", "replay:x"],
  ])
  func invalidOptionsAreUsageErrors(arguments: [String]) async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun(
      shell: "cd '\(folder.path(""))' && whereabouts " + arguments.map { "'\($0)'" }.joined(separator: " "))
    #expect(
      run.code == 2 && run.output.isEmpty && run.errors.hasPrefix("Error: "), "\(arguments): \(run.errors)")
    #expect(try folder.names == [])
  }
}
