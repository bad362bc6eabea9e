import Foundation
import Testing

/// Commands resume on the same recording after a kill.
@Suite struct ResumeTests {
  private let historyArguments = ["history", "--json", "--since", "2000-01-01", "--all"]

  private func history(_ store: TestStore) async throws -> [Substring] {
    try await CommandRun(historyArguments + ["--store", store.path]).lines
  }

  @Test func watchResumesAfterLastStoredFix() async throws {
    let calm = try TestStore(), store = try TestStore()
    let whole = try await calm.command("watch", "--json", "--source", CommandRun.driveSource)
    var shown: [Substring] = []
    for bytes in [90_000, 200_000] {
      let seen = try await history(store).count
      shown += try await CommandRun.killed(
        ["watch", "--json", "--store", "'\(store.path)'"], on: CommandRun.drive, bytes: bytes,
        when:
          "[ $(whereabouts history --json --since 2000-01-01 --store '\(store.path)' 2>/dev/null | grep -c .) -gt \(seen + 40) ]"
      ).lines
    }
    let rest = try await store.command("watch", "--json", "--source", CommandRun.driveSource)
    #expect(rest.code == 0 && rest.errors.contains("whereabouts: resuming after 08:") == false)
    #expect(rest.errors.contains("resuming after 2024-05-14 08:"))
    shown += rest.lines
    // A fix that was stored and not yet shown at the kill is not shown by a later run.
    #expect(Set(shown).isSubset(of: Set(whole.lines)) && Set(shown).count == shown.count)
    #expect(try await history(store) == history(calm))
    let again = try await store.command("watch", "--json", "--source", CommandRun.driveSource)
    #expect(
      again.code == 1 && again.output.isEmpty && again.errors.contains("the store already has all fixes of "))
  }

  @Test func tripResumesWhereItStopped() async throws {
    let calm = try TestStore(), store = try TestStore()
    #expect(try await calm.command("track", "--source", CommandRun.driveSource, "--trip", "drive").code == 0)
    for bytes in [90_000, 200_000] {
      let seen = try await history(store).count
      _ = try await CommandRun.killed(
        ["track", "--json", "--trip", "drive", "--store", "'\(store.path)'"], on: CommandRun.drive,
        bytes: bytes,
        when:
          "[ $(whereabouts history --json --since 2000-01-01 --store '\(store.path)' 2>/dev/null | grep -c .) -gt \(seen + 40) ]"
      )
    }
    let open = try await store.command("trips", "--open", "--json")
    #expect(open.lines.count == 1 && open.output.contains(#""trip":"drive""#))
    let rest = try await store.command("track", "--source", CommandRun.driveSource, "--trip", "drive")
    #expect(rest.code == 0, "\(rest.errors)")
    func distance(_ store: TestStore) async throws -> Double {
      let line = try await store.command("trips", "drive", "--json").lines.first ?? ""
      #expect(line.contains(#""open":false"#), "\(line)")
      return try #require(line.firstMatch(of: #/"distance":([0-9.]+)/#).flatMap { Double($0.1) })
    }
    let (one, other) = (try await distance(calm), try await distance(store))
    #expect(abs(one - other) < 15, "\(one) and \(other)")
    let over = try await store.command("track", "--source", CommandRun.driveSource, "--trip", "drive")
    #expect(over.code == 1 && over.errors.contains("it has ended"))
  }

  /// Stored fixes are not stored again and do not reach the fences again without `--anew`.
  @Test func newTripWithinAStoredRecordingNamesTheOptionForTheWholeOne() async throws {
    let store = try TestStore()
    let watch = try await store.command("watch", "--source", CommandRun.driveSource, "--count", "300")
    #expect(watch.code == 0, "\(watch.errors)")
    let rest = try await store.command("track", "--source", CommandRun.driveSource, "--trip", "rest")
    #expect(rest.code == 0, "\(rest.errors)")
    #expect(
      rest.errors.contains("The new trip rest begins there. To measure the whole recording, pass --anew"),
      "\(rest.errors)")
    let none = try await store.command("track", "--source", CommandRun.driveSource, "--trip", "none")
    #expect(none.code == 1)
    #expect(
      none.errors.contains("so the new trip none gets none. To measure the whole recording, pass --anew"),
      "\(none.errors)")
    let whole = try await store.command(
      "track", "--source", CommandRun.driveSource, "--trip", "whole", "--anew")
    #expect(whole.code == 0 && !whole.errors.contains("--anew"), "\(whole.errors)")
  }

  @Test func controlCEndsTripAndKillLeavesItOpen() async throws {
    let store = try TestStore()
    let run = try await CommandRun.interrupted(
      ["track", "--store", "'\(store.path)'", "--trip", "drive"], while: CommandRun.drive)
    #expect(run.code == 0, "\(run.errors)")
    #expect(try await store.command("trips").output.hasSuffix("ended\n"))
    // Its lines may be printed before the trip is stored.
    let isStored = "[ $(whereabouts trips --open --store '\(store.path)' 2>/dev/null | grep -c .) = 1 ]"
    _ = try await CommandRun.killed(
      ["track", "--json", "--trip", "walk", "--store", "'\(store.path)'"], on: CommandRun.walk,
      when: "[ $(grep -c distance \"$out\") -gt 50 ] && \(isStored)")
    #expect(try await store.command("trips", "--open").lines.count == 1)
    // Without its name, a run begins a trip with the name of its source.
    let open = try await store.command("trips", "walk")
    #expect(
      open.lines.contains("Ended     not yet: `whereabouts track --trip walk` resumes it"), "\(open.output)")
    let anew = try await store.command(
      "track", "--source", CommandRun.walkSource, "--anew", "--trip", "again")
    #expect(anew.code == 0, "\(anew.errors)")
    let trips = try await store.command("trips", "--json")
    #expect(
      trips.lines.count == 3 && trips.lines.allSatisfy { $0.contains(#""open":false"#) }, "\(trips.output)")
  }

  /// Tracks the beginning of the drive as the trip `drive` until the output has a text, and sends SIGTERM.
  ///
  /// - Parameter summary: a command that prints a part of the output, which is its last argument.
  /// - Returns: the run, whose lines are the exit code and the summary.
  private func terminatedTrack(
    _ store: TestStore, bytes: Int, once text: String, summary: String
  ) async throws -> CommandRun {
    let pipe = store.folder.path("pipe"), out = store.folder.path("out")
    // The pipe stays open, so that only the signal ends the run.
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        '\(CommandRun.binary.path())' track --json --trip drive --store '\(store.path)' \
          --source 'replay:\(pipe)?speed=max' > '\(out)' &
        exec 3> '\(pipe)'
        head -c \(bytes) '\(CommandRun.drive)' >&3
        wait_for $! grep -q '\(text)' '\(out)'
        kill -TERM $!
        wait $!
        echo "code $?"
        \(summary) '\(out)'
        """)
    #expect(run.errors.contains("interrupted after "), "\(run.errors)")
    return run
  }

  /// A service that is started again resumes its trip.
  @Test func terminationSummarizesAndLeavesTripOpen() async throws {
    let store = try TestStore()
    let run = try await terminatedTrack(
      store, bytes: 90_000, once: #""begins":true"#, summary: "tail -n 1")
    #expect(run.lines.first == "code 0", "\(run.output)")
    #expect(run.lines.last?.contains(#""trip":"drive""#) == true, "\(run.output)")
    #expect(try await store.command("trips", "--open").lines.count == 1)
    let rest = try await store.command("track", "--source", CommandRun.driveSource, "--trip", "drive")
    #expect(rest.code == 0, "\(rest.errors)")
    #expect(try await store.command("trips", "--open").output.isEmpty)
  }

  /// The first points are of fixes of the earlier run.
  @Test func totalsOfAResumedTripHaveTheStartOfTheRunAndTheTimeOfTheTrip() async throws {
    let store = try TestStore()
    _ = try await terminatedTrack(
      store, bytes: 90_000, once: #""begins":true"#, summary: "tail -n 1")
    let rest = try await store.command(
      "track", "--json", "--source", CommandRun.driveSource, "--trip", "drive")
    let points = rest.lines.filter { $0.hasPrefix(#"{"time":""#) }
    let first = try #require(points.first?.firstMatch(of: #/"time":"([^"]+)"/#)?.1)
    let totals = try #require(rest.lines.last { $0.hasPrefix(#"{"totals":"#) })
    let start = try #require(totals.firstMatch(of: #/"start":"([^"]+)"/#)?.1)
    let elapsed = try #require(totals.firstMatch(of: #/"elapsed":([0-9.]+)/#).flatMap { Double($0.1) })
    #expect(rest.code == 0 && start > first && start > "2024-05-14T08:15:07", "\(first) \(totals)")
    #expect(elapsed > 700, "\(totals)")
  }

  /// The clock of the receiver was set back by an hour between the runs.
  @Test func elapsedTimeOfAResumedTripContinuesAfterClockWasSetBack() async throws {
    let store = try TestStore()
    _ = try await terminatedTrack(
      store, bytes: 30_000, once: #""time":"2024-05-14T08:16"#, summary: "tail -n 1")
    let rest = try await CommandRun(
      shell: """
        head -c 30000 '\(CommandRun.drive)' | sed -e 's/[*]..//' -e 's/^\\(.GN[A-Z]*\\),08/\\1,07/' \
          | whereabouts track --trip drive --store '\(store.path)' --source 'nmea:-?checksums=optional'
        """)
    let lines = rest.lines.filter { $0.hasPrefix("07:") }
    #expect(!lines.isEmpty && lines.allSatisfy { !$0.contains("  0 s, moving") }, "\(rest)")
  }

  /// The first 28 s of the drive: nothing is settled before the end of the run.
  @Test func terminationLeavesTripOpenBeforeAnythingIsSettled() async throws {
    let store = try TestStore()
    let run = try await terminatedTrack(
      store, bytes: 9_000, once: #""update":{"time":"#, summary: #"grep -c '"begins":'"#)
    #expect(run.lines == ["code 0", "0"], "\(run.output)")
    #expect(try await store.command("trips", "--open").lines.count == 1)
    let export = try await store.command("export", "--trip", "drive")
    let reason = "no fix to write: trip drive is open, and nothing of it is settled yet. Pass --since instead"
    #expect(export.code == 1 && export.output.isEmpty, "\(export)")
    #expect(export.errors.hasPrefix("whereabouts: \(reason)"), "\(export.errors)")
    let rest = try await store.command("track", "--source", CommandRun.driveSource, "--trip", "drive")
    #expect(rest.code == 0, "\(rest.errors)")
    #expect(try await store.command("trips", "--open").output.isEmpty)
  }

  @Test(.enabled(if: CommandRun.hasFullDevice, "there is no /dev/full here"))
  func tripStaysOpenAfterAFailedWriteOfTheOutput() async throws {
    let store = try TestStore()
    let pipe = store.folder.path("pipe")
    // The pipe stays open, so that the recording does not end before the output fails.
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        exec 3<> '\(pipe)'
        '\(CommandRun.binary.path())' track --trip drive --store '\(store.path)' \
          --source 'replay:\(pipe)?speed=max' > /dev/full &
        head -c 30000 '\(CommandRun.drive)' >&3
        wait $!
        """)
    #expect(run.code == 1, "\(run)")
    #expect(run.errors.contains("could not write standard output: no space left on device"), "\(run.errors)")
    #expect(try await store.command("trips", "--open").lines.count == 1)
  }

  /// With a file for the track, the run goes on to the end of the recording, which ends the trip.
  @Test(.enabled(if: CommandRun.hasFullDevice, "there is no /dev/full here"))
  func tripEndsWithItsRecordingAfterAFailedWriteOfTheOutput() async throws {
    let store = try TestStore()
    let run = try await CommandRun(
      shell: """
        whereabouts track --trip drive --store '\(store.path)' --source '\(CommandRun.driveSource)' \
          --save '\(store.folder.path("way.gpx"))' > /dev/full
        """)
    #expect(run.code == 1 && run.errors.contains("; continuing\n"), "\(run)")
    #expect(try await store.command("trips").output.hasSuffix("ended\n"))
  }

  @Test func emptyTripIsNotStored() async throws {
    let store = try TestStore()
    let run = try await CommandRun.interrupted(
      ["track", "--store", "'\(store.path)'", "--trip", "nowhere"], while: nil)
    #expect(run.code == 0 && run.errors.contains("interrupted after "))
    let trips = try await store.command("trips")
    #expect(trips.code == 0 && trips.output.isEmpty, "\(trips.output)")
  }

  @Test func secondWatchOnSameStoreIsRejected() async throws {
    let store = try TestStore()
    let pipe = store.folder.path("pipe"), binary = CommandRun.binary.path()
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        '\(binary)' watch --store '\(store.path)' --source 'replay:\(pipe)?speed=max' > /dev/null &
        first=$!
        exec 3> '\(pipe)'
        \(CommandRun.fed(30_000, to: store.path))
        for command in watch track 'fence watch'; do
          '\(binary)' $command --store '\(store.path)' --source '\(CommandRun.driveSource)'
          echo "code $?"
        done
        '\(binary)' watch --count 1 --device other --store '\(store.path)' --source '\(CommandRun.driveSource)'
        exec 3>&-
        wait $first
        """)
    #expect(run.lines.filter { $0 == "code 1" }.count == 3 && run.lines.count == 4, "\(run.output)")
    #expect(run.errors.components(separatedBy: "process ").count == 4, "\(run.errors)")
  }
}
