import Foundation
import Testing

@Suite struct ReplayFencesTests {
  private func replay(_ arguments: String...) async throws -> CommandRun {
    try await CommandRun(["replay", "--fences", CommandRun.places] + arguments)
  }

  @Test func crossingsAreReportedAndTotalled() async throws {
    let run = try await replay(CommandRun.drive)
    #expect(run.code == 0)
    #expect(run.lines.contains { $0.contains("left     Home") && $0.contains(" %") })
    #expect(run.lines.contains { $0.contains("entered  The school") })
    #expect(run.lines.contains { $0.hasPrefix("  The airfield") && $0.contains("no") })
  }

  @Test func jsonPrintsOneEventPerLine() async throws {
    let run = try await replay("--json", CommandRun.drive)
    let events = run.lines.filter { $0.hasPrefix(#"{"fence":""#) }
    #expect(run.code == 0 && !events.isEmpty)
    for event in events {
      for key in [
        "event", "time", "decided", "lat", "lon", "confidence", "uncertainty", "manner", "pending", "id",
      ] {
        #expect(event.contains("\"\(key)\":"), "\(key) in \(event)")
      }
    }
    let rest = run.lines.filter { !$0.hasPrefix(#"{"fence":""#) }
    #expect(rest.allSatisfy { $0.hasPrefix(#"{"totals":{"#) } && rest.count >= 6)
  }

  @Test func invalidFencesAreReportedAndOthersUsed() async throws {
    let folder = try TemporaryFolder()
    let good = try String(contentsOfFile: CommandRun.places, encoding: .utf8)
    let bad = good.replacing(#""radius":80"#, with: #""radius":-80"#)
    let file = try folder.file("bad.geojson", Array(bad.utf8))
    let run = try await CommandRun(["replay", "--fences", file, CommandRun.drive])
    #expect(run.code == 0 && run.output.contains("Home") && !run.output.contains("The school"))
    #expect(run.errors.hasPrefix("\(file): 1 problem, passed over\n  line 3, column "))
    #expect(!run.errors.contains("51."))
  }

  @Test func fileWithoutFencesFails() async throws {
    let run = try await CommandRun(["replay", "--fences", CommandRun.drive, CommandRun.drive])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors.hasSuffix("could not use \(CommandRun.drive): the file has no fences\n"))
    let missing = try await CommandRun(["replay", "--fences", "/nowhere/at-all", CommandRun.drive])
    #expect(missing.code == 1)
    #expect(missing.errors == "whereabouts: could not read /nowhere/at-all: no such file or directory\n")
  }

  @Test(arguments: [
    (#""activeHours":"Mo 08:00-09:00","timeZone":"Europe/Nowhere""#, "no time zone Europe/Nowhere"),
    (#""enterConfidence":7"#, "enterConfidence is not in 0.5 to 0.9999"),
  ])
  func fileWithInvalidFencesFailsWithTheReason(properties: String, reason: String) async throws {
    let folder = try TemporaryFolder()
    let text =
      #"{"type":"Feature","id":"shop","properties":{"radius":50,\#(properties)},"#
      + #""geometry":{"type":"Point","coordinates":[1,2]}}"#
    let file = try folder.file("shop.geojson", Array(text.utf8))
    let run = try await CommandRun(["replay", "--fences", file, CommandRun.drive])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors.contains(reason), "\(run.errors)")
    #expect(run.errors.hasSuffix("could not use \(file): no fence of the file is valid\n"), "\(run.errors)")
  }

  @Test func fencesAndTrackOptionsExcludeEachOther() async throws {
    let run = try await replay("--track", CommandRun.drive)
    #expect(run.code == 2 && run.errors.contains("--fences and --track can't be combined"))
    let folder = try TemporaryFolder(), file = folder.path("run.journal")
    #expect(
      try await CommandRun(["now", "--source", CommandRun.driveSource, "--journal", file]).code == 0)
    let journal = try await CommandRun(["replay", "--fences", CommandRun.places, file])
    #expect(journal.code == 2 && journal.errors.contains("--fences requires a recording"))
  }

  /// Lines of a recording as CSV, so that they can be put in another order.
  private func rows() async throws -> [Substring] {
    let run = try await CommandRun(["convert", "--to", "csv", CommandRun.drive, "-"])
    try #require(run.code == 0 && run.lines.count > 600)
    return run.lines
  }

  @Test func shuffledAndDuplicatedFixesGiveSameEvents() async throws {
    let folder = try TemporaryFolder()
    let rows = try await rows()
    let header = try #require(rows.first)
    let fixes = Array(rows.dropFirst())
    var disordered: [Substring] = []
    // Threes the wrong way round and every fix twice: no more than 3 s late.
    for start in stride(from: 0, to: fixes.count, by: 3) {
      let group = fixes[start..<min(start + 3, fixes.count)]
      disordered += group.reversed().flatMap { [$0, $0] }
    }
    func events(_ fixes: [Substring], _ name: String) async throws -> [String] {
      let text = ([header] + fixes).joined(separator: "\n") + "\n"
      let file = try folder.file(name, Array(text.utf8))
      let run = try await replay("--json", file)
      #expect(run.code == 0)
      // To a tenth of a second: which fix after a tunnel is the first one in is seen in the last digits.
      return run.lines.compactMap { line in
        let event = line.firstMatch(
          of: #/^{"fence":"([a-z]+)","event":"([a-z]+)","time":"([^"]+\.[0-9])[^"]*","decided":"([^"]+)"/#)
        return event.map { "\($0.1) \($0.2) \($0.3) \($0.4)" }
      }
    }
    let inOrder = try await events(fixes, "fixes.csv")
    #expect(inOrder.count >= 4)
    #expect(try await events(disordered, "disordered.csv") == inOrder)
  }
}
