import Foundation
import Testing

@Suite struct WatchTests {
  private let source = "replay:\(CommandRun.drive)?speed=max"

  @Test func eachFixIsPrintedOnOneLine() async throws {
    let run = try await CommandRun(["watch", "--source", source])
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(run.lines.count == 671)
    #expect(try run.line(0).hasPrefix("08:15:06   51.477476    -0.006727  ±"))
  }

  @Test func jsonPrintsOneObjectPerLine() async throws {
    let run = try await CommandRun(["watch", "--source", source, "--json", "--count", "3"])
    #expect(run.code == 0 && run.lines.count == 3)
    #expect(
      run.lines.allSatisfy {
        $0.hasPrefix("{\"time\":\"2024-05-14T08:15:0") && $0.hasSuffix("\"simulated\":true}")
      })
  }

  @Test func templateFormatsLine() async throws {
    let run = try await CommandRun([
      "watch", "--source", source, "--count", "2", "--format", #"{time}\t{mode}"#,
    ])
    #expect(run.output == "2024-05-14T08:15:06.000Z\t3\n2024-05-14T08:15:07.000Z\t3\n")
  }

  @Test func distanceFilterReducesLines() async throws {
    let run = try await CommandRun(["watch", "--source", source, "--distance-filter", "200m"])
    #expect((20...40).contains(run.lines.count))
    // The old name of the option.
    #expect(try await CommandRun(["watch", "--source", source, "--distance", "200"]).output == run.output)
    let stretched = try await CommandRun([
      "watch", "--source", source, "--distance-filter", "0.2km", "--elasticity", "1",
    ])
    #expect((8..<run.lines.count).contains(stretched.lines.count))
  }

  @Test func intervalReducesLines() async throws {
    let run = try await CommandRun(["watch", "--source", source, "--interval", "2m", "--format", "{time}"])
    #expect(
      run.lines == ["15", "17", "19", "21", "23", "25"].map { "2024-05-14T08:\($0):06.000Z" })
  }

  @Test func durationEndsWatch() async throws {
    let run = try await CommandRun(["watch", "--source", source, "--duration", "3s"])
    #expect(run.code == 0 && run.lines.count == 3)
  }

  @Test func significantChangesAreFew() async throws {
    let run = try await CommandRun(["watch", "--source", source, "--significant"])
    #expect(run.code == 0 && run.lines.count == 3)
    let short = try await CommandRun([
      "watch", "--source", source, "--significant", "--duration", "6m", "--json",
    ])
    #expect(short.lines.count == 2 && short.lines.allSatisfy { $0.hasPrefix(#"{"time":"#) })
  }

  @Test func visitReportsArrivalAndDeparture() async throws {
    let rest = "replay:\(CommandRun.walk)?speed=max"
    let run = try await CommandRun(["watch", "--source", rest, "--visits"])
    #expect(run.code == 0 && run.lines.count == 2)
    #expect(run.lines.first?.contains("  arrived  ") == true && run.lines.last?.contains("  left  ") == true)
    let json = try await CommandRun([
      "watch", "--source", rest, "--visits", "--json", "--stay", "2m", "--radius", "50",
    ])
    #expect(json.lines.count == 2)
    #expect(json.lines.first?.hasPrefix(#"{"event":"arrival","lat":-16.7"#) == true)
    #expect(json.lines.last?.contains(#""departure":"2024-05-13T22:0"#) == true)
    let one = try await CommandRun(["watch", "--source", rest, "--visits", "--count", "1"])
    #expect(one.code == 0 && one.lines.count == 1)
  }

  @Test func driveWithoutStopHasNoVisits() async throws {
    let run = try await CommandRun(["watch", "--source", source, "--visits", "--stay", "1h"])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors == "whereabouts: no stay of 1 h 00 min within 100 m was found\n")
    let missing = try await CommandRun(["watch", "--source", "replay:/nowhere/at-all", "--visits"])
    #expect(missing.code == 1 && missing.errors.contains("no such file or directory"))
  }

  @Test func visitsOfAMissingReceiverReportTheProblem() async throws {
    let run = try await CommandRun([
      "watch", "--source", "nmea:/nowhere/ttyACM0", "--visits", "--no-store", "--duration", "5s",
    ])
    #expect(run.code == 1)
    #expect(
      run.errors.contains("could not open /nowhere/ttyACM0: there is no such device. Plug the receiver in."),
      "\(run.errors)")
  }

  @Test func timeoutWithoutAccurateFixHasOwnExitCode() async throws {
    let run = try await CommandRun(["watch", "--source", source, "--accuracy", "1", "--timeout", "5s"])
    #expect(run.code == 3 && run.lines.count == 5, "the fix at the fifth second comes too late")
    #expect(
      run.errors == "whereabouts: could not reach an accuracy of 1.0 m, no older than 5 s, within 5 s\n")
  }

  @Test func accurateFixClearsTimeout() async throws {
    let run = try await CommandRun(["watch", "--source", source, "--accuracy", "block", "--timeout", "5s"])
    #expect(run.code == 0 && run.lines.count == 671)
  }

  @Test func closedPipeEndsCommandQuietly() async throws {
    let run = try await CommandRun(
      shell: "(whereabouts watch --source '\(source)'; echo \"code $?\" >&2) | head -n 2")
    #expect(run.lines.count == 2 && run.errors == "code 0\n")
  }

  @Test(arguments: ["watch", "heading"])
  func pipeClosedBeforeFirstLineEndsCommandQuietly(command: String) async throws {
    // The reader leaves before the pause ends: the first line has no reader.
    let file = "replay:\(CommandRun.sail)?speed=max"
    let run = try await CommandRun(
      shell: "(sleep 0.2; whereabouts \(command) --source '\(file)'; echo \"code $?\" >&2) | true")
    #expect(run.errors == "code 0\n")
  }

  /// `timeout` sends SIGTERM to the process and again to its group.
  @Test(arguments: ["INT", "TERM TERM"]) func signalEndsWithSummary(signals: String) async throws {
    // Two fixes a second, interrupted after the third of them: the recording lasts for some minutes.
    let run = try await CommandRun(
      shell: """
        lines=$(mktemp)
        '\(CommandRun.binary.path())' watch --source 'replay:\(CommandRun.drive)?speed=2' > "$lines" &
        has_three() { [ "$(wc -l < "$lines")" -ge 3 ]; }
        wait_for $! has_three
        for signal in \(signals); do kill -$signal $! 2>/dev/null; done
        wait $!
        echo "code $?"
        rm "$lines"
        """)
    #expect(run.output == "code 0\n")
    #expect(
      run.errors.wholeMatch(of: #/interrupted after [^:]+: [0-9]+ fixes shown, [0-9]+ fixes used\n/#) != nil)
  }

  @Test(arguments: ["--significant", "--visits", "--distance-filter=5"])
  func controlCEndsEveryWatchMode(option: String) async throws {
    let run = try await CommandRun.interrupted(["watch", option], while: CommandRun.drive)
    #expect(run.code == 0)
    #expect(run.errors.contains("interrupted after ") && run.errors.hasSuffix(" fixes used\n"))
  }

  @Test(arguments: [
    (["--count", "0"], "--count must be at least 1"),
    (["--distance", "-1"], "'-1' is invalid"),
    (["--distance-filter", "far"], "'far' is invalid"),
    (["--distance-filter", "1", "--distance", "1"], "is the old name of --distance-filter"),
    (["--elasticity", "1"], "--elasticity requires --distance-filter"),
    (["--elasticity=-1", "--distance-filter", "5"], "--elasticity must be 0 or more"),
    (["--elasticity", "inf", "--distance-filter", "5"], "--elasticity must be 0 or more"),
    (["--significant", "--visits"], "--significant and --visits can't be combined"),
    (["--significant", "--timeout", "1s"], "--significant and --timeout can't be combined"),
    (["--visits", "--distance", "1"], "--visits and --distance-filter can't be combined"),
    (["--visits", "--format", "{lat}"], "--format and --visits can't be combined"),
    (["--radius", "50"], "--radius requires --visits"),
    (["--stay", "1m"], "--stay requires --visits"),
    (["--visits", "--radius", "0"], "--radius must be between 1 m and 100 km"),
    (["--visits", "--stay", "0"], "--stay must be at least 1 s"),
  ])
  func invalidOptionsAreUsageErrors(arguments: [String], message: String) async throws {
    let run = try await CommandRun(["watch", "--source", source] + arguments)
    #expect(run.code == 2 && run.output.isEmpty)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test func aMissingRecordingIsAFailure() async throws {
    let run = try await CommandRun(["watch", "--source", "replay:/nowhere/at-all.nmea"])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors.contains("could not read /nowhere/at-all.nmea"))
  }
}
