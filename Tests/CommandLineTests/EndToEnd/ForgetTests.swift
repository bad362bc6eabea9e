import Foundation
import Testing

@Suite struct ForgetTests {
  private func makeStore() async throws -> TestStore {
    let store = try TestStore()
    _ = try await store.fenceCommand("import", CommandRun.places)
    let run = try await store.command("track", "--source", CommandRun.driveSource, "--trip", "drive")
    #expect(run.code == 0, "\(run.errors)")
    return store
  }

  private func count(_ store: TestStore) async throws -> Int {
    try await store.command("history", "--json", "--since", "2000-01-01").lines.count
  }

  @Test func onlyTheRequestedSpanIsErased() async throws {
    let store = try await makeStore()
    let all = try await count(store)
    let dry = try await store.command("forget", "--before", "2024-05-14T08:20:00Z", "--dry-run")
    #expect(dry.code == 0 && dry.output.hasPrefix("would erase ") && dry.output.contains(" fixes"))
    #expect(try await count(store) == all)
    let done = try await store.command("forget", "--before", "2024-05-14T08:20:00Z", "--yes")
    #expect(done.code == 0 && done.output.hasSuffix(" erased\n"), "\(done.errors)")
    #expect(done.output.dropLast(8) == dry.output.dropFirst(12).dropLast(1))
    let left = try await store.command("history", "--json", "--since", "2000-01-01")
    #expect(try left.lines.count < all && left.line(0).hasPrefix(#"{"time":"2024-05-14T08:20:00"#))
    let again = try await store.command("forget", "--before", "2024-05-14T08:20:00Z", "--yes")
    #expect(again.code == 0 && again.output.isEmpty && again.errors == "nothing to erase\n")
    #expect(try await store.fenceCommand("list").lines.count == 6)
  }

  /// Reading commands show the only device with data, and an erasure needs its name.
  @Test func erasureOfADeviceWithoutDataNamesTheOthers() async throws {
    let store = try TestStore()
    let drive = try await store.command(
      "track", "--source", CommandRun.driveSource, "--trip", "drive", "--device", "phone")
    #expect(drive.code == 0, "\(drive.errors)")
    let all = try await count(store)
    #expect(all > 600)
    for (device, option) in [("this", []), ("Phone", ["--device", "Phone"])] as [(String, [String])] {
      let message = "device \(device) has no data; the store has phone. Pass --device with one of them.\n"
      for selection in [["--before", "2025-01-01"], ["--events"], ["--thin", "10m"]] {
        let run = try await CommandRun(["forget", "--yes", "--store", store.path] + selection + option)
        #expect(run.code == 0 && run.errors == "nothing to erase: \(message)", "\(selection): \(run)")
      }
      let trip = try await CommandRun(["forget", "--yes", "--store", store.path, "--trip", "drive"] + option)
      #expect(trip.code == 1 && trip.errors.hasSuffix("name drive: \(message)"), "\(trip.errors)")
    }
    #expect(try await count(store) == all)
  }

  /// A row that can't be read must not prevent its own erasure.
  @Test(
    .enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to spoil the store with"),
    arguments: [
      ("UPDATE fix SET source = 'mars' WHERE seq = 7", ["--before", "2024-05-14T08:20:00Z"]),
      ("UPDATE fence_record SET kind = 'x', manner = 'y'", ["--events"]),
      ("UPDATE fence_edit SET fence = '{'", ["--everything"]),
      ("INSERT INTO shared_fence (id, serial, fence) VALUES ('school', 3, '{}')", ["--everything"]),
    ])
  func damagedRowsCanBeErased(sql: String, selection: [String]) async throws {
    let store = try await makeStore()
    _ = try await store.fenceCommand("watch", "--source", CommandRun.driveSource, "--anew")
    _ = try await store.fenceCommand("add", "extra", "--at", "51.5,0.1", "--radius", "80")
    _ = try await CommandRun(shell: "sqlite3 '\(store.path)' \"\(sql)\"")
    #expect(try await CommandRun(["store", "check", "--store", store.path]).code == 1, "\(sql)")
    let run = try await CommandRun(["forget"] + selection + ["--yes", "--store", store.path])
    #expect(run.code == 0 && run.output.hasSuffix(" erased\n"), "\(sql): \(run)")
    let check = try await CommandRun(["store", "check", "--store", store.path])
    #expect(check.code == 0, "\(sql): \(check)")
  }

