import Foundation
import Testing

@Suite struct ReplayTests {
  @Test func driveIsSummarized() async throws {
    let run = try await CommandRun(["replay", CommandRun.drive])
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(try run.line(0) == "\(CommandRun.drive)  (NMEA 0183)")
    for label in [
      "When", "Fixes", "Problems", "Accuracy", "Reached", "Length", "Speed", "Climb", "Box", "Gaps",
    ] {
      #expect(run.lines.contains { $0.hasPrefix("  \(label) ") }, "\(label)")
    }
  }

  @Test func jsonIsIndependentOfReplaySpeed() async throws {
    let fast = try await CommandRun(["replay", "--json", CommandRun.drive])
    let paced = try await CommandRun(["replay", "--json", "--speed", "1000", CommandRun.drive])
    #expect(fast.code == 0 && paced.code == 0 && fast.errors.isEmpty)
    #expect(fast.output == paced.output)
    #expect(fast.lines.count { $0.hasPrefix(#"{"answer":{"level":"#) } == 5)
    #expect(fast.lines.count { $0.hasPrefix(#"{"time":"#) } == 671)
    #expect(try #require(fast.lines.last).hasPrefix(#"{"summary":{"file":"#))
  }

  @Test func distanceAcrossAntimeridianIsShort() async throws {
    let run = try await CommandRun(["replay", "--json", CommandRun.walk])
    let summary = try #require(run.lines.last)
    #expect(run.code == 0 && summary.contains(#""format":"gpx""#) && summary.contains(#""segments":2"#))
    #expect(summary.contains(#""waypoints":4"#))
    let length = try #require(summary.firstMatch(of: #/"length":([0-9]+)/#).flatMap { Int($0.1) })
    #expect((2500...3500).contains(length))
  }

  @Test func breakBetweenSegmentsIsListed() async throws {
    let run = try await CommandRun(["replay", CommandRun.walk])
    #expect(
      run.lines.suffix(2) == [
        "  Gaps        none longer than 15 s",
        "              1 break between segments: 6 min 55 s, from 21:58:21",
      ])
  }

  @Test func mapIsDrawnAndNotReplacedWithoutForce() async throws {
    let folder = try TemporaryFolder()
    let map = folder.path("map.svg")
    #expect(try await CommandRun(["replay", "--map", map, CommandRun.drive]).code == 0)
    let svg = try String(contentsOfFile: map, encoding: .utf8)
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n") && svg.contains("14 May 2024"))
    #expect(try await CommandRun(["replay", "--map", map, CommandRun.drive]).code == 1)
    #expect(try await CommandRun(["replay", "--map", map, "--force", CommandRun.drive]).code == 0)
    #expect(try folder.names == ["map.svg"])
  }

  @Test func mapOnStandardOutputSuppressesSummary() async throws {
    let run = try await CommandRun(["replay", "--map", "-", CommandRun.drive])
    #expect(run.code == 0 && run.output.hasPrefix("<svg ") && run.output.hasSuffix("</svg>\n"))
    #expect(try await CommandRun(["replay", "--map", "-", "--json", CommandRun.drive]).code == 2)
  }

  @Test func severalRecordingsAreSummarizedSeparately() async throws {
    let run = try await CommandRun(["replay", CommandRun.drive, CommandRun.walk])
    #expect(run.code == 0)
    #expect(run.lines.count { $0.hasPrefix("  When ") } == 2)
  }

  @Test func unreadableRecordingFailsWithoutMap() async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun(["replay", "--map", folder.path("map.svg"), "/nowhere/at-all.gpx"])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors == "whereabouts: could not read /nowhere/at-all.gpx: no such file or directory\n")
    #expect(try folder.names == [])
  }

  @Test func captureWithoutFixSucceeds() async throws {
    let silent = "$GPRMC,081500.00,V,,,,,,,140524,,,N*77\r\n"
    let run = try await CommandRun(["replay", "-"], input: Array(silent.utf8))
    #expect(run.code == 0 && run.output.contains("Fixes       none"))
  }

  @Test func closedPipeEndsCommandQuietly() async throws {
    let run = try await CommandRun(
      shell: "(whereabouts replay --json '\(CommandRun.drive)'; echo \"code $?\" >&2) | head -n 1")
    #expect(run.lines.count == 1 && run.errors == "code 0\n")
  }

  @Test func invalidOptionsAreUsageErrors() async throws {
    #expect(try await CommandRun(["replay"]).code == 2)
    #expect(try await CommandRun(["replay", "--speed", "0", CommandRun.drive]).code == 2)
    #expect(try await CommandRun(["replay", "--speed", "warp", CommandRun.drive]).code == 2)
  }
}
