import Foundation
import Testing

@Suite struct FenceStoreTests {
  @Test func addedFenceIsListedShownAndRemoved() async throws {
    let store = try TestStore()
    let added = try await store.fenceCommand(
      "add", "home", "--at", "51.4779,-0.0015", "--dwell", "10m", "--hours", "Mo-Fr 09:00-17:00", "--once",
      "--notify", "exit,dwell", "--property", "colour=red", "--name", "My home")
    #expect(added.code == 0)
    #expect(
      added.output
        == "home added: circle, 50 m around, stayed after 10 min 00 s, reports exit, dwell, once, reports at Mo-Fr 09:00-17:00\n"
    )
    #expect(!added.output.contains("51.4"))
    let list = try await store.fenceCommand("list")
    #expect(try list.lines.count == 1 && list.line(0).hasPrefix("home  My home  circle, 50 m around"))
    let shown = try await store.fenceCommand("show", "home")
    for text in ["51.477900,-0.001500", "colour = red", "reports exit, dwell", "not known"] {
      #expect(shown.output.contains(text), "\(text)")
    }
    #expect(try await store.fenceCommand("remove", "home").output == "1 fence removed\n")
    let empty = try await store.fenceCommand("list")
    #expect(
      empty.code == 0 && empty.output.isEmpty && empty.errors.contains("Run `whereabouts fence add`"))
  }

  @Test func storeIsReadableByOwnerOnly() async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun(
      ["fence", "add", "home", "--at", "1,2", "--store", folder.path("a/b/store.sqlite")])
    #expect(run.code == 0, "\(run.errors)")
    for (name, mode) in [("a", 0o700), ("a/b", 0o700), ("a/b/store.sqlite", 0o600)] {
      let permissions = try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions]
      #expect(permissions as? Int == mode, "\(name)")
    }
  }

  /// The refused name leaves nothing behind.
  @Test(arguments: [
    ["fence", "add", "home", "--at", "1,2"], ["fence", "remove", "home"], ["import", CommandRun.walk],
    ["watch", "--source", CommandRun.walkSource],
  ])
  func invalidDeviceIsRefusedBeforeTheStoreIsCreated(command: [String]) async throws {
    let store = try TestStore()
    let options = ["--device", "..", "--store", store.folder.path("new/store.sqlite")]
    let run = try await CommandRun(command + options)
    #expect(run.code == 2 && run.errors.contains("Pass --device with another name."), "\(run.errors)")
    #expect(try store.folder.names == [])
  }

  /// The path of a missing store may be mistyped.
  @Test(arguments: [
    ["fence", "remove", "home"], ["fence", "remove", "--all"], ["queue", "purge", "log"],
    ["queue", "remove", "log"], ["queue", "retry", "log"], ["places", "remove", "pa", "--device", "phone"],
  ])
  func removalFromAMissingStoreCreatesNoStore(command: [String]) async throws {
    let store = try TestStore()
    let run = try await CommandRun(command + ["--store", store.path])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors == "whereabouts: no store exists at \(store.path)\n")
    #expect(try store.folder.names == [])
  }

  @Test func duplicateIDIsRejected() async throws {
    let store = try TestStore()
    _ = try await store.fenceCommand("add", "home", "--at", "1,2")
    let before = try await store.fenceCommand("list", "--json").output
    let again = try await store.fenceCommand("add", "home", "--at", "3,4")
    #expect(again.code == 1)
    #expect(
      again.errors
        == "whereabouts: could not add home: a fence with this id exists. Pass --replace to replace the fence.\n"
    )
    #expect(try await store.fenceCommand("list", "--json").output == before)
    let replaced = try await store.fenceCommand("add", "home", "--at", "3,4", "--replace")
    #expect(replaced.output.hasPrefix("home replaced: "))
  }

  @Test(arguments: [
    (["--polygon", "51,0 51,0.01 51.01,0.01"], "polygon of 3 corners"),
    (["--corridor", "51,0 51.01,0", "--width", "40"], "corridor of 1.11 km, 40 m wide"),
    (["--at", "51,0", "--radius", "1.5km"], "circle, 1.50 km around"),
    (["--at", "51,0", "--expires", "8h"], "circle, 50 m around, until 20"),
  ])
  func typedShapesAreAccepted(place: [String], shape: String) async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun(["fence", "add", "x", "--store", folder.path("store.sqlite")] + place)
    #expect(run.code == 0 && run.output.contains(shape), "\(run.output)\(run.errors)")
  }

  @Test(arguments: [
    ([], "Pass one of"), (["--at", "91,0"], "--at"), (["--at", "1,2", "--here"], "can't be combined"),
    (["--corridor", "1,2 3,4"], "--corridor requires --width"),
    (["--at", "1,2", "--radius", "0"], "could not make the fence: radius is not more than 0"),
    (["--at", "1,2", "--width", "5"], "--corridor"),
    (["--polygon", "1,2 1,3"], "fewer than three different corners"),
    (["--at", "1,2", "--notify", "dwell"], "--dwell"),
    (["--at", "1,2", "--expires", "soon"], "Write a duration from now, as in 90d"),
    (["--at", "1,2", "--expires", "2020-01-01"], "'2020-01-01' lies in the past"),
    (["--at", "1,2", "--expires", "0s"], "'0s' lies in the past"),
    (["--at", "1,2", "--property", "radius=7"], "--property radius has the name of a term"),
    (["--at", "1,2", "--property", "once=true"], "--property once has the name of a term"),
    (["--at", "1,2", "--timeout", "5s"], "requires --here"),
    (["--at", "1,2", "--enter-confidence", "95"], "--enter-confidence"),
  ])
  func invalidFenceIsRejected(arguments: [String], message: String) async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun(["fence", "add", "x", "--store", folder.path("store.sqlite")] + arguments)
    #expect(run.code == 2 && run.errors.contains(message), "\(run.errors)")
    #expect(try folder.names == [])
  }

  @Test func hereNeedsAnAccurateFix() async throws {
    let store = try TestStore()
    let source = "replay:\(CommandRun.drive)?speed=max"
    let poor = try await store.fenceCommand("add", "car", "--here", "--source", source, "--timeout", "5s")
    #expect(
      poor.code == 3 && poor.errors.contains("No fence was added") && poor.errors.contains("was not reached"))
    #expect(!poor.errors.contains("51."))
    let good = try await store.fenceCommand("add", "car", "--here", "--source", source, "--timeout", "2m")
    #expect(good.code == 0 && good.output.hasPrefix("car added: circle, 50 m around, around a fix of ±"))
    #expect(try await store.fenceCommand("list").lines.count == 1)
  }

  @Test func hereNamesTheProblemOfEachSource() async throws {
    let store = try TestStore()
    let run = try await store.fenceCommand("add", "car", "--here", "--source", "nmea:/nowhere/ttyACM0")
    let problem = "could not open /nowhere/ttyACM0: there is no such device. Plug the receiver in."
    #expect(
      run.code == 6
        && run.errors.hasPrefix(
          """
          whereabouts: could not add a fence: no source delivers fixes
            nmea:/nowhere/ttyACM0: \(problem)

          """),
      "\(run.errors)")
    #expect(try await store.fenceCommand("list").lines.isEmpty)
  }

  @Test func exportedFencesImportUnchanged() async throws {
    let store = try TestStore(), other = try TestStore()
    #expect(try await store.fenceCommand("import", CommandRun.places).output == "6 fences added\n")
    let again = try await store.fenceCommand("import", CommandRun.places)
    #expect(again.code == 0 && again.output == "0 fences added, 6 there already\n")
    let file = store.folder.path("out.geojson")
    #expect(try await store.fenceCommand("export", file).code == 0)
    #expect(try await other.fenceCommand("import", file).output == "6 fences added\n")
    #expect(try await other.fenceCommand("export").output == store.fenceCommand("export").output)
    let one = try await store.fenceCommand("export", "--fence", "quay")
    #expect(one.output.contains("LineString") && !one.output.contains("Home"))
    let exists = try await store.fenceCommand("export", file)
    #expect(exists.code == 1 && exists.errors.contains("Pass --force to replace the file."))
  }

  /// Reading commands show the only device with data; fences are those of the given one.
  @Test func deviceWithoutFencesNamesTheDevicesWithData() async throws {
    let store = try TestStore()
    let run = try await store.command(
      "watch", "--count", "3", "--source", CommandRun.driveSource, "--device", "phone")
    #expect(run.code == 0, "\(run.errors)")
    let message = "device this has no data; the store has phone. Pass --device with one of them.\n"
    for command in [["list"], ["list", "--json"], ["events"], ["export"]] {
      let own = try await CommandRun(["fence"] + command + ["--store", store.path])
      #expect(own.code == 0 && own.errors.hasSuffix(message), "\(command): \(own.errors)")
      let phone = try await CommandRun(["fence"] + command + ["--store", store.path, "--device", "phone"])
      #expect(phone.code == 0 && !phone.errors.contains("has no data"), "\(command): \(phone.errors)")
    }
    let export = try await store.fenceCommand("export")
    #expect(export.output.contains("FeatureCollection") && export.errors.hasPrefix("no fences."))
  }

  /// Fences are data of a device, with or without fixes.
  @Test func deviceWithFencesAloneHasData() async throws {
    let store = try TestStore()
    let added = try await store.fenceCommand("add", "home", "--at", "1,2", "--device", "phone")
    #expect(added.code == 0, "\(added.errors)")
    let message = "device this has no data; the store has phone. Pass --device with one of them.\n"
    for command in ["list", "events"] {
      let own = try await store.fenceCommand(command)
      #expect(own.code == 0 && own.errors.hasSuffix(message), "\(command): \(own.errors)")
    }
    let run = try await store.command(
      "watch", "--count", "3", "--source", CommandRun.driveSource, "--device", "boat")
    #expect(run.code == 0, "\(run.errors)")
    let events = try await store.fenceCommand("events", "--device", "phone")
    #expect(events.code == 0 && events.errors.isEmpty, "\(events.errors)")
    let removed = try await store.fenceCommand("remove", "home", "--device", "phone")
    #expect(removed.code == 0, "\(removed.errors)")
    let list = try await store.fenceCommand("list", "--device", "phone")
    #expect(list.errors.contains("device phone has no data; the store has boat."), "\(list.errors)")
  }

  @Test func importSkipsInvalidFeatures() async throws {
    let store = try TestStore()
    _ = try await store.fenceCommand("add", "home", "--at", "1,2")
    let text = try String(contentsOfFile: CommandRun.places, encoding: .utf8)
      .replacing(#""radius":80"#, with: #""radius":"wide""#)
    let file = try store.folder.file("some.geojson", Array(text.utf8))
    let run = try await store.fenceCommand("import", file)
    #expect(run.code == 1 && run.output == "4 fences added, 1 left out\n")
    #expect(
      run.errors.contains("line 3") && run.errors.contains("(school)") && run.errors.contains("--replace"))
    #expect(
      try await store.fenceCommand("import", file, "--replace").output
        == "0 fences added, 1 replaced, 4 there already\n")
  }

  @Test func importSkipsFencesWithUnknownTimeZones() async throws {
    let store = try TestStore()
    func feature(_ id: String, _ zone: String) -> String {
      #"{"type":"Feature","id":"\#(id)","properties":{"radius":50,"activeHours":"Mo 08:00-09:00","timeZone":"\#(zone)"},"#
        + #""geometry":{"type":"Point","coordinates":[1,2]}}"#
    }
    let text = "\(feature("shop", "Europe/Nowhere"))\n\(feature("home", "Europe/Berlin"))\n"
    let file = try store.folder.file("zones.geojson", Array(text.utf8))
    let run = try await store.fenceCommand("import", file)
    #expect(run.code == 1 && run.output == "1 fence added\n")
    #expect(run.errors.contains("skipped shop: no time zone Europe/Nowhere"))
    #expect(try await store.fenceCommand("list").lines.map { $0.prefix(4) } == ["home"])
  }

  @Test func movedFenceHasNoSideUntilTheNextWatch() async throws {
    let store = try TestStore()
    _ = try await store.fenceCommand("import", CommandRun.places)
    _ = try await store.fenceCommand("watch", "--source", CommandRun.driveSource)
    #expect(try await store.fenceCommand("show", "depot").output.contains("Device  inside since"))
    _ = try await store.fenceCommand("add", "depot", "--at", "10,10", "--replace")
    #expect(try await store.fenceCommand("show", "depot").output.contains("Device  not known"))
    #expect(try await store.fenceCommand("list", "--json").lines.last?.contains(#""side":"unknown""#) == true)
  }

  @Test func unknownIDIsReportedWithSuggestion() async throws {
    let store = try TestStore()
    _ = try await store.fenceCommand("import", CommandRun.places)
    let run = try await store.fenceCommand("show", "Home")
    #expect(run.code == 1 && run.errors == "whereabouts: no fence has the id Home. Did you mean home?\n")
    let none = try await store.fenceCommand("remove", "home", "nowhere")
    #expect(
      none.code == 1
        && none.errors
          == "whereabouts: could not remove nowhere: no fence has this id. Known ids: airfield, depot, home, market, quay …\n"
    )
    #expect(try await store.fenceCommand("list").lines.count == 6)
    #expect(try await store.fenceCommand("remove", "airfield").code == 0)
    let five = try await store.fenceCommand("show", "nowhere")
    #expect(
      five.errors
        == "whereabouts: no fence has the id nowhere. Known ids: depot, home, market, quay, school.\n")
  }

  @Test func otherFileIsNotOpenedAsStore() async throws {
    let store = try TestStore()
    let junk = Data("this is no store, but somebody's only copy of something else".utf8)
    try junk.write(to: URL(filePath: store.path))
    for arguments in [
      ["list"], ["add", "home", "--at", "1,2"], ["watch", "--source", CommandRun.driveSource],
    ] {
      let run = try await CommandRun(["fence"] + arguments + ["--store", store.path])
      #expect(run.code == 1 && run.output.isEmpty && run.errors.contains("could not open"), "\(run.errors)")
    }
    #expect(try Data(contentsOf: URL(filePath: store.path)) == junk)
  }

  @Test func legacyFenceFileCanBeImported() async throws {
    let folder = try TemporaryFolder()
    let former = folder.path("fences.geojson")
    try FileManager.default.copyItem(atPath: CommandRun.places, toPath: former)
    let list = try await CommandRun(["fence", "list", "--store", folder.path("")])
    #expect(list.code == 0 && list.output.isEmpty)
    #expect(list.errors.contains("`whereabouts fence import \(former)`"), "\(list.errors)")
    let taken = try await CommandRun(["fence", "import", former, "--store", folder.path("")])
    #expect(taken.output == "6 fences added\n")
    let after = try await CommandRun(["fence", "list", "--store", folder.path("whereabouts.sqlite")])
    #expect(after.lines.count == 6 && after.errors.isEmpty)
  }

  @Test func concurrentAddsLoseNothing() async throws {
    let store = try TestStore()
    let path = store.path
    try await withThrowingTaskGroup(of: Int32.self) { group in
      for number in 0..<12 {
        group.addTask {
          // A command that has waited too long for the others says so, and has added nothing.
          while true {
            let run = try await CommandRun([
              "fence", "add", "f\(number)", "--at", "\(number),0", "--store", path,
            ])
            if !run.errors.contains("another program holds it") { return run.code }
          }
        }
      }
      for try await code in group { #expect(code == 0) }
    }
    #expect(try await store.fenceCommand("list").lines.count == 12)
    #expect(
      try store.folder.names.allSatisfy { $0.hasPrefix("store.sqlite") })
  }

  @Test func defaultStoreIsInXDGDataHome() async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun(
      shell: "XDG_DATA_HOME='\(folder.path("data"))' whereabouts fence add home --at 1,2")
    #expect(run.code == 0)
    #expect(FileManager.default.fileExists(atPath: folder.path("data/whereabouts/whereabouts.sqlite")))
    let home = try await CommandRun(
      shell: "unset XDG_DATA_HOME; HOME='\(folder.path("me"))' whereabouts fence add home --at 1,2")
    #expect(home.code == 0)
    #expect(
      FileManager.default.fileExists(atPath: folder.path("me/.local/share/whereabouts/whereabouts.sqlite")))
  }
}
