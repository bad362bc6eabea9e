import Foundation
import Testing
import WhereaboutsOperations
import WhereaboutsStore

@Suite struct StoreCheckTests {
  @Test func identicalFaultsAreOneLineWithTheirNumber() {
    var report = StoreCheckReport()
    let damaged = StoreFault(.file, "could not read s: it is damaged"), row = StoreFault(.row, "a row")
    report.faults = [damaged, row, damaged, damaged]
    let lines = StoreCheckText.lines(report, of: "s")
    #expect(lines.count == 3 && lines.last?.hasPrefix("4 faults; ") == true, "\(lines)")
    #expect(lines.prefix(2) == ["file: 3 times: could not read s: it is damaged", "row: a row"])
  }

  private func makeStore() async throws -> TestStore {
    let store = try TestStore()
    _ = try await store.fenceCommand("import", CommandRun.places)
    let run = try await store.command("track", "--source", CommandRun.driveSource, "--trip", "drive")
    #expect(run.code == 0, "\(run.errors)")
    return store
  }

  private func check(_ store: TestStore, _ more: String...) async throws -> CommandRun {
    try await CommandRun(["store", "check", "--store", store.path] + more)
  }

  @Test func intactStoreIsReportedAsWhole() async throws {
    let store = try await makeStore()
    let fixes = try await store.command("history", "--json", "--all", "--since", "2000-01-01").lines.count
    let run = try await check(store)
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.lines.count == 1 && run.output.contains(" is whole: \(fixes) fixes"), "\(run.output)")
    let json = try await check(store, "--json")
    #expect(json.code == 0 && json.lines.count == 1 && json.output.contains(#""whole":true,"faults":0"#))
  }

  /// Wherever the damage is: in pages of the history, or in those of the schema, which opening reads.
  @Test func damagedPageIsReportedWithARemedy() async throws {
    let store = try await makeStore()
    let whole = try Data(contentsOf: URL(filePath: store.path))
    for share in [0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7] {
      let damaged = Int(Double(whole.count / 4096) * share) * 4096
      try (whole[..<damaged] + Data(repeating: 0x5A, count: 4096) + whole[(damaged + 4096)...])
        .write(to: URL(filePath: store.path))
      let run = try await check(store)
      #expect(run.code == 1, "\(share): \(run.output)")
      #expect(run.lines.contains { $0.hasPrefix("file: ") }, "\(share): \(run.output)")
      #expect(!run.output.contains("*** in database"), "one line for each fault: \(run.output)")
      #expect(
        run.errors.contains("is damaged") && run.errors.contains(".dump"), "\(share): \(run.errors)")
      let json = try await check(store, "--json")
      #expect(json.code == 1 && json.output.contains(#""whole":false"#), "\(share): \(json.output)")
      #expect(json.lines.contains { $0.hasPrefix(#"{"fault":"file","message":"#) })
    }
  }

  /// The printed command, run as it stands, saves everything but the damaged pages.
  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to save the data with"))
  func remedyOfADamagedPageSavesTheRest() async throws {
    let store = try await makeStore()
    let fixes = try await store.command("history", "--json", "--all", "--since", "2000-01-01").lines.count
    let whole = try Data(contentsOf: URL(filePath: store.path))
    // Leaves of tables that are sorted by their keys, with many rows: those of the history.
    let leaves = (1..<whole.count / 4096).filter { page in
      let start = page * 4096
      return whole[start] == 0x0A && Int(whole[start + 3]) << 8 + Int(whole[start + 4]) >= 20
    }
    let damaged = try #require(leaves.dropFirst(leaves.count / 2).first) * 4096
    // A name that a shell needs quoted.
    let file = store.folder.path("it's.sqlite")
    try (whole[..<damaged] + Data(repeating: 0x5A, count: 4096) + whole[(damaged + 4096)...])
      .write(to: URL(filePath: file))
    let run = try await CommandRun(["store", "check", "--store", file])
    let dump = try #require(run.errors.split(separator: "`").first { $0.contains(".dump") }, "\(run.errors)")
    #expect(run.code == 1, "\(run)")
    let saved = store.folder.path("saved.sqlite")
    let remedy = try await CommandRun(
      shell: dump.replacingOccurrences(of: "sqlite3 NEW", with: "sqlite3 '\(saved)'"))
    #expect(remedy.code == 0 && remedy.errors.isEmpty, "\(remedy.errors)")
    #expect(try store.permissions("saved.sqlite") == 0o600)
    let again = try await CommandRun(["store", "check", "--store", saved])
    #expect(again.code == 0 && again.output.contains(" is whole"), "\(again.output)")
    let rest = try await CommandRun(["history", "--json", "--all", "--since", "2000-01-01", "--store", saved])
    #expect(rest.lines.count < fixes && rest.lines.count > fixes / 2, "\(rest.lines.count) of \(fixes)")
  }

  /// A dump lacks the devices between two damaged pages. The remedy's commands, in their order, save them.
  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to save the data with"))
  func remedyOfTwoDamagedPagesSavesTheDeviceBetweenThem() async throws {
    let folder = try TemporaryFolder(), store = folder.path("store.sqlite")
    let rows = (0..<3_000).map { "\(1_700_000_000 + $0 * 10),51,0.\(10_000 + $0)" }.joined(separator: "\n")
    let route = try folder.file("route.csv", Array("time,lat,lon\n\(rows)\n".utf8))
    for device in ["a", "b", "c"] {
      let run = try await CommandRun(["import", "--store", store, "--device", device, route])
      #expect(run.code == 0, "\(run.errors)")
    }
    var bytes = try Data(contentsOf: URL(filePath: store))
    // Leaves with many rows: those of the history, a third of them for each device in the order of the import.
    let leaves = (1..<bytes.count / 4096).filter { page in
      let start = page * 4096
      return bytes[start] == 0x0A && Int(bytes[start + 3]) << 8 + Int(bytes[start + 4]) >= 20
    }
    for leaf in [leaves[leaves.count / 6], leaves[leaves.count * 5 / 6]] {
      bytes.replaceSubrange(leaf * 4096..<(leaf + 1) * 4096, with: Data(repeating: 0x5A, count: 4096))
    }
    let damaged = folder.path("damaged.sqlite"), saved = folder.path("saved.sqlite")
    try bytes.write(to: URL(filePath: damaged))
    let check = try await CommandRun(["store", "check", "--store", damaged])
    let commands = check.errors.split(separator: "`").filter {
      $0.contains("NAME") || $0.contains(".dump") || $0.contains("--summary")
    }
    try #require(commands.count == 4, "\(check.errors)")
    var results: [CommandRun] = []
    for command in commands {
      let filled = command.replacingOccurrences(of: "NAME.jsonl", with: "'\(folder.path("b.jsonl"))'")
        .replacingOccurrences(of: "NAME", with: "b").replacingOccurrences(of: "NEW", with: "'\(saved)'")
      results.append(try await CommandRun(shell: filled))
    }
    #expect(results.allSatisfy { $0.code == 0 }, "\(results)")
    #expect(results[2].output.contains("b: 0 fixes"), "\(results[2].output)")
    #expect(results[3].errors.contains("3,000 kept, 0 duplicates"), "\(results[3].errors)")
  }

  /// Zeros in place of the first sector look like another file.
  @Test(arguments: [0, 16]) func damagedHeaderIsReportedAsPossible(start: Int) async throws {
    let store = try await makeStore()
    let whole = try Data(contentsOf: URL(filePath: store.path))
    try (whole[..<start] + Data(repeating: 0, count: 512 - start) + whole[512...])
      .write(to: URL(filePath: store.path))
    for run in [try await check(store), try await store.command("history")] {
      #expect(run.code == 1 && run.errors.contains("or its first bytes are damaged"), "\(run)")
    }
  }

  @Test func fileThatIsNoStoreIsReported() async throws {
    let store = try TestStore()
    try Data("a list of things to buy\n".utf8).write(to: URL(filePath: store.path))
    let run = try await check(store)
    #expect(
      run.code == 1 && run.output.hasPrefix("file: could not open ") && run.errors.contains("not a store"),
      "\(run.output)")
  }

  @Test(
    .enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to spoil the store with"),
    arguments: [
      ("UPDATE fix SET source = 'mars' WHERE seq = 7", "row: device this: 1 fix can't be understood"),
      ("UPDATE fix SET device = 99 WHERE seq < 5", "reference: table fix: 4 rows of no device"),
      ("UPDATE snapshot SET state = '{}'", "state: device this: could not read "),
      ("UPDATE fence SET fence = 'x'", "state: device this: "),
      (
        "UPDATE fix SET seq = 9 WHERE seq = 8",
        "number: device this: 1 fix has a number that another one has"
      ),
    ])
  func damagedRowIsReported(sql: String, fault: String) async throws {
    let store = try await makeStore()
    _ = try await CommandRun(shell: "sqlite3 '\(store.path)' \"\(sql)\"")
    let run = try await check(store)
    #expect(run.code == 1 && run.output.contains(fault), "\(sql): \(run.output)\(run.errors)")
  }

  /// The printed commands are about the store and the device that were checked.
  @Test(
    .enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to spoil the store with"),
    arguments: [
      ("UPDATE fix SET source = 'mars' WHERE seq = 7", "forget --events"),
      ("UPDATE snapshot SET state = '{}'", "fence watch --anew"),
    ])
  func remedyNamesTheStoreAndTheDevice(sql: String, command: String) async throws {
    let store = try TestStore()
    let run = try await store.command(
      "track", "--source", CommandRun.driveSource, "--trip", "drive", "--device", "phone")
    #expect(run.code == 0, "\(run.errors)")
    _ = try await CommandRun(shell: "sqlite3 '\(store.path)' \"\(sql)\"")
    let options = "--store \(store.path) --device phone"
    let errors = try await check(store).errors
    #expect(errors.contains("`whereabouts \(command) \(options)`"), "\(errors)")
    #expect(try await check(store, "--json").output.contains(#""device":"phone""#))
  }

  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to spoil the store with"))
  func commandsThatMeetAnUnreadableFixNameTheCheck() async throws {
    let store = try await makeStore()
    let sql = "UPDATE fix SET source = 'mars' WHERE seq = 7"
    _ = try await CommandRun(shell: "sqlite3 '\(store.path)' \"\(sql)\"")
    for command in [
      ["history", "--since", "2000-01-01"], ["days"], ["export", "--since", "2000-01-01", "-"],
    ] {
      let run = try await CommandRun(command + ["--store", store.path])
      #expect(
        run.code == 1 && run.errors.contains("`whereabouts store check --store \(store.path)`"),
        "\(command): \(run.errors)")
    }
    let check = try await check(store)
    #expect(!check.output.contains("store check"), "\(check.output)")
  }

  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to spoil the store with"))
  func remedyOfAPlaceErasesIt() async throws {
    let store = try await makeStore()
    let place = "INSERT INTO place (device, id, lat, lon, radius) VALUES (1, 'pa', 400, 1, 100)"
    _ = try await CommandRun(shell: "sqlite3 '\(store.path)' \"\(place)\"")
    let errors = try await check(store).errors
    #expect(
      errors.contains("a row with `whereabouts places remove pa --store \(store.path)`"), "\(errors)")
    #expect(!errors.contains("forget"), "\(errors)")
    #expect(try await store.command("places", "remove", "pa").code == 0)
    #expect(try await check(store).code == 0)
  }

  /// The device has no fixes and no visits.
  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to spoil the store with"))
  func remedyOfAPlaceOfADeviceWithoutAPastErasesIt() async throws {
    let store = try await makeStore()
    let place = "INSERT INTO place (device, id, lat, lon, radius) SELECT id, 'pa', 400, 1, 100 FROM device"
    let sql = "INSERT INTO device (name) VALUES ('phone'); \(place) WHERE name = 'phone'"
    _ = try await CommandRun(shell: "sqlite3 '\(store.path)' \"\(sql)\"")
    let errors = try await check(store).errors
    #expect(errors.contains("places remove pa --store \(store.path) --device phone`"), "\(errors)")
    let other = try await store.command("places", "remove", "pb", "--device", "phone")
    #expect(other.code == 1 && other.errors.contains("no place of device phone"), "\(other.errors)")
    let run = try await store.command("places", "remove", "pa", "--device", "phone")
    #expect(run.code == 0, "\(run.errors)")
    #expect(try await check(store).code == 0)
  }

  #if Server
    @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to spoil the store with"))
    func remedyOfAnAlertErasesNothing() async throws {
      let store = try await makeStore()
      let progress = "INSERT INTO alert_progress (alert, device, progress) VALUES ('school', 1, '{')"
      _ = try await CommandRun(shell: "sqlite3 '\(store.path)' \"\(progress)\"")
      let run = try await check(store)
      #expect(
        run.code == 1 && run.output.contains("row: device this: the progress of the alert school"), "\(run)")
      #expect(run.errors.contains("Erase nothing") && !run.errors.contains("forget"), "\(run.errors)")
    }
  #endif

  /// A reading command converts a file of an older form, and one that promises to change nothing does not.
  @Test func olderFormIsConvertedByReadingAlone() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("old.sqlite")
    let fixture = URL(filePath: #filePath)
      .appending(path: "../../../WhereaboutsStoreTests/Fixtures/store-5.sqlite").standardized
    try FileManager.default.copyItem(atPath: fixture.path, toPath: path)
    let before = FileManager.default.contents(atPath: path)
    for arguments in [["store", "check"], ["forget", "--before", "2024-01-01", "--dry-run"]] {
      let run = try await CommandRun(arguments + ["--store", path])
      #expect(
        run.code == 4 && run.errors.contains("Open it for writing once, as `whereabouts history` does"),
        "\(run.errors)")
    }
    #expect(FileManager.default.contents(atPath: path) == before)
    #expect(try await CommandRun(["history", "--store", path]).code == 0)
    let run = try await CommandRun(["store", "check", "--store", path])
    #expect(!run.errors.contains("Open it for writing once"), "\(run.errors)")
  }
}
