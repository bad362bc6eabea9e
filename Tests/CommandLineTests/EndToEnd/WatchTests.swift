import Foundation
import Testing

@Suite struct WatchTests {
  private let source = "replay:\(CommandRun.drive)?speed=max"

  @Test func everyFixIsALine() async throws {
    let run = try await CommandRun(["watch", "--source", source])
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(run.lines.count == 671)
    #expect(run.lines[0].hasPrefix("08:15:06   51.477476    -0.006727  ±"))
  }

  @Test func jsonIsOneObjectALine() async throws {
    let run = try await CommandRun(["watch", "--source", source, "--json", "--count", "3"])
    #expect(run.code == 0 && run.lines.count == 3)
    #expect(
      run.lines.allSatisfy {
        $0.hasPrefix("{\"time\":\"2024-05-14T08:15:0") && $0.hasSuffix("\"simulated\":true}")
      })
  }

  @Test func aTemplateMakesTheLine() async throws {
    let run = try await CommandRun([
      "watch", "--source", source, "--count", "2", "--format", #"{time}\t{mode}"#,
    ])
    #expect(run.output == "2024-05-14T08:15:06.000Z\t3\n2024-05-14T08:15:07.000Z\t3\n")
  }

  @Test func aDistanceThinsTheLines() async throws {
    let run = try await CommandRun(["watch", "--source", source, "--distance", "200"])
    #expect((20...40).contains(run.lines.count))
  }

  @Test func aTimeoutWithoutAFixGoodEnoughHasItsOwnCode() async throws {
    let run = try await CommandRun(["watch", "--source", source, "--accuracy", "1", "--timeout", "5s"])
    #expect(run.code == 3 && run.lines.count == 5, "the fix at the fifth second comes too late")
    #expect(
      run.errors == "whereabouts: could not reach an accuracy of 1.0 m, no older than 5 s, within 5 s\n")
  }

  @Test func aTimeoutIsMetOnceAFixWasGoodEnough() async throws {
    let run = try await CommandRun(["watch", "--source", source, "--accuracy", "block", "--timeout", "5s"])
    #expect(run.code == 0 && run.lines.count == 671)
  }

  @Test func aReaderThatLeavesEndsItQuietly() async throws {
    let run = try await CommandRun(
      shell: "(whereabouts watch --source '\(source)'; echo \"code $?\" >&2) | head -n 2")
    #expect(run.lines.count == 2 && run.errors == "code 0\n")
  }

  @Test func controlCEndsItWithASummary() async throws {
    // Ten fixes a second, interrupted after the third of them.
    let run = try await CommandRun(
      shell: """
        lines=$(mktemp)
        '\(CommandRun.binary.path())' watch --source 'replay:\(CommandRun.drive)?speed=10' > "$lines" &
        for i in $(seq 500); do [ "$(wc -l < "$lines")" -ge 3 ] && break; sleep 0.02; done
        kill -INT $!
        wait $!
        echo "code $?"
        rm "$lines"
        """)
    #expect(run.output == "code 0\n")
    #expect(run.errors.hasPrefix("interrupted after "))
  }

  @Test(arguments: [["--count", "0"], ["--distance", "-1"], ["--distance", "far"]])
  func whatCanNotBeAskedIsAUsageMistake(arguments: [String]) async throws {
    #expect(try await CommandRun(["watch", "--source", source] + arguments).code == 2)
  }

  @Test func aMissingRecordingIsAFailure() async throws {
    let run = try await CommandRun(["watch", "--source", "replay:/nowhere/at-all.nmea"])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors.contains("could not read /nowhere/at-all.nmea"))
  }
}
