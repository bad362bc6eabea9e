import Foundation
import Testing

@testable import WhereaboutsOperations

@Suite struct TrackTests {
  private let source = "replay:\(CommandRun.drive)?speed=max"

  @Test func driveIsTrackedAndSummarized() async throws {
    let run = try await CommandRun(["track", "--source", source, "--activity", "car"])
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(run.lines.contains { $0.contains("provisional") && $0.contains("signal") })
    for label in ["Distance  6.", "Moving    ", "Speed     ", "Motion    ", "Gaps      08:22:10"] {
      #expect(run.lines.suffix(8).contains { $0.hasPrefix(label) }, "\(label)")
    }
  }

  @Test(arguments: ["max", "3000"]) func pointsMatchReplay(speed: String) async throws {
    let replay = try await CommandRun([
      "replay", "--track", "--json", "--activity", "car", CommandRun.drive,
    ])
    let run = try await CommandRun([
      "track", "--json", "--source", "replay:\(CommandRun.drive)?speed=\(speed)", "--activity", "car",
    ])
    #expect(run.code == 0 && run.errors.isEmpty)
    let points = run.lines.filter { $0.hasPrefix(#"{"time""#) }
    #expect(points == replay.lines.filter { $0.hasPrefix(#"{"time""#) } && points.count > 600)
    let totals = [run, replay].compactMap(\.lines.last).map { $0.drop { $0 != "}" } }
    #expect(totals.count == 2 && totals[0] == totals[1])
    let update = try #require(run.lines.first { $0.hasPrefix(#"{"update":{"time""#) })
    for key in ["phase", "signal", "motion", "distance", "uncertainty", "ahead", "moving"] {
      #expect(update.contains("\"\(key)\":"), "\(key)")
    }
  }

  @Test func durationEndsTracking() async throws {
    let run = try await CommandRun(["track", "--json", "--source", source, "--duration", "5m"])
    let last = try #require(run.lines.last)
    #expect(run.code == 0 && last.contains(#""end":"2024-05-14T08:20:05.000Z""#))
  }

  @Test func savedTrackHasSegmentAfterEachGap() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("way.gpx")
    let run = try await CommandRun(["track", "--json", "--source", source, "--save", file])
    #expect(run.code == 0)
    let points = run.lines.filter { $0.hasPrefix(#"{"time""#) }
    let segments = points.count { $0.contains(#""begins":true"#) || $0.contains(#""gap":{"#) }
    let saved = try await CommandRun(["replay", "--json", file])
    let summary = try #require(saved.lines.last)
    #expect(saved.code == 0 && summary.contains(#""fixes":\#(points.count),"accepted":\#(points.count)"#))
    #expect(
      segments > 1 && summary.contains(#""segments":\#(segments)"#)
        && summary.contains(#""problems":{}"#) == false)
    #expect(try folder.names == ["way.gpx"])
  }

  @Test func savedTrackIsNotReplacedWithoutForce() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("way.gpx", Array("mine".utf8))
    let refused = try await CommandRun(["track", "--source", source, "--save", file])
    #expect(refused.code == 1 && refused.output.isEmpty)
    #expect(
      refused.errors
        == "whereabouts: could not write \(file): the file exists. Pass --force to replace the file.\n")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    let forced = try await CommandRun(["track", "--source", source, "--save", file, "--force"])
    #expect(forced.code == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix("</gpx>\n"))
    #expect(try folder.names == ["way.gpx"])
  }

  @Test func emptyTrackIsNeitherSavedNorReplaced() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("way.gpx", Array("mine".utf8))
    let empty = try folder.file("empty.csv", Array("time,lat,lon\n2024-05-14T07:30:00Z,47,8\n".utf8))
    let run = try await CommandRun([
      "track", "--source", "replay:\(empty)?speed=max", "--save", file, "--force",
    ])
    #expect(run.code == 1)
    #expect(run.errors == "whereabouts: could not measure a track: too few fixes arrived\n")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    #expect(try folder.names == ["empty.csv", "way.gpx"])
  }

  /// A receiver's log is written at once, five minutes later: by the real clock, with which the command compares it.
  @Test func fixesFromBeforeTheStartAreNamedAsTheCause() async throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    let begin = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute], from: Date().addingTimeInterval(-300))
    var sentences = NMEASentences(
      hour: try #require(begin.hour), minute: try #require(begin.minute), day: try #require(begin.day),
      month: try #require(begin.month), year: try #require(begin.year))
    for second in 0..<60 {
      sentences.append(
        NMEASentences.Epoch(
          second: second, latitude: 48 + 6.6e-5 * Double(second), longitude: 11, height: 500, speed: 7.34,
          course: 0, quality: NMEASentences.Quality(accuracy: 5, satellites: 8, dilution: 1),
          listsSatellites: false))
    }
    let run = try await CommandRun(["track", "--no-store", "--source", "nmea:-"], input: sentences.bytes)
    #expect(run.code == 1)
    #expect(run.errors.contains(" fixes arrived, the last one made at "), "\(run.errors)")
    #expect(run.errors.contains("Fixes from before the start do not count."), "\(run.errors)")
    #expect(run.errors.contains("`whereabouts replay --track`"), "\(run.errors)")
  }

  @Test func trackFileNeverReplacesRecording() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("walk.gpx")
    try FileManager.default.copyItem(atPath: CommandRun.walk, toPath: file)
    let before = try Data(contentsOf: URL(filePath: file))
    let run = try await CommandRun([
      "track", "--source", "replay:\(file)?speed=max", "--save", file, "--force",
    ])
    #expect(run.code == 1 && run.errors.contains("the command reads this recording"))
    #expect(try Data(contentsOf: URL(filePath: file)) == before)
  }

  @Test(.enabled(if: CommandRun.hasFullDevice, "there is no /dev/full here"))
  func failedOutputLeavesTheWholeTrackInItsFile() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("way.gpx")
    let run = try await CommandRun(
      shell: "whereabouts track --source '\(source)' --save '\(file)' > /dev/full")
    let reason = "could not write standard output: no space left on device"
    #expect(
      run.errors == """
        whereabouts: \(reason); continuing
        whereabouts: not all lines were printed: \(reason)

        """)
    #expect(run.code == 1)
    let printed = try await CommandRun(["track", "--json", "--source", source])
    let points = printed.lines.count { $0.hasPrefix(#"{"time""#) }
    let saved = try await CommandRun(["replay", "--json", file])
    #expect(saved.code == 0 && saved.lines.last?.contains(#""fixes":\#(points),"#) == true, "\(saved)")
  }

  @Test func controlCSummarizesAndSaves() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("way.gpx")
    let run = try await CommandRun.interrupted(["track", "--save", file], while: CommandRun.drive)
    #expect(run.code == 0 && run.errors.contains("interrupted after "))
    #expect(run.lines.contains { $0.hasPrefix("Distance  ") })
    #expect(try folder.names == ["way.gpx"])
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix("</gpx>\n"))
  }

  /// `timeout -s INT` sends the signal to the process and again to its group.
  @Test func interruptThatIsSentTwiceCountsOnce() async throws {
    var run = try await Self.runInterruptedTwice()
    // On a busy machine the second signal may come later than a quarter of a second.
    for _ in 0..<4 where run.code != 0 { run = try await Self.runInterruptedTwice() }
    #expect(run.code == 0 && run.errors.contains("interrupted after "), "\(run.errors)")
    #expect(run.lines.contains { $0.hasPrefix("Distance  ") })
  }

  @Test(arguments: [(0, true), (249, true), (250, false), (60_000, false)])
  func laterInterruptIsNoDuplicate(milliseconds: Int64, isDuplicate: Bool) {
    let first: Int64 = 1_000_000_000
    let time = first + milliseconds * 1_000_000
    #expect(System.isDuplicateInterrupt(at: time, first: first) == isDuplicate)
  }

  private static func runInterruptedTwice() async throws -> CommandRun {
    let folder = try TemporaryFolder()
    let pipe = folder.path("pipe")
    return try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        '\(CommandRun.binary.path())' track --source 'replay:\(pipe)?speed=max' &
        exec 3> '\(pipe)'
        cat '\(CommandRun.drive)' >&3
        # Two signals at once would be one: a program runs between them.
        kill -INT $!
        env true
        kill -INT $! 2>/dev/null
        wait $!
        exit $?
        """)
  }

  @Test(.enabled(if: CommandRun.hasFullDevice, "there is no /dev/full here"))
  func controlCAfterAFailedOutputIsAFailure() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("way.gpx")
    let run = try await CommandRun.interrupted(
      ["track", "--save", file, ">/dev/full"], while: CommandRun.drive)
    #expect(run.code == 1 && run.errors.contains("interrupted after "), "\(run.errors)")
    let message =
      "not all lines were printed: could not write standard output: no space left on device"
    #expect(run.errors.hasSuffix("whereabouts: \(message)\n"), "\(run.errors)")
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix("</gpx>\n"))
  }

  @Test func controlCBeforeFirstFixSucceeds() async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun.interrupted(["track", "--save", folder.path("way.gpx")], while: nil)
    #expect(run.code == 0 && run.errors.contains("interrupted after "))
    #expect(try folder.names == [])
  }

  @Test(arguments: ["KILL", "TERM"]) func killLeavesACompleteDocument(signal: String) async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("way.gpx"), pipe = folder.path("pipe")
    _ = try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        '\(CommandRun.binary.path())' track --source 'replay:\(pipe)?speed=max' --save '\(file)' &
        exec 3> '\(pipe)'
        cat '\(CommandRun.drive)' >&3
        # The file has both of its names for a moment.
        has_one_name() { [ -s '\(file)' ] && [ "$(ls '\(folder.path(""))' | grep -c way)" = 1 ]; }
        wait_for $! has_one_name
        kill -\(signal) $!
        wait $!
        """)
    #expect(try folder.names == ["pipe", "way.gpx"])
    let saved = try await CommandRun(["replay", "--json", file])
    #expect(saved.code == 0 && saved.lines.count > 1)
    #expect(try #require(saved.lines.last).contains(#""format":"gpx""#))
    #expect(try !#require(saved.lines.last).contains("problems"), "\(saved.lines)")
  }

  @Test(.enabled(if: CommandRun.hasTerminals, "there is no `script` to make a terminal with"))
  func terminalPanelIsRedrawnInPlace() async throws {
    // Long enough for the panel to be written over: ten times a second is enough for a terminal.
    let source = "replay:\(CommandRun.drive)?speed=1000"
    let run = try await CommandRun.onTerminal(["track", "--source", source], columns: 40)
    #expect(run.code == 0 && run.output.contains("Press Ctrl-C to stop") && run.output.contains("\u{1B}[J"))
    let shown = run.output.split(whereSeparator: \.isNewline)
      .map { $0.split(separator: "\u{1B}[J").last ?? "" }
      .filter { $0.hasPrefix("  ") }
    #expect(shown.allSatisfy { $0.count < 40 } && shown.contains { $0.contains("UTC") })
    #expect(run.output.contains("Distance  6."))
  }

  /// The clock of the receiver was set back by an hour after the first minutes of the drive.
  @Test func elapsedTimeContinuesAfterClockWasSetBack() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("back.nmea")
    let run = try await CommandRun(
      shell: """
        {
          head -c 30000 '\(CommandRun.drive)' && echo
          head -c 30000 '\(CommandRun.drive)' | sed -e 's/[*]..//' -e 's/^\\(.GN[A-Z]*\\),08/\\1,07/'
        } > '\(file)'
        whereabouts track --source 'replay:\(file)?checksums=optional&speed=100'
        """)
    let later = run.lines.filter { $0.hasPrefix("07:") }
    #expect(run.code == 0 && !later.isEmpty, "\(run)")
    #expect(later.allSatisfy { $0.contains(" min ") && !$0.contains("  0 s, moving") }, "\(run.output)")
  }

  /// Such a terminal, as in an editor, prints the sequences as text.
  @Test(
    .enabled(if: CommandRun.hasTerminals, "there is no `script` to make a terminal with"),
    arguments: [["track"], ["now", "--accuracy", "1"]])
  func dumbTerminalGetsLines(command: [String]) async throws {
    let run = try await CommandRun.onTerminal(
      command + ["--source", "replay:\(CommandRun.drive)?speed=1000"], columns: 80, kind: "dumb")
    #expect(!run.output.isEmpty && !run.output.contains("\u{1B}"), "\(run.output)")
  }

  @Test func closedPipeEndsCommandQuietly() async throws {
    let run = try await CommandRun(
      shell: "(whereabouts track --json --source '\(source)'; echo \"code $?\" >&2) | head -n 1")
    #expect(run.lines.count == 1 && run.errors == "code 0\n")
  }

  @Test func unreadableRecordingFails() async throws {
    let missing = try await CommandRun(["track", "--source", "replay:/nowhere/at-all"])
    #expect(missing.code == 1)
    #expect(missing.errors == "whereabouts: could not read /nowhere/at-all: no such file or directory\n")
    let folder = try TemporaryFolder()
    let run = try await CommandRun(["track", "--source", source, "--save", folder.path("")])
    #expect(run.code == 1 && run.errors.hasSuffix(": it is a folder\n"))
  }

  @Test(arguments: [
    ["--source", "gps:1"], ["--activity", "swim"], ["--save", "-"], ["--force"], ["--gaps", "guess"],
    ["--duration", "soon"], ["--save", "a", "--journal", "a"], ["--method", "candidates", "--gaps", "none"],
  ])
  func invalidOptionsAreUsageErrors(options: [String]) async throws {
    let source = options.contains("--source") ? [] : ["--source", source]
    let run = try await CommandRun(["track"] + source + options)
    #expect(run.code == 2 && run.output.isEmpty && run.errors.hasPrefix("Error: "), "\(run.errors)")
  }
}
