import Foundation
import Testing

@Suite struct NowTests {
  private let source = "replay:\(CommandRun.drive)?speed=max"

  @Test func firstAccurateFixAnswers() async throws {
    let run = try await CommandRun(["now", "--source", source, "--accuracy", "room"])
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(run.lines.count == 3)
    #expect(try run.line(0).hasSuffix("(room)"))
    #expect(try run.line(1).hasPrefix("at 2024-05-14 08:15:") && run.line(1).hasSuffix(" UTC, new"))
    #expect(try run.line(2).hasSuffix("from a recording"))
  }

  @Test func answerIsIndependentOfReplaySpeed() async throws {
    let arguments = ["now", "--accuracy", "house", "--json", "--source"]
    let fast = try await CommandRun(arguments + [source])
    let paced = try await CommandRun(arguments + ["replay:\(CommandRun.drive)?speed=1000"])
    #expect(fast.code == 0 && fast.output == paced.output)
    #expect(fast.output.hasPrefix(#"{"outcome":"reached","level":"house","age":0,"fix":{"time":"#))
  }

  @Test func timeoutPrintsBestFix() async throws {
    let run = try await CommandRun(
      ["now", "--source", source, "--accuracy", "1", "--timeout", "15s", "--format", "{time} {hacc:0}"])
    #expect(run.code == 3)
    #expect(run.lines.count == 1 && run.output.hasPrefix("2024-05-14T08:15:"))
    #expect(
      run.errors
        == "whereabouts: an accuracy of 1.0 m, no older than 5 s, was not reached within 15 s; "
        + "this is the best there was\n")
  }

  @Test func zeroTimeoutPrintsNothing() async throws {
    let run = try await CommandRun(["now", "--source", source, "--timeout", "0"])
    #expect(run.code == 3 && run.output.isEmpty)
    #expect(run.errors.hasSuffix("was not reached within 0 s; no fix at all\n"))
  }

  @Test func endedRecordingFailsWithBestFix() async throws {
    let run = try await CommandRun(["now", "--source", source, "--accuracy", "0.5:1s", "--json"])
    #expect(run.code == 1)
    #expect(run.output.hasPrefix(#"{"outcome":"sourceEnded","#))
    #expect(run.errors.contains("the source ended before"))
  }

  @Test func requestSettlesWhenFixesStopImproving() async throws {
    let run = try await CommandRun([
      "now", "--source", source, "--accuracy", "1", "--settle", "20s", "--activity", "car", "--json",
    ])
    #expect(run.code == 0 && run.output.hasPrefix(#"{"outcome":"settled","level":"room","#))
    #expect(
      run.errors
        == "whereabouts: fixes had not got better for 20 s, before an accuracy of 1.0 m, no older than 5 s, "
        + "was reached; this is the best there was\n")
  }

  @Test func controlCPrintsBestFix() async throws {
    let run = try await CommandRun.interrupted(
      ["now", "--accuracy", "0.5", "--json"], while: CommandRun.drive)
    #expect(run.code == 130)
    #expect(run.output.hasPrefix(#"{"outcome":"completedEarly","level":""#))
    #expect(run.errors.hasPrefix("interrupted after "))
    #expect(
      run.errors.hasSuffix(
        "whereabouts: an accuracy of 0.5 m, no older than 5 s, was not reached; this is the best there was\n")
    )
  }

  @Test func controlCBeforeFirstFixIsReported() async throws {
    let run = try await CommandRun.interrupted(["now"], while: nil)
    #expect(run.code == 130 && run.output.isEmpty)
    #expect(run.errors.contains(": 0 fixes used\n"))
    #expect(run.errors.hasSuffix("was not reached; no fix at all\n"))
  }

  /// Nobody has interrupted the command.
  @Test func receiverThatIsGoneBeforeTheAccuracyIsReported() async throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("gps")
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        (head -n 20 '\(CommandRun.drive)'; rm '\(pipe)') > '\(pipe)' &
        whereabouts now --source 'nmea:\(pipe)' --accuracy 0.5
        """)
    #expect(run.code == 6 && run.output.contains("   within "), "\(run.output)")
    #expect(
      run.errors.contains("whereabouts: no source delivers fixes\n  nmea:\(pipe): could not "),
      "\(run.errors)")
    #expect(!run.errors.contains("interrupted"), "\(run.errors)")
  }

  @Test func jsonReportsOutcomeWithoutFix() async throws {
    let none = try await CommandRun(["now", "--source", source, "--timeout", "0", "--json"])
    #expect(none.code == 3 && none.output == #"{"outcome":"timedOut"}"# + "\n")
    let missing = try await CommandRun(["now", "--source", "replay:/nowhere/at-all", "--json"])
    #expect(missing.code == 1)
    #expect(
      missing.output == #"{"outcome":"sourceFailed","problem":"unreadable","message":"could not read "#
        + #"/nowhere/at-all: no such file or directory"}"# + "\n")
  }

  @Test func sentencesWithoutChecksumsAreReadOnRequest() async throws {
    let folder = try TemporaryFolder()
    let sentence = "$GPRMC,081500.00,A,5128.6,N,00000.4,W,0.0,,140524,,,A\r\n"
    let file = try folder.file("old.nmea", Array(sentence.utf8))
    let refused = try await CommandRun(["now", "--source", "replay:\(file)?speed=max"])
    #expect(
      refused.code == 1 && refused.errors.contains("its sentences have no checksum; no fix at all"))
    #expect(refused.errors.contains("With ?checksums=optional behind the file's name, they are read"))
    let days = try await CommandRun(["days", file])
    #expect(days.code == 1 && days.errors.contains("With --checksums optional, they are read"))
    #expect(try await CommandRun(["days", "--checksums", "optional", file]).code == 0)
    let read = try await CommandRun([
      "now", "--source", "replay:\(file)?speed=max&checksums=optional", "--format", "{lat:4}",
    ])
    #expect(read.output == "51.4767\n")
    #expect(try await CommandRun(["convert", file]).code == 1)
    let converted = try await CommandRun(["convert", "--checksums", "optional", file])
    #expect(converted.code == 0 && converted.lines.count == 1)
  }

  @Test(.enabled(if: CommandRun.hasTerminals, "there is no `script` here"))
  func terminalShowsProgress() async throws {
    let arguments = [
      "now", "--source", "replay:\(CommandRun.drive)?speed=1", "--accuracy", "1", "--timeout", "10m",
    ]
    // After more than two seconds, when the progress of reading would have appeared.
    let run = try await CommandRun.onTerminal(
      arguments, columns: 70, interruptedAfter: #"[1-9] min \(5[0-7]\|[0-4]\)"#)
    #expect(run.code == 130)
    let shown = run.output.split(separator: "\r").filter { $0.hasPrefix("\u{1B}[Kbest so far: within ") }
    #expect(!shown.isEmpty && shown.allSatisfy { $0.hasSuffix(" left for 1.0 m") }, "\(run.output)")
    #expect(!run.output.contains("MB/s"), "reading shows no progress of its own")
    let narrow = try await CommandRun.onTerminal(arguments, columns: 12, interruptedAfter: "…")
    let lines = narrow.output.split(separator: "\r").compactMap { $0.split(separator: "\u{1B}[K").first }
    #expect(lines.contains { $0.hasSuffix("…") })
    #expect(lines.filter { $0.hasSuffix("…") }.allSatisfy { $0.count == 11 })
  }

  @Test func aMissingRecordingIsAFailure() async throws {
    let run = try await CommandRun(["now", "--source", "replay:/nowhere/at-all.nmea"])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors.contains("could not read /nowhere/at-all.nmea: no such file or directory"))
  }

  @Test func emptyRecordingFails() async throws {
    let run = try await CommandRun(["now", "--source", "replay:-?speed=max"], input: [])
    #expect(run.code == 1 && run.output.isEmpty && !run.errors.isEmpty)
  }

  @Test(arguments: [
    (["--accuracy", "palace"], "'palace' is invalid for '--accuracy <level>'"),
    (["--settle", "calm"], "'calm' is invalid for '--settle <duration>'"),
    (["--activity", "swim"], "'swim' is invalid for '--activity <activity>'"),
    (["--timeout", "soon"], "'soon' is invalid for '--timeout <duration>'"),
    (["--format", "{nope}"], "there is no placeholder {nope}; there are: time lat lon"),
    (["--format", "gpx"], "`whereabouts export --to gpx` writes stored"),
    (["--format", "json"], "--json prints JSON"),
    (["--json", "--format", "{lat}"], "--json and --format can't be combined"),
    (["--source", "gps:0"], "unknown source 'gps'. Sources: auto, gpsd"),
    (["--source", "replay:x?speed=fast"], "'speed=fast' is not a valid setting"),
  ])
  func invalidOptionsAreUsageErrors(arguments: [String], message: String) async throws {
    let hasSource = arguments.contains("--source")
    let run = try await CommandRun(["now"] + (hasSource ? [] : ["--source", source]) + arguments)
    #expect(run.code == 2 && run.output.isEmpty)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test func fixesWithoutAccuracyAreReportedWhileWaiting() async throws {
    var sentences = NMEASentences(hour: 12, minute: 0, day: 1, month: 6, year: 2026)
    for second in 0..<3600 {
      sentences.append(
        NMEASentences.Epoch(
          second: second, latitude: 47, longitude: 8.25, height: 400, speed: 0, course: 0,
          quality: NMEASentences.Quality(accuracy: 4, satellites: 8, dilution: 1), listsSatellites: false))
    }
    let positions = String(decoding: sentences.bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .filter { $0.hasPrefix("$GNRMC,") }
    let folder = try TemporaryFolder()
    let file = try folder.file("positions", Array(positions.map { "\($0)\r\n" }.joined().utf8))
    let (pipe, errors) = (folder.path("gps"), folder.path("errors"))
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        (while read -r line; do printf '%s\\n' "$line" || break; sleep 0.4; done < '\(file)') 2>/dev/null > '\(pipe)' &
        '\(CommandRun.binary.path())' now --source 'nmea:\(pipe)' 2> '\(errors)' &
        process=$!
        wait_for $process grep -q 'have no accuracy' '\(errors)'
        kill -INT $process
        wait $process
        exit $?
        """)
    #expect(run.code == 130 && run.output.contains("accuracy not known"), "\(run.output)")
    let text = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(text.contains("whereabouts: the fixes have no accuracy, "), "\(text)")
    #expect(text.contains("`whereabouts watch`"), "\(text)")
  }
}
