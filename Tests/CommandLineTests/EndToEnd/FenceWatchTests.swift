import Foundation
import Testing

@Suite struct FenceWatchTests {
  private let source = "replay:\(CommandRun.drive)?speed=max"

  private func makeStore() async throws -> TestStore {
    let store = try TestStore()
    _ = try await store.fenceCommand("import", CommandRun.places)
    return store
  }

  /// The crossings in order, without their times.
  private func crossings(_ lines: [Substring]) -> [String] {
    lines.compactMap { line in
      guard let fence = line.firstMatch(of: #/"fence":"([a-z]+)","event":"([a-z]+)"/#) else { return nil }
      return "\(fence.1) \(fence.2)"
    }
  }

  private func ids(_ lines: [Substring]) -> [Int] {
    lines.compactMap { $0.firstMatch(of: #/"id":([0-9]+)/#).flatMap { Int($0.1) } }
  }

  @Test func eventsArePrintedAndStored() async throws {
    let store = try await makeStore()
    let watch = try await store.fenceCommand("watch", "--source", source, "--json")
    #expect(watch.code == 0 && watch.errors.isEmpty)
    #expect(crossings(watch.lines).prefix(2) == ["home exit", "school enter"])
    let events = try await store.fenceCommand("events", "--json")
    #expect(events.output == watch.output)
    let after = try await store.fenceCommand("events", "--after", "2", "--fence", "school", "--json")
    #expect(crossings(after.lines) == ["school exit"])
    let since = try await store.fenceCommand("events", "--since", "2024-05-14T08:26:00Z")
    #expect(since.lines.count == 1 && since.output.contains("entered  The depot"))
    let until = try await store.fenceCommand("events", "--until", "2024-05-14T08:26:00Z", "--json")
    #expect(until.lines.count == events.lines.count - 1 && !until.output.contains("depot"))
    for span in [["--today"], ["--since", "2h"]] {
      let run = try await CommandRun(["fence", "events", "--store", store.path] + span)
      #expect(run.code == 0 && run.output.isEmpty, "\(span): \(run.errors)")
    }
    #expect(try await store.fenceCommand("list").output.contains("inside since 2024-05-14 08:26:"))
    let depot = #/"side":"inside","since":"2024-05-14T08:26:[0-9.]+Z"/#
    #expect(try await store.fenceCommand("list", "--json").lines.contains { $0.contains(depot) })
    let shown = try await store.fenceCommand("show", "school", "--json")
    #expect(shown.output.contains(#""side":"outside""#), "\(shown.output)")
    #expect(shown.output.contains(#""events":[{"fence":"school","event":"enter""#), "\(shown.output)")
    _ = try JSONSerialization.jsonObject(with: Data(shown.output.utf8))
    let unknown = try await store.fenceCommand("events", "--fence", "schol")
    #expect(unknown.code == 1 && unknown.errors.contains("no fence has the id schol"), "\(unknown.errors)")
    for name in try store.folder.names { #expect(try store.permissions(name) == 0o600, "\(name)") }
  }

  @Test func recordingWithoutFencesLeavesNoNewStore() async throws {
    let store = try TestStore()
    let watch = try await store.fenceCommand("watch", "--source", source)
    #expect(watch.code == 1 && watch.errors.contains("there are no fences"), "\(watch.errors)")
    #expect(try store.folder.names.isEmpty)
  }

  @Test func eventsMatchReplay() async throws {
    let store = try await makeStore()
    let watch = try await store.fenceCommand("watch", "--source", source, "--json")
    let replay = try await CommandRun(["replay", "--fences", CommandRun.places, "--json", CommandRun.drive])
    #expect(replay.lines.filter { $0.hasPrefix(#"{"fence""#) } == watch.lines)
  }

  @Test func replayedRecordingReportsNoEventTwice() async throws {
    let store = try await makeStore()
    let first = try await store.fenceCommand("watch", "--source", source, "--json")
    let second = try await store.fenceCommand("watch", "--source", source, "--json")
    #expect(second.code == 0 && second.output.isEmpty)
    let anew = try await store.fenceCommand("watch", "--source", source, "--json", "--anew")
    #expect(crossings(anew.lines) == crossings(first.lines))
    #expect(ids(anew.lines).first == (ids(first.lines).last ?? 0) + 1)
  }

  /// Runs the command over a pipe, kills it after a number of stored events, and leaves the rest of the pipe unread.
  private func killed(after count: Int, _ store: TestStore) async throws -> CommandRun {
    try await CommandRun.killed(
      ["fence", "watch", "--store", "'\(store.path)'", "--json"], on: CommandRun.drive,
      when: "[ \"$(whereabouts fence events --json --store '\(store.path)' | grep -c .)\" -ge \(count) ]")
  }

  @Test func killAfterAnyEventLosesAndRepeatsNothing() async throws {
    let calm = try await makeStore(), store = try await makeStore()
    let whole = try await calm.fenceCommand("watch", "--source", source, "--json")
    var printed: [Substring] = []
    for count in 1...6 { printed += try await killed(after: count, store).lines }
    printed += try await store.fenceCommand("watch", "--source", source, "--json").lines
    let kept = try await store.fenceCommand("events", "--json").lines
    #expect(crossings(kept) == crossings(whole.lines))
    #expect(ids(kept) == Array(1...kept.count))
    // A repeated event has the same id and is marked as repeated.
    #expect(Set(ids(printed)) == Set(ids(kept)))
    let fresh = printed.filter { !$0.contains(#""again":true"#) }
    #expect(Set(ids(fresh)).count == fresh.count)
  }

  @Test func repeatedKillsLeaveSameEvents() async throws {
    let calm = try await makeStore(), store = try await makeStore()
    let whole = try await calm.fenceCommand("watch", "--source", source, "--json")
    // Whenever it is: before it has begun, while it writes, after it is over.
    for pause in ["0.02", "0.05", "0.1", "0.15", "0.2", "0.25", "0.3", "0.4"] {
      _ = try await CommandRun(
        shell: """
          '\(CommandRun.binary.path())' fence watch --store '\(store.path)' --source '\(source)' &
          sleep \(pause); kill -KILL $!; wait
          """)
    }
    let end = try await store.fenceCommand("watch", "--source", source)
    #expect(end.code == 0)
    let kept = try await store.fenceCommand("events", "--json").lines
    #expect(crossings(kept) == crossings(whole.lines))
    #expect(ids(kept) == Array(1...kept.count))
  }

  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to change the store with"))
  func fencesThatOnlyAServerMonitorsAreReported() async throws {
    let store = try TestStore()
    #expect(try await store.fenceCommand("import", CommandRun.places).code == 0)
    // As a server leaves them.
    let move = """
      INSERT INTO shared_fence (id, serial, fence)
      SELECT json_extract(fence, "$.id"), row_number() OVER (), fence FROM fence_edit; DELETE FROM fence_edit
      """
    let moved = try await CommandRun(shell: "sqlite3 '\(store.path)' '\(move)'")
    #expect(moved.code == 0, "\(moved.errors)")
    let watch = try await store.fenceCommand("watch", "--source", source)
    #expect(watch.code == 1 && watch.errors.contains("only `whereabouts serve` monitors"), "\(watch.errors)")
    // With a fence of its own, the watch runs and names the others.
    let added = try await store.fenceCommand("add", "start", "--at", "51.4779,-0.0065", "--radius", "150")
    #expect(added.code == 0, "\(added.errors)")
    let partial = try await store.fenceCommand("watch", "--source", source)
    #expect(partial.code == 0 && partial.errors.contains("monitors the fences"), "\(partial.errors)")
    #expect(partial.output.contains("start") && !partial.output.contains("school"), "\(partial.output)")
  }

  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to change the store with"))
  func unreadableStateStopsOnlyTheWatch() async throws {
    let store = try await makeStore()
    _ = try await store.fenceCommand("watch", "--source", source)
    let last = ids(try await store.fenceCommand("events", "--json").lines).last ?? 0
    _ = try await CommandRun(shell: "sqlite3 '\(store.path)' 'UPDATE snapshot SET version = 99'")
    let list = try await store.fenceCommand("list")
    #expect(list.code == 0 && list.lines.count == 6 && list.errors.contains("--anew"), "\(list.errors)")
    let watch = try await store.fenceCommand("watch", "--source", source)
    #expect(
      watch.code == 1 && watch.output.isEmpty && watch.errors.contains("fence watch --anew"),
      "\(watch.errors)")
    let anew = try await store.fenceCommand("watch", "--source", source, "--anew", "--json")
    #expect(anew.code == 0 && ids(anew.lines).first == last + 1, "\(anew.errors)")
  }

  @Test(
    .enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to change the store with"),
    arguments: [
      ("UPDATE fence SET fence = 'x' WHERE id = 'school'", "school", 5),
      ("INSERT INTO fence_edit (device, number, id, fence) VALUES (1, 99, 'extra', '{')", "extra", 6),
      ("INSERT INTO shared_fence (id, serial, fence) VALUES ('shared', 99, '{}')", "shared", 6),
    ])
  func unreadableFencesAreErasedAnew(sql: String, id: String, left: Int) async throws {
    let store = try await makeStore()
    _ = try await store.fenceCommand("watch", "--source", source)
    _ = try await CommandRun(shell: "sqlite3 '\(store.path)' \"\(sql)\"")
    let check = try await store.command("store", "check")
    #expect(check.code == 1 && check.errors.contains("fence watch --anew"), "\(check)")
    #expect(try await store.fenceCommand("list").code == 1)
    let anew = try await store.fenceCommand("watch", "--source", source, "--anew", "--json")
    #expect(anew.code == 0 && !anew.lines.isEmpty, "\(anew.errors)")
    #expect(anew.errors.contains("could not be read: \(id)."), "\(anew.errors)")
    #expect(try await store.fenceCommand("list").lines.count == left)
    #expect(try await store.command("store", "check").code == 0)
  }

  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to change the store with"))
  func fenceOfAnUnreadableChangeStays() async throws {
    let store = try await makeStore()
    _ = try await store.fenceCommand("watch", "--source", source)
    let sql = "INSERT INTO fence_edit (device, number, id, fence) VALUES (1, 99, 'school', '{')"
    _ = try await CommandRun(shell: "sqlite3 '\(store.path)' \"\(sql)\"")
    let anew = try await store.fenceCommand("watch", "--source", source, "--anew", "--json")
    #expect(anew.code == 0 && !anew.lines.isEmpty, "\(anew.errors)")
    #expect(
      anew.errors.contains("stay as they were before: school") && !anew.errors.contains("fence add"),
      "\(anew.errors)")
    #expect(try await store.fenceCommand("list").lines.count == 6)
  }

  /// The advice is not the option that was given.
  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to change the store with"))
  func unreadableEventIsNoReasonToBeginAnewAgain() async throws {
    let store = try await makeStore()
    _ = try await store.fenceCommand("watch", "--source", source)
    _ = try await CommandRun(shell: "sqlite3 '\(store.path)' \"UPDATE fence_record SET kind = 'x'\"")
    let anew = try await store.fenceCommand("watch", "--source", source, "--anew")
    #expect(
      anew.code == 1 && anew.errors.contains("`whereabouts store check --store ")
        && !anew.errors.contains("--anew"), "\(anew.errors)")
  }

  @Test func forgettingEventsRetainsFences() async throws {
    let store = try await makeStore()
    let first = try await store.fenceCommand("watch", "--source", source, "--json")
    let forgotten = try await store.command("forget", "--since", "2000-01-01", "--yes", "--json")
    #expect(
      forgotten.code == 0
        && forgotten.output.contains(#""events":\#(first.lines.count),"trips":0,"fences":0"#),
      "\(forgotten.output)\(forgotten.errors)")
    #expect(try await store.fenceCommand("events").output.isEmpty)
    #expect(try await store.command("last").code == 1)
    let second = try await store.fenceCommand("watch", "--source", source, "--json")
    #expect(second.code == 0 && crossings(second.lines) == crossings(first.lines), "\(second.errors)")
    #expect(ids(second.lines).first == (ids(first.lines).last ?? 0) + 1)
  }

  @Test func fencesOfFileAreWatchedWithoutStore() async throws {
    let store = try await makeStore()
    let kept = try await store.fenceCommand("watch", "--source", source, "--json")
    let folder = try TemporaryFolder()
    let run = try await CommandRun(
      shell: """
        cd '\(folder.path(""))' && export XDG_DATA_HOME="$PWD/data"
        whereabouts fence watch --json --no-store --fences '\(CommandRun.places)' --source '\(source)'
        """)
    #expect(run.code == 0 && run.output == kept.output, "\(run.errors)")
    #expect(try folder.names == [])
  }

  @Test func recordingIsNotStoredInDefaultStore() async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun(
      shell: """
        cd '\(folder.path(""))' && export XDG_DATA_HOME="$PWD/data"
        whereabouts fence import '\(CommandRun.places)' >/dev/null
        whereabouts fence add start --here --source '\(source)' >/dev/null
        whereabouts fence watch --json --source '\(source)' | grep -c school
        whereabouts history --json --since 2000-01-01
        whereabouts fence events --json
        """)
    #expect(run.code == 0 && run.lines == ["2"], "\(run)")
    #expect(run.errors.components(separatedBy: "Pass --store FILE").count == 3, "\(run.errors)")
  }

  /// Without a fence, the recording would wait for a consumer of its fixes for ever.
  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to change the store with"))
  func fencesOfUnknownTimeZonesAreReported() async throws {
    let folder = try TemporaryFolder()
    let sql = """
      UPDATE fence_edit SET fence = json_set(fence, '$.terms.activeHours.zone',
        json('{"name":"Europe/Nowhere","transitions":[]}')) WHERE id = 'shop'
      """
    _ = try folder.file("edit.sql", Array(sql.utf8))
    let setting = "cd '\(folder.path(""))' && export XDG_DATA_HOME=\"$PWD/data\""
    let partial = try await CommandRun(
      shell: """
        \(setting)
        whereabouts fence add shop --at 51.483652,0.004439 --radius 80 --hours 'Mo-Su 00:00-24:00' >/dev/null
        whereabouts fence add depot --at 51.496865,0.032651 --radius 100 >/dev/null
        sqlite3 data/whereabouts/whereabouts.sqlite < edit.sql
        whereabouts fence watch --json --source '\(source)'
        """)
    #expect(partial.code == 0 && crossings(partial.lines) == ["depot enter"], "\(partial)")
    try #require(
      partial.errors.contains("whereabouts: skipped shop: no time zone Europe/Nowhere"), "\(partial.errors)")
    let run = try await CommandRun(
      shell: """
        \(setting)
        whereabouts fence remove depot >/dev/null
        whereabouts fence watch --source '\(source)'
        """)
    #expect(run.code == 1 && run.output.isEmpty, "\(run)")
    #expect(
      run.errors.hasSuffix("whereabouts: could not watch the fences: none of them is valid\n"),
      "\(run.errors)")
  }

