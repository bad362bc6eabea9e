import Foundation
import Testing

/// A store that can't be used, or not for now.
@Suite struct StoreTroubleTests {
  private static let hasSQLite = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

  @Test(.enabled(if: hasSQLite, "there is no sqlite3 to hold the store with"))
  func aStoreThatIsHeldStopsNothing() async throws {
    let store = try TestStore()
    _ = try await store.run("import", CommandRun.places)
    let pipe = store.folder.path("pipe"), binary = CommandRun.binary.path()
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)' '\(pipe)-sql'
        '\(binary)' fence watch --store '\(store.path)' --json --source 'replay:\(pipe)?speed=max' &
        watch=$!
        exec 3> '\(pipe)'
        head -c 30000 '\(CommandRun.drive)' >&3
        until '\(binary)' last --store '\(store.path)' >/dev/null 2>&1; do sleep 0.01; done
        sqlite3 '\(store.path)' < '\(pipe)-sql' >/dev/null &
        exec 4> '\(pipe)-sql'
        echo 'BEGIN IMMEDIATE;' >&4
        sleep 0.3
        tail -c +30001 '\(CommandRun.drive)' | head -c 90000 >&3
        sleep 1.5
        echo 'ROLLBACK;' >&4
        exec 4>&-
        sleep 0.3
        tail -c +120001 '\(CommandRun.drive)' >&3
        exec 3>&-
        wait $watch
        echo "code $?"
        """)
    #expect(run.lines.last == "code 0", "\(run.errors)")
    #expect(run.errors.components(separatedBy: "not saving: could not").count == 2, "\(run.errors)")
    #expect(run.errors.components(separatedBy: "saving again").count == 2, "\(run.errors)")
    let calm = try TestStore()
    _ = try await calm.run("import", CommandRun.places)
    let whole = try await calm.run("watch", "--json", "--source", CommandRun.driveSource)
    #expect(run.lines.dropLast() == whole.lines[...])
    #expect(try await store.run("events", "--json").output == calm.run("events", "--json").output)
    let all = ["--json", "--since", "2000-01-01", "--store"]
    #expect(
      try await CommandRun(["history"] + all + [store.path]).output
        == CommandRun(["history"] + all + [calm.path]).output)
  }

  @Test(.enabled(if: hasSQLite, "there is no sqlite3 to change the store with"))
  func aStoreOfANewerVersionIsLeftAlone() async throws {
    let store = try TestStore()
    _ = try await store.run("import", CommandRun.places)
    _ = try await CommandRun(shell: "sqlite3 '\(store.path)' 'PRAGMA user_version = 99'")
    for command in ["history", "last", "trips"] {
      let run = try await store.command(command)
      #expect(
        run.code == 1 && run.errors.contains("a newer version of this program has written it"),
        "\(run.errors)")
    }
    let watch = try await store.command("watch", "--source", CommandRun.driveSource)
    #expect(
      watch.code == 1 && watch.output.isEmpty && watch.errors.contains("--no-store goes without"),
      "\(watch.errors)")
  }

  @Test(.enabled(if: CommandRun.canBeNobody, "there is no way to be somebody else here"))
  func aStoreThatMayNotBeOpenedIsSaidToBe() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("mine/store.sqlite")
    #expect(try await CommandRun(["fence", "add", "home", "--at", "1,2", "--store", store]).code == 0)
    guard geteuid() == 0 else { return }
    let look = try await CommandRun.asNobody(["history", "--store", store])
    #expect(look.code == 1 || look.code == 4)
    let watch = try await CommandRun.asNobody(["watch", "--source", CommandRun.driveSource, "--store", store])
    #expect(
      watch.code == 4 && watch.output.isEmpty && watch.errors.contains("--no-store goes without"),
      "\(watch.errors)")
    let without = try await CommandRun.asNobody([
      "watch", "--source", CommandRun.driveSource, "--no-store", "--count", "1",
    ])
    #expect(without.code == 0)
  }
}
