import Dispatch
import Foundation
import Testing

/// A store that can't be used, or not for now.
@Suite struct StoreFailureTests {
  /// Whether a small disk can be created, which requires root.
  private static let canMount: Bool = {
    guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "mount -t tmpfs -o size=1m tmpfs '\(folder.path(""))' 2>/dev/null && umount '\(folder.path(""))'",
    ]
    // `waitUntilExit` may spin forever on a thread of the tests' pool.
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    guard (try? process.run()) != nil else { return false }
    ended.wait()
    return process.terminationStatus == 0
  }()

  @Test func commandBesideARunningOneNamesAllWaysOut() async throws {
    let store = try TestStore(), pipe = store.folder.path("pipe")
    // The first command reads the pipe once it has claimed the device.
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        '\(CommandRun.binary.path())' watch --source 'replay:\(pipe)?speed=max' --store '\(store.path)' >/dev/null &
        exec 3> '\(pipe)'
        cat '\(CommandRun.drive)' >&3
        whereabouts track --source '\(CommandRun.driveSource)' --store '\(store.path)' 3>&-
        code=$?
        kill $!
        wait $!
        exit $code
        """)
    #expect(run.code == 1, "\(run)")
    #expect(
      run.errors.contains(
        "(whereabouts watch) uses it for the same device; end that first. Pass --store or --device to use another "
          + "store or device, or --no-store to store nothing."), "\(run.errors)")
  }

  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to hold the store with"))
  func lockedStoreDoesNotStopWatch() async throws {
    let store = try TestStore()
    _ = try await store.fenceCommand("import", CommandRun.places)
    let pipe = store.folder.path("pipe"), errors = store.folder.path("errors")
    let binary = CommandRun.binary.path()
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)' '\(pipe)-sql'
        '\(binary)' fence watch --store '\(store.path)' --json --source 'replay:\(pipe)?speed=max' 2>'\(errors)' &
        watch=$!
        exec 3> '\(pipe)'
        head -c 30000 '\(CommandRun.drive)' >&3
        wait_for $watch '\(binary)' last --store '\(store.path)'
        sqlite3 '\(store.path)' < '\(pipe)-sql' >'\(pipe)-held' &
        holder=$!
        exec 4> '\(pipe)-sql'
        printf '.timeout 3600000\\nBEGIN IMMEDIATE;\\nSELECT 1;\\n' >&4
        wait_for $holder grep -q 1 '\(pipe)-held'
        tail -c +30001 '\(CommandRun.drive)' | head -c 90000 >&3
        wait_for $watch grep -q 'could not store records' '\(errors)'
        echo 'ROLLBACK;' >&4
        exec 4>&-
        wait $holder
        tail -c +120001 '\(CommandRun.drive)' >&3
        exec 3>&-
        wait $watch
        code=$?
        cat '\(errors)' >&2
        echo "code $code"
        """)
    #expect(run.lines.last == "code 0", "\(run.errors)")
    #expect(
      run.errors.components(separatedBy: "could not store records: could not").count == 2, "\(run.errors)")
    #expect(run.errors.components(separatedBy: "the store works again").count == 2, "\(run.errors)")
    let calm = try TestStore()
    _ = try await calm.fenceCommand("import", CommandRun.places)
    let whole = try await calm.fenceCommand("watch", "--json", "--source", CommandRun.driveSource)
    #expect(run.lines.dropLast() == whole.lines[...])
    #expect(
      try await store.fenceCommand("events", "--json").output == calm.fenceCommand("events", "--json").output)
    let all = ["--json", "--since", "2000-01-01", "--store"]
    #expect(
      try await CommandRun(["history"] + all + [store.path]).output
        == CommandRun(["history"] + all + [calm.path]).output)
  }

  @Test(
    .enabled(
      if: canMount && CommandRun.hasSQLite, "there is no sqlite3, or no way to make a small disk here"),
    arguments: [true, false])
  func fullDiskDoesNotStopWatch(isFreedInTime: Bool) async throws {
    let folder = try TemporaryFolder()
    let disk = folder.path("disk"), pipe = folder.path("pipe"), errors = folder.path("errors")
    let binary = CommandRun.binary.path()
    let store = "\(disk)/store.sqlite"
    let free = "rm '\(disk)/other'"
    let run = try await CommandRun(
      shell: """
        saved() { '\(binary)' history --json --since 2000-01-01 --store '\(store)' | wc -l; }
        has_saved() { [ "$(saved)" -ge "$1" ]; }
        checkpoint() { sqlite3 '\(store)' 'PRAGMA wal_checkpoint(TRUNCATE)' | grep -q '^0'; }
        mkdir '\(disk)' && mount -t tmpfs -o size=8m tmpfs '\(disk)' || exit 9
        trap "umount '\(disk)'" EXIT
        mkfifo '\(pipe)'
        '\(binary)' fence import --store '\(store)' '\(CommandRun.places)' >/dev/null
        '\(binary)' fence watch --store '\(store)' --json --source 'replay:\(pipe)?speed=max' 2>'\(errors)' &
        watch=$!
        exec 3> '\(pipe)'
        head -c 30000 '\(CommandRun.drive)' >&3
        # All but the last instant, which waits for the next one: the log must not grow before the disk is full, nor have
        # room that could be used again.
        fixes=$(head -c 30000 '\(CommandRun.drive)' | grep -c 'RMC,[^,]*,A')
        wait_for $watch has_saved $((fixes - 1))
        wait_for $watch checkpoint
        cat /dev/zero > '\(disk)/other' 2>/dev/null
        tail -c +30001 '\(CommandRun.drive)' | head -c 150000 >&3
        wait_for $watch grep -q 'could not store records' '\(errors)'
        \(isFreedInTime ? free : ":")
        tail -c +180001 '\(CommandRun.drive)' >&3
        exec 3>&-
        wait $watch
        code=$?
        cat '\(errors)' >&2
        echo "code $code"
        \(isFreedInTime ? ":" : free)
        saved
        """)
    let lines = run.lines.filter { $0.hasPrefix("{") }
    let calm = try TestStore()
    _ = try await calm.fenceCommand("import", CommandRun.places)
    let whole = try await calm.fenceCommand("watch", "--json", "--source", CommandRun.driveSource)
    #expect(lines == whole.lines, "\(run.errors)")
    #expect(
      run.errors.components(separatedBy: "could not store records: could not write").count == 2,
      "\(run.errors)")
    #expect(run.errors.contains("the disk is full"))
    let kept = run.lines.last.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    if isFreedInTime {
      #expect(run.lines.contains("code 0") && run.errors.contains("the store works again"), "\(run.errors)")
      #expect(try await kept == calm.command("history", "--json", "--since", "2000-01-01").lines.count)
    } else {
      #expect(
        run.lines.contains("code 1") && run.errors.contains("the last records were not stored"),
        "\(run.errors)")
      #expect(kept < 600)
    }
  }

  /// Commands of the shell that make a disk of a size, which ends with the shell.
  private static func smallDisk(_ size: String, at disk: String) -> String {
    """
    mkdir '\(disk)' && mount -t tmpfs -o size=\(size) tmpfs '\(disk)' || exit 9
    trap "umount '\(disk)'" EXIT
    """
  }

  /// A command of the shell that writes fixes of an hour as CSV: `route 9000 > FILE`.
  private static let route = """
    route() { awk -v n=$1 'BEGIN { print "time,lat,lon"
      for (i = 0; i < n; i++)
        printf "2022-01-%02dT%02d:%02d:%02dZ,%.6f,8\\n", 1 + i / 86400, i / 3600 % 24, i / 60 % 60, i % 60, 47 + i / 1e5
    }'; }
    """

  @Test(.enabled(if: canMount, "no way to make a small disk here"))
  func fullDiskIsReadAndErased() async throws {
    let folder = try TemporaryFolder()
    let disk = folder.path("disk"), binary = CommandRun.binary.path()
    let store = "\(disk)/store.sqlite"
    let run = try await CommandRun(
      shell: """
        \(Self.route)
        \(Self.smallDisk("3m", at: disk))
        '\(binary)' watch --store '\(store)' --source '\(CommandRun.driveSource)' >/dev/null
        cat /dev/zero > '\(disk)/other' 2>/dev/null
        '\(binary)' history --summary --store '\(store)' >/dev/null && echo read
        route 30000 > '\(folder.path("route.csv"))'
        '\(binary)' import '\(folder.path("route.csv"))' --store '\(store)' || echo "not imported"
        cat /dev/zero >> '\(disk)/other' 2>/dev/null
        '\(binary)' watch --store '\(store)' --source '\(CommandRun.driveSource)' >/dev/null 2>&1
        '\(binary)' history --summary --store '\(store)' >/dev/null && echo "read again"
        '\(binary)' forget --before 2024-05-14T08:20:00Z --yes --store '\(store)'
        """)
    #expect(run.lines == ["read", "not imported", "read again", "294 fixes erased"], "\(run.errors)")
  }

  /// An import may store a part of a file before the disk is full.
  @Test(.enabled(if: canMount, "no way to make a small disk here"))
  func importOntoAFullDiskStatesTheStoredFixes() async throws {
    let folder = try TemporaryFolder()
    let disk = folder.path("disk"), route = folder.path("route.csv"), store = "\(disk)/store.sqlite"
    let run = try await CommandRun(
      shell: """
        \(Self.route)
        \(Self.smallDisk("4m", at: disk))
        route 60000 > '\(route)'
        whereabouts import --device bike --json '\(route)' --store '\(store)'
        echo "code $?"
        whereabouts history --json --since 2000-01-01 --device bike --store '\(store)' | wc -l
        mount -o remount,size=32m '\(disk)'
        whereabouts import --device bike '\(route)' --store '\(store)'
        """)
    #expect(run.lines.count == 5 && run.lines[2] == "code 1", "\(run)")
    let stored = try #require(run.lines.dropFirst(3).first.flatMap { Int($0.filter(\.isNumber)) })
    #expect(stored > 0 && stored < 60_000)
    #expect(run.lines[..<2].allSatisfy { $0.contains("\"kept\":\(stored),") }, "\(run.lines)")
    // Without the commas between thousands.
    let errors = run.errors.replacing(",", with: ""), last = run.lines.last?.replacing(",", with: "") ?? ""
    #expect(
      errors.contains(
        "stopped: \(stored) kept 0 duplicates 0 refused. The kept points are stored. Run the same"),
      "\(run.errors)")
    #expect(last.hasPrefix("bike: \(60_000 - stored) kept \(stored) duplicates"), "\(last)")
  }

  /// A copy has no reserve.
  @Test(.enabled(if: canMount, "no way to make a small disk here"))
  func fullDiskWithoutReserveIsReported() async throws {
    let folder = try TemporaryFolder()
    let disk = folder.path("disk"), store = "\(disk)/store.sqlite"
    let run = try await CommandRun(
      shell: """
        \(Self.smallDisk("3m", at: disk))
        whereabouts watch --store '\(store)' --source '\(CommandRun.driveSource)' >/dev/null
        rm -f '\(store)-reserve' '\(store)-wal' '\(store)-shm'
        cat /dev/zero > '\(disk)/other' 2>/dev/null
        whereabouts forget --before 2024-05-14T08:20:00Z --yes --store '\(store)'
        echo "code $?"
        rm '\(disk)/other'
        whereabouts forget --before 2024-05-14T08:20:00Z --yes --store '\(store)'
        """)
    #expect(run.lines == ["code 1", "294 fixes erased"], "\(run)")
    #expect(
      run.errors.contains("Free a megabyte") && !run.errors.contains("works on a full disk"), "\(run.errors)")
  }

  /// The file is shortened on a full disk, too, although its pages are moved in the log, which has only the reserve.
  @Test(.enabled(if: canMount, "no way to make a small disk here"))
  func fullDiskGetsItsRoomBack() async throws {
    let folder = try TemporaryFolder()
    let disk = folder.path("disk"), route = folder.path("route.csv"), store = "\(disk)/store.sqlite"
    let run = try await CommandRun(
      shell: """
        \(Self.route)
        \(Self.smallDisk("8m", at: disk))
        route 20000 > '\(route)'
        whereabouts import '\(route)' --device first --store '\(store)' >/dev/null 2>&1
        whereabouts import '\(route)' --device second --store '\(store)' >/dev/null 2>&1
        before=$(wc -c < '\(store)')
        cat /dev/zero > '\(disk)/other' 2>/dev/null
        whereabouts forget --everything --device first --yes --store '\(store)'
        echo "code $?"
        [ $((before - $(wc -c < '\(store)'))) -gt 1000000 ] && echo shorter
        rm '\(disk)/other'
        whereabouts store check --store '\(store)'
        """)
    #expect(Array(run.lines.prefix(3)) == ["20,000 fixes erased", "code 0", "shorter"], "\(run)")
    #expect(run.lines.last?.hasSuffix("is whole: 20,000 fixes and 0 events") == true, "\(run)")
  }

  @Test(.enabled(if: canMount, "no way to make a small disk here"))
  func liveCommandsStartOnFullDisk() async throws {
    let folder = try TemporaryFolder()
    let disk = folder.path("disk"), binary = CommandRun.binary.path()
    let rest = "--store '\(disk)/store.sqlite' --source '\(CommandRun.driveSource)'"
    let run = try await CommandRun(
      shell: """
        \(Self.smallDisk("1m", at: disk))
        '\(binary)' fence import '\(CommandRun.places)' --store '\(disk)/store.sqlite' >/dev/null
        cat /dev/zero > '\(disk)/other' 2>/dev/null
        echo "fixes $('\(binary)' watch \(rest) | wc -l)"
        echo "events $('\(binary)' fence watch --json \(rest) | wc -l)"
        '\(binary)' track --no-store --source '\(CommandRun.walkSource)' --save '\(disk)/way.gpx' | tail -n 1
        """)
    let calm = try TestStore()
    _ = try await calm.fenceCommand("import", CommandRun.places)
    let events = try await calm.fenceCommand("watch", "--json", "--source", CommandRun.driveSource)
    let track = try await CommandRun(["track", "--source", CommandRun.walkSource])
    #expect(run.lines.contains("events \(events.lines.count)"), "\(run)")
    #expect(!run.lines.contains("fixes 0") && run.lines.last == track.lines.last, "\(run)")
    #expect(run.errors.components(separatedBy: "nothing of this run is stored").count == 3, "\(run.errors)")
    #expect(run.errors.components(separatedBy: "; continuing").count == 2, "\(run.errors)")
    #expect(run.errors.contains("not all points were saved"), "\(run.errors)")
  }

  @Test(.enabled(if: canMount, "no way to make a small disk here"))
  func failedImportLeavesRoomForErasing() async throws {
    let folder = try TemporaryFolder()
    let disk = folder.path("disk"), binary = CommandRun.binary.path()
    let run = try await CommandRun(
      shell: """
        \(Self.route)
        \(Self.smallDisk("600k", at: disk))
        route 9000 > '\(folder.path("route.csv"))'
        '\(binary)' import '\(folder.path("route.csv"))' --store '\(disk)/store.sqlite' 2>/dev/null || echo failed
        ls '\(disk)'
        '\(binary)' forget --everything --yes --store '\(disk)/store.sqlite'
        """)
    #expect(run.code == 0 && run.lines.prefix(2) == ["failed", "store.sqlite"], "\(run)")
    // The failed import may leave the name of its device.
    #expect(
      run.lines.dropFirst(2) == ["0 fixes erased"]
        || run.lines.count == 2 && run.errors.hasSuffix("nothing to erase\n"), "\(run)")
  }

  /// The commands of docs/store.md, run as they stand, restore a copy over a store whose process was killed. The log of
  /// the old file would damage the copy.
  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to make a copy with"))
  func documentedCommandsRestoreACopy() async throws {
    let document = URL(filePath: #filePath).appending(path: "../../../../docs/store.md").standardized
    let text = try String(contentsOf: document, encoding: .utf8)
    let section = try #require(
      text.components(separatedBy: "\n## Copies\n").last?.components(separatedBy: "\n## ").first)
    let blocks = section.components(separatedBy: "```sh\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    try #require(blocks.count == 2)
    let folder = try TemporaryFolder(), store = folder.path("whereabouts.sqlite")
    #expect(try await CommandRun(["fence", "import", CommandRun.places, "--store", store]).code == 0)
    let copied = try await CommandRun(shell: "cd '\(folder.path(""))' && \(blocks[0])")
    #expect(copied.code == 0 && copied.output.contains("copy.sqlite is whole: 0 fixes"), "\(copied)")
    _ = try await CommandRun.killed(
      ["watch", "--store", store], on: CommandRun.drive, bytes: 150_000,
      when: "[ $(wc -l < \"$out\") -gt 300 ]")
    try #require(FileManager.default.contents(atPath: "\(store)-wal")?.isEmpty == false)
    // Without a copy, the old file and its log stay as they are.
    let copy = folder.path("copy.sqlite"), away = folder.path("away.sqlite")
    try FileManager.default.moveItem(atPath: copy, toPath: away)
    let failed = try await CommandRun(shell: "cd '\(folder.path(""))' && \(blocks[1])")
    #expect(failed.code != 0, "\(failed)")
    try #require(FileManager.default.contents(atPath: "\(store)-wal")?.isEmpty == false)
    try FileManager.default.moveItem(atPath: away, toPath: copy)
    let restored = try await CommandRun(shell: "cd '\(folder.path(""))' && \(blocks[1])")
    #expect(restored.code == 0, "\(restored)")
    #expect(restored.output.contains("whereabouts.sqlite is whole: 0 fixes"), "\(restored)")
    let fences = try await CommandRun(["fence", "list", "--store", store])
    #expect(fences.code == 0 && fences.lines.count == 6, "\(fences)")
  }

  /// A limit of the file's size, as of `ulimit -f` or a service manager, is an error and not the end of the process.
  @Test func fileSizeLimitIsReported() async throws {
    let folder = try TemporaryFolder(), store = folder.path("store.sqlite")
    let run = try await CommandRun(
      shell: """
        \(Self.route)
        route 9000 > '\(folder.path("route.csv"))'
        (ulimit -f 700; whereabouts import '\(folder.path("route.csv"))' --store '\(store)')
        echo "code $?"
        whereabouts store check --store '\(store)'
        whereabouts import '\(folder.path("route.csv"))' --store '\(store)'
        (ulimit -f 100; whereabouts import '\(folder.path("route.csv"))' --store '\(store).small' 2>&1)
        """)
    #expect(run.lines.first == "code 1" && run.errors.contains("could not write"), "\(run)")
    #expect(run.errors.contains("ulimit -f"), "\(run)")
    // The file has positions, which found no room.
    #expect(run.errors.contains("stopped: 0 kept") && !run.errors.contains("no valid position"), "\(run)")
    // Not even an empty store has room.
    #expect(run.lines.last?.contains("could not open") == true, "\(run)")
    #expect(run.lines.last?.contains("ulimit -f") == true, "\(run)")
    #expect(run.output.contains("is whole: 0 fixes") && run.output.contains("9,000 kept"), "\(run)")
  }

  /// A watch without a server says that its fixes are in no file.
  @Test func removedFileIsReportedByAWatch() async throws {
    let store = try TestStore(), pipe = store.folder.path("pipe"), out = store.folder.path("out")
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        '\(CommandRun.binary.path())' watch --store '\(store.path)' --source 'replay:\(pipe)?speed=max' > '\(out)' &
        run=$!
        exec 3> '\(pipe)'
        head -c 150000 '\(CommandRun.drive)' >&3
        is_ready() { [ "$(wc -l < '\(out)')" -gt 300 ]; }
        wait_for $run is_ready
        rm '\(store.path)'
        tail -c +150001 '\(CommandRun.drive)' >&3
        exec 3>&-
        wait $run
        """)
    #expect(run.code == 1 && run.errors.contains("its file was removed or replaced"), "\(run)")
  }

  /// An empty file may be what is left of a store; a missing one is a first use.
  @Test(arguments: [true, false]) func storeThatBeginsInAnEmptyFileIsReported(exists: Bool) async throws {
    for command in [
      ["import", CommandRun.walk], ["watch", "--source", CommandRun.walkSource],
      ["fence", "add", "work", "--at", "51.4912,0.021"],
    ] {
      let store = try TestStore()
      if exists { try Data().write(to: URL(filePath: store.path)) }
      let run = try await CommandRun(command + ["--store", store.path])
      #expect(run.code == 0, "\(command): \(run.errors)")
      #expect(
        run.errors.components(separatedBy: "\(store.path) was empty and begins as a new store").count
          == (exists ? 2 : 1), "\(command): \(run.errors)")
    }
  }

  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to change the store with"))
  func unreadableFixIsReportedByAResumedRecording() async throws {
    let store = try TestStore()
    _ = try await store.command("watch", "--source", CommandRun.driveSource)
    _ = try await CommandRun(
      shell: "sqlite3 '\(store.path)' \"UPDATE fix SET source = 'mars' WHERE seq = 7\"")
    let run = try await store.command("watch", "--source", CommandRun.driveSource)
    #expect(run.code == 1 && run.errors.contains("a fix from 'mars'"), "\(run)")
    #expect(!run.errors.contains("CommandError"), "\(run.errors)")
  }

  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to change the store with"))
  func newerStoreVersionIsNotModified() async throws {
    let store = try TestStore()
    _ = try await store.fenceCommand("import", CommandRun.places)
    _ = try await CommandRun(shell: "sqlite3 '\(store.path)' 'PRAGMA user_version = 99'")
    for command in ["history", "last", "trips"] {
      let run = try await store.command(command)
      #expect(
        run.code == 1 && run.errors.contains("a newer version of this program has written it"),
        "\(run.errors)")
    }
    let watch = try await store.command("watch", "--source", CommandRun.driveSource)
    #expect(
      watch.code == 1 && watch.output.isEmpty
        && watch.errors.contains("Pass --no-store to run without a store."),
      "\(watch.errors)")
  }

  @Test(arguments: [["history"], ["fence", "list"], ["fence", "events"]])
  func linkToMissingStoreIsReported(command: [String]) async throws {
    let store = try TestStore()
    try FileManager.default.createSymbolicLink(
      atPath: store.path, withDestinationPath: store.folder.path("unmounted/store.sqlite"))
    let run = try await CommandRun(command + ["--store", store.path])
    #expect(run.code == 1 && run.output.isEmpty, "\(run.errors)")
    #expect(run.errors.contains("this symbolic link leads to a missing file"), "\(run.errors)")
  }

  @Test(
    .enabled(
      if: geteuid() == 0 && CommandRun.canRunUnprivileged, "needs root and setpriv to change the user"))
  func inaccessibleStoreIsReported() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("mine/store.sqlite")
    #expect(try await CommandRun(["fence", "add", "home", "--at", "1,2", "--store", store]).code == 0)
    for command in [["history"], ["trips"], ["fence", "list"], ["fence", "events"]] {
      let look = try await CommandRun.asUnprivilegedUser(command + ["--store", store])
      #expect(
        look.code == 4 && look.output.isEmpty && look.errors.contains("access is denied"), "\(look.errors)")
    }
    let watch = try await CommandRun.asUnprivilegedUser([
      "watch", "--source", CommandRun.driveSource, "--store", store,
    ])
    #expect(
      watch.code == 4 && watch.output.isEmpty
        && watch.errors.contains("Pass --no-store to run without a store."),
      "\(watch.errors)")
    let without = try await CommandRun.asUnprivilegedUser([
      "watch", "--source", CommandRun.driveSource, "--no-store", "--count", "1",
    ])
    #expect(without.code == 0)
  }
}