  @Test func recordingWithoutFencesEnds() async throws {
    let run = try await TestStore().fenceCommand("watch", "--source", source)
    #expect(run.code == 1 && run.errors.contains("`whereabouts fence add`"), "\(run.errors)")
  }

  @Test func secondWatchIsRejected() async throws {
    let store = try await makeStore()
    let pipe = store.folder.path("pipe")
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        '\(CommandRun.binary.path())' fence watch --store '\(store.path)' --source 'replay:\(pipe)?speed=max' &
        exec 3> '\(pipe)'
        \(CommandRun.fed(30_000, to: store.path))
        '\(CommandRun.binary.path())' fence watch --store '\(store.path)' --source '\(source)'
        echo "code $?"
        '\(CommandRun.binary.path())' fence list --store '\(store.path)' | wc -l
        exec 3>&-
        wait
        """)
    #expect(run.output.contains("code 1\n") && run.output.contains("6\n"))
    #expect(run.errors.contains("process "))
  }

  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to see when the changes are taken over"))
  func fenceAddedDuringWatchIsWatched() async throws {
    let store = try TestStore()
    _ = try await store.fenceCommand("add", "airfield", "--at", "51.45,0.0827")
    let pipe = store.folder.path("pipe"), errors = store.folder.path("errors")
    let binary = CommandRun.binary.path()
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        '\(binary)' fence watch --store '\(store.path)' --json --source 'replay:\(pipe)?speed=max' &
        watch=$!
        exec 3> '\(pipe)'
        head -c 20000 '\(CommandRun.drive)' >&3
        wait_for $watch '\(binary)' last --store '\(store.path)'
        # The watch may still commit, for longer than a change of the fences waits for it.
        change() {
          for try in $(seq 100); do
            '\(binary)' fence "$@" --store '\(store.path)' >/dev/null 2>'\(errors)' && return
            sleep 0.1
          done
          cat '\(errors)' >&2
        }
        change import '\(CommandRun.places)' --replace
        change remove market
        has_taken_over() { [ "$(sqlite3 '\(store.path)' 'SELECT count(*) FROM fence_edit')" = 0 ]; }
        wait_for $watch has_taken_over
        tail -c +20001 '\(CommandRun.drive)' >&3
        exec 3>&-
        wait
        """)
    let seen = crossings(run.lines)
    #expect(
      seen.contains("school enter") && seen.contains("depot enter") && !seen.contains("market enter"),
      "\(run.errors)")
  }

  @Test func onceFenceEndsAfterItsEvent() async throws {
    let store = try TestStore()
    _ = try await store.fenceCommand(
      "add", "school", "--at", "51.483652,0.004439", "--radius", "80", "--once")
    _ = try await store.fenceCommand("add", "depot", "--at", "51.496865,0.032651", "--radius", "100")
    let run = try await store.fenceCommand("watch", "--source", source, "--json")
    #expect(crossings(run.lines) == ["school enter", "depot enter"])
    #expect(try await store.fenceCommand("list").lines.map { $0.prefix(5) } == ["depot"])
  }

  /// A recording plays only while a consumer needs its fixes.
  @Test func recordingIsReadToItsEndAfterTheOneEventOfItsLastFence() async throws {
    let store = try TestStore(), whole = try await makeStore()
    _ = try await store.fenceCommand(
      "add", "school", "--at", "51.483652,0.004439", "--radius", "80", "--once")
    let watch = try await store.fenceCommand("watch", "--source", source, "--json")
    #expect(watch.code == 0 && crossings(watch.lines) == ["school enter"], "\(watch)")
    _ = try await whole.fenceCommand("watch", "--source", source)
    let fixes = try await store.command("history", "--json", "--since", "2000-01-01").lines.count
    let all = try await whole.command("history", "--json", "--since", "2000-01-01").lines.count
    #expect(fixes == all && fixes > 0, "\(fixes) of \(all)")
  }

  @Test func recordingIsReadToItsEndAfterAKillThatFollowsItsLastFence() async throws {
    let store = try TestStore(), whole = try await makeStore()
    _ = try await store.fenceCommand(
      "add", "school", "--at", "51.483652,0.004439", "--radius", "80", "--once")
    let isReady = """
      [ -n "$(whereabouts fence events --json --store '\(store.path)')" ] &&
      [ -z "$(whereabouts fence list --json --store '\(store.path)')" ]
      """
    _ = try await CommandRun.killed(
      ["fence", "watch", "--store", "'\(store.path)'"], on: CommandRun.drive, when: isReady)
    #expect(try await store.fenceCommand("list").lines.isEmpty)
    let watch = try await store.fenceCommand("watch", "--source", source)
    #expect(watch.code == 0, "\(watch.errors)")
    _ = try await whole.fenceCommand("watch", "--source", source)
    let fixes = try await store.command("history", "--json", "--since", "2000-01-01").lines.count
    let all = try await whole.command("history", "--json", "--since", "2000-01-01").lines.count
    #expect(fixes == all && fixes > 0, "\(fixes) of \(all)")
    let anew = try await store.fenceCommand("watch", "--source", source, "--anew")
    #expect(anew.code == 1 && anew.errors.contains("there are no fences"), "\(anew.errors)")
  }

  /// Only the rest of a recording is stored without fences, not another one.
  @Test func newRecordingIsRefusedAfterTheLastFenceHasEnded() async throws {
    let store = try TestStore()
    _ = try await store.fenceCommand(
      "add", "school", "--at", "51.483652,0.004439", "--radius", "80", "--once")
    #expect(try await store.fenceCommand("watch", "--source", source).code == 0)
    let before = try await store.command("history", "--json", "--since", "2000-01-01").output
    let other = try await store.fenceCommand("watch", "--source", CommandRun.walkSource)
    #expect(other.code == 1 && other.errors.contains("there are no fences"), "\(other)")
    #expect(other.errors.contains("Run `whereabouts fence add` to add a fence."), "\(other)")
    #expect(try await store.command("history", "--json", "--since", "2000-01-01").output == before)
    #expect(try await store.fenceCommand("watch", "--source", source).code == 0)
  }

  @Test func recordingIsReadToItsEndAfterItsLastFenceHasExpired() async throws {
    let folder = try TemporaryFolder()
    let fence = """
      {"type":"FeatureCollection","features":[{"type":"Feature","id":"school",\
      "properties":{"radius":80,"expiry":"2024-05-14T08:23:00Z"},\
      "geometry":{"type":"Point","coordinates":[0.004439,51.483652]}}]}
      """
    let fences = try folder.file("fences.geojson", Array(fence.utf8))
    let watch = try await CommandRun(["fence", "watch", "--no-store", "--fences", fences, "--source", source])
    #expect(watch.code == 0 && watch.errors.isEmpty, "\(watch)")
  }

  @Test func closedPipeEndsCommandQuietly() async throws {
    let store = try await makeStore()
    let run = try await CommandRun(
      shell: """
        (whereabouts fence watch --store '\(store.path)' --json --source '\(source)'; echo "code $?" >&2) | head -n 1
        """)
    #expect(run.lines.count == 1 && run.errors == "code 0\n")
  }

  @Test func unreadableRecordingFails() async throws {
    let store = try await makeStore()
    let run = try await store.fenceCommand("watch", "--source", "replay:/nowhere/at-all")
    #expect(
      run.code == 1
        && run.errors == "whereabouts: could not read /nowhere/at-all: no such file or directory\n")
  }
}
