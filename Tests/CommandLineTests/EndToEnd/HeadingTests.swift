import Testing

@Suite struct HeadingTests {
  private let source = "replay:\(CommandRun.sail)?speed=max"

  @Test func headingsAreReportedOnTurns() async throws {
    let run = try await CommandRun(["heading", "--source", source, "--filter", "10"])
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(run.lines.first == "    0° true", "0° is a heading like any other")
    #expect((15...40).contains(run.lines.count) && run.lines.allSatisfy { $0.hasSuffix("° true") })
  }

  @Test func jsonPrintsOneObjectPerLine() async throws {
    let run = try await CommandRun(["heading", "--source", source, "--json", "--count", "2", "--filter", "0"])
    #expect(
      run.output == #"{"heading":0,"reference":"true"}"# + "\n" + #"{"heading":0,"reference":"true"}"# + "\n")
  }

  @Test func headingsFromOtherReferenceAreSkipped() async throws {
    #expect(
      try await CommandRun(["heading", "--source", source, "--reference", "true", "--count", "1"]).code == 0)
    let run = try await CommandRun(["heading", "--source", source, "--reference", "magnetic"])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors == "whereabouts: no heading from magnetic north arrived\n")
  }

  @Test func missingHeadingsAreReported() async throws {
    let run = try await CommandRun(["heading", "--source", "replay:\(CommandRun.drive)?speed=max"])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors == "whereabouts: could not find a heading: there is none in the recording\n")
  }

  @Test func timeoutAppliesToFirstHeading() async throws {
    let none = try await CommandRun([
      "heading", "--source", "replay:\(CommandRun.drive)?speed=max", "--timeout", "10s",
    ])
    #expect(none.code == 3 && none.errors == "whereabouts: could not find a heading within 10 s\n")
    let some = try await CommandRun(["heading", "--source", source, "--timeout", "10s", "--filter", "0"])
    #expect(some.code == 0 && some.lines.count == 300)
  }

  @Test func controlCEndsWithSummary() async throws {
    let run = try await CommandRun.interrupted(["heading"], while: CommandRun.drive)
    #expect(run.code == 0 && run.errors.contains(": 0 headings shown, "))
  }

  @Test(arguments: [
    (["--filter", "200"], "--filter must be between 0 and 180 degrees"),
    (["--filter=-1"], "--filter must be between 0 and 180 degrees"),
    (["--filter", "nan"], "--filter must be between 0 and 180 degrees"),
    (["--count", "0"], "--count must be at least 1"),
    (["--reference", "up"], "'up' is invalid for '--reference <north>'"),
    (["--timeout", "later"], "'later' is invalid for '--timeout <duration>'"),
  ])
  func invalidOptionsAreUsageErrors(arguments: [String], message: String) async throws {
    let run = try await CommandRun(["heading", "--source", source] + arguments)
    #expect(run.code == 2 && run.output.isEmpty)
    #expect(run.errors.contains(message), "\(run.errors)")
  }
}
