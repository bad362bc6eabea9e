import Testing

@Suite struct NowTests {
  private let source = "replay:\(CommandRun.drive)?speed=max"

  @Test func theFirstFixGoodEnoughAnswers() async throws {
    let run = try await CommandRun(["now", "--source", source, "--accuracy", "room"])
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(run.lines.count == 3)
    #expect(run.lines[0].hasSuffix("(room)"))
    #expect(run.lines[1].hasPrefix("at 2024-05-14 08:15:") && run.lines[1].hasSuffix(" UTC, new"))
    #expect(run.lines[2].hasSuffix("from a recording"))
  }

  @Test func theSameQuestionHasTheSameAnswerAtAnySpeed() async throws {
    let arguments = ["now", "--accuracy", "house", "--json", "--source"]
    let fast = try await CommandRun(arguments + [source])
    let paced = try await CommandRun(arguments + ["replay:\(CommandRun.drive)?speed=1000"])
    #expect(fast.code == 0 && fast.output == paced.output)
    #expect(fast.output.hasPrefix(#"{"outcome":"reached","level":"house","age":0,"fix":{"time":"#))
  }

  @Test func whenTheTimeIsUpTheBestSoFarIsPrinted() async throws {
    let run = try await CommandRun(
      ["now", "--source", source, "--accuracy", "1", "--timeout", "15s", "--format", "{time} {hacc:0}"])
    #expect(run.code == 3)
    #expect(run.lines.count == 1 && run.output.hasPrefix("2024-05-14T08:15:"))
    #expect(
      run.errors
        == "whereabouts: an accuracy of 1.0 m, no older than 5 s, was not reached within 15 s; "
        + "this is the best there was\n")
  }

  @Test func aTimeoutOfNothingHasNothingToPrint() async throws {
    let run = try await CommandRun(["now", "--source", source, "--timeout", "0"])
    #expect(run.code == 3 && run.output.isEmpty)
    #expect(run.errors.hasSuffix("was not reached within 0 s; there was no fix at all\n"))
  }

  @Test func aRecordingThatEndsFirstIsAFailureWithItsBest() async throws {
    let run = try await CommandRun(["now", "--source", source, "--accuracy", "0.5:1s", "--json"])
    #expect(run.code == 1)
    #expect(run.output.hasPrefix(#"{"outcome":"sourceEnded","#))
    #expect(run.errors.contains("the recording ended before"))
  }

  @Test func aMissingRecordingIsAFailure() async throws {
    let run = try await CommandRun(["now", "--source", "replay:/nowhere/at-all.nmea"])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors.contains("could not read /nowhere/at-all.nmea: no such file or directory"))
  }

  @Test func aRecordingOfNothingIsAFailure() async throws {
    let run = try await CommandRun(["now", "--source", "replay:-?speed=max"], input: [])
    #expect(run.code == 1 && run.output.isEmpty && !run.errors.isEmpty)
  }

  @Test(arguments: [
    (["--accuracy", "palace"], "'palace' is invalid for '--accuracy <level>'"),
    (["--timeout", "soon"], "'soon' is invalid for '--timeout <duration>'"),
    (["--format", "{nope}"], "there is no placeholder {nope}; there are: time lat lon"),
    (["--json", "--format", "{lat}"], "--json and --format can't be combined"),
    (["--source", "gps:0"], "there is no source 'gps'; there is: replay:FILE"),
    (["--source", "replay:x?speed=fast"], "'speed=fast' can't be"),
  ])
  func whatCanNotBeAskedIsAUsageMistake(arguments: [String], message: String) async throws {
    let hasSource = arguments.contains("--source")
    let run = try await CommandRun(["now"] + (hasSource ? [] : ["--source", source]) + arguments)
    #expect(run.code == 2 && run.output.isEmpty)
    #expect(run.errors.contains(message), "\(run.errors)")
  }
}