  /// The distance ahead of an open trip needs the newest fixes; its erasure does not.
  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to spoil the store with"))
  func damagedFixesOfAnOpenTripCanBeErased() async throws {
    var store = try TestStore(), isOpen = false
    let isReplayed = "SELECT max(seq) - snapshot_seq > 5 FROM fix, device"
    // Between the look and the kill the program may store another snapshot.
    for _ in 0..<20 where !isOpen {
      store = try TestStore()
      _ = try await CommandRun.killed(
        ["track", "--trip", "open", "--store", store.path], on: CommandRun.drive, bytes: 150_000,
        when: "[ \"$(sqlite3 -readonly '\(store.path)' '\(isReplayed)' 2>/dev/null)\" = 1 ]")
      isOpen = try await CommandRun(shell: "sqlite3 '\(store.path)' '\(isReplayed)'").lines == ["1"]
    }
    let spoiled = try await CommandRun(
      shell: "sqlite3 '\(store.path)' \"UPDATE fix SET source = 'mars'; \(isReplayed)\"")
    #expect(spoiled.code == 0 && spoiled.lines == ["1"], "\(spoiled)")
    let trips = try await store.command("trips")
    #expect(trips.code == 0 && trips.output.hasPrefix("open"), "\(trips)")
    let run = try await store.command("forget", "--since", "2024-01-01", "--yes")
    #expect(run.code == 0 && run.output.hasSuffix(" erased\n"), "\(run)")
    #expect(try await store.command("store", "check").code == 0)
  }

  @Test func erasureRequiresConfirmation() async throws {
    let store = try await makeStore()
    let all = try await count(store)
    let run = try await store.command("forget", "--everything")
    #expect(run.code == 2 && run.errors.contains("Pass --yes to confirm."), "\(run.errors)")
    #expect(try await count(store) == all)
  }

  @Test(
    .enabled(if: CommandRun.hasTerminals, "there is no `script` to make a terminal with"),
    arguments: ["n", "y"])
  func terminalAsksForConfirmation(answer: String) async throws {
    let store = try await makeStore()
    let run = try await CommandRun(
      shell: """
        echo \(answer) | script -qec "'\(CommandRun.binary.path())' forget --trip drive --store '\(store.path)'" /dev/null
        """)
    #expect(run.output.contains("Erase 1 trip permanently? [y/N]"), "\(run.output)")
    #expect(try await store.command("trips").lines.count == (answer == "y" ? 0 : 1))
  }

  @Test func forgettingATripRetainsItsFixes() async throws {
    let store = try await makeStore()
    let all = try await count(store)
    let run = try await store.command("forget", "--trip", "drive", "--yes", "--json")
    #expect(run.output == "{\"forgotten\":true,\"fixes\":0,\"events\":0,\"trips\":1,\"fences\":0}\n")
    #expect(try await store.command("trips").output.isEmpty)
    #expect(try await count(store) == all)
    let unknown = try await store.command("forget", "--trip", "drive", "--yes")
    #expect(unknown.code == 1 && unknown.errors.contains("no trip has the name drive. There are no trips."))
  }

  @Test func storeWithoutDataHasNothingToErase() async throws {
    let store = try await makeStore()
    let first = try await store.command("forget", "--everything", "--yes")
    #expect(first.code == 0 && first.output.hasSuffix(" erased\n"), "\(first.errors)")
    let again = try await store.command("forget", "--everything", "--yes")
    #expect(again.code == 0 && again.output.isEmpty && again.errors == "nothing to erase\n", "\(again)")
    let json = try await store.command("forget", "--everything", "--yes", "--json")
    #expect(json.code == 0 && json.output.hasPrefix(#"{"forgotten":true,"fixes":0,"#), "\(json)")
  }

  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to change the store with"))
  func unfinishedErasureOfAStoreWithoutDataIsNamed() async throws {
    let store = try TestStore()
    #expect(try await store.fenceCommand("add", "home", "--at", "1,2").code == 0)
    #expect(try await store.command("forget", "--everything", "--yes").output == "1 fence erased\n")
    // As a killed process leaves it.
    let pending = try await CommandRun(
      shell: "sqlite3 '\(store.path)' \"INSERT INTO erasure (scope) VALUES ('log')\"")
    #expect(pending.code == 0, "\(pending.errors)")
    let run = try await store.command("forget", "--everything", "--yes")
    let message = "nothing else to erase; the erasure of an earlier run is complete\n"
    #expect(run.code == 0 && run.output.isEmpty && run.errors == message, "\(run)")
    let check = try await store.command("store", "check")
    #expect(check.code == 0 && !check.output.contains("unfinished"), "\(check)")
  }

  @Test func thinningKeepsTrackWithinTolerance() async throws {
    let store = try await makeStore()
    let all = try await count(store)
    let run = try await store.command("forget", "--thin", "10m", "--yes")
    #expect(run.code == 0 && run.output.hasSuffix(" fixes erased\n"), "\(run.errors)")
    let left = try await count(store)
    #expect(left < all / 2 && left > 10)
    let again = try await store.command("forget", "--thin", "0.001", "--yes")
    #expect(again.code == 0 && again.output.isEmpty && again.errors == "nothing to erase\n")
    #expect(try await store.command("trips").lines.count == 1)
  }

  @Test func erasedDataIsOverwrittenInFile() async throws {
    let store = try await makeStore()
    _ = try await store.fenceCommand("add", "secret-place", "--at", "51.5,0.1")
    let file = try Data(contentsOf: URL(filePath: store.path))
    #expect(file.range(of: Data("secret-place".utf8)) != nil)
    let run = try await store.command("forget", "--everything", "--yes")
    #expect(run.code == 0 && run.output.contains("7 fences"), "\(run.errors)\(run.output)")
    for name in try store.folder.names {
      let bytes = try Data(contentsOf: URL(filePath: store.folder.path(name)))
      #expect(bytes.range(of: Data("secret-place".utf8)) == nil, "\(name)")
    }
    // A small store has no reserve.
    #expect(try !store.folder.names.contains("store.sqlite-reserve"))
    #expect(try await store.fenceCommand("list").lines.isEmpty)
    #expect(try await store.command("last").code == 1)
  }

  @Test func forgetIsRejectedDuringWatch() async throws {
    let store = try await makeStore()
    let pipe = store.folder.path("pipe"), binary = CommandRun.binary.path()
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        '\(binary)' watch --store '\(store.path)' --source 'replay:\(pipe)?speed=max' > '\(pipe).out' &
        exec 3> '\(pipe)'
        cat '\(CommandRun.walk)' >&3
        wait_for $! test -s '\(store.path)-lock'
        '\(binary)' forget --everything --yes --store '\(store.path)'
        echo "code $?"
        exec 3>&-
        wait
        """)
    #expect(run.output == "code 1\n" && run.errors.contains("could not use "), "\(run.errors)")
  }

  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to read the store with"))
  func secondRunFinishesErasureBlockedByReader() async throws {
    let store = try TestStore(), secret = Data("secret-place".utf8)
    _ = try await store.fenceCommand("add", "secret-place", "--at", "51.5,0.1")
    let pipe = store.folder.path("pipe"), binary = CommandRun.binary.path()
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        sqlite3 '\(store.path)' < '\(pipe)' > '\(pipe).out' &
        exec 3> '\(pipe)'
        echo 'BEGIN; SELECT count(*) FROM fence_edit;' >&3
        wait_for $! test -s '\(pipe).out'
        '\(binary)' forget --everything --device this --yes --store '\(store.path)'
        echo "code $?"
        exec 3>&-
        wait
        rm '\(pipe)'
        """)
    #expect(run.output == "code 1\n" && run.errors.contains("another program is reading"), "\(run.errors)")
    let again = try await store.command("forget", "--everything", "--device", "this", "--yes")
    #expect(again.code == 0, "\(again.errors)")
    for name in try store.folder.names {
      let bytes = try Data(contentsOf: URL(filePath: store.folder.path(name)))
      #expect(bytes.range(of: secret) == nil, "\(name)")
    }
  }
}
