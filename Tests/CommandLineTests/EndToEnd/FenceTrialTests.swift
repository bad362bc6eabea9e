import Foundation
import Testing

@Suite struct FenceTrialTests {
  private func test(_ arguments: String...) async throws -> CommandRun {
    try await CommandRun(["fence", "test", CommandRun.drive, "--fences", CommandRun.places] + arguments)
  }

  @Test func tableHasRowForEachCombination() async throws {
    let run = try await test("--radius", "40,80", "--enter-dwell", "0s,30s")
    #expect(run.code == 0 && run.lines.count == 6)
    #expect(try run.line(0).hasPrefix("radius  enter dwell") && run.line(1).hasPrefix("as is   as is"))
    #expect(run.errors.contains("--radius does not change 2 fences: only circles have a radius"))
  }

  @Test func unchangedSettingsMatchReplay() async throws {
    let run = try await test("--events", "--json")
    let replay = try await CommandRun(["replay", "--fences", CommandRun.places, "--json", CommandRun.drive])
    let replayed = replay.lines.filter { $0.hasPrefix(#"{"fence""#) }
    let events = run.lines.dropFirst().map { String($0).replacing(#"{"setting":{},"#, with: "{") }
    #expect(events == replayed.map(String.init))
    let enters = replayed.count { $0.contains(#""event":"enter""#) }
    #expect(try run.line(0).contains(#"{"setting":{},"result":{"enter":\#(enters),"#))
  }

  @Test func longDwellReducesEvents() async throws {
    let run = try await test("--fence", "school", "--enter-dwell", "0s,10m", "--by-fence", "--json")
    #expect(run.code == 0 && run.lines.count == 3)
    #expect(try run.line(1).contains(#""enter":1"#) && run.line(2).contains(#""enter":0"#))
    #expect(try run.line(2).contains(#""heldBack":{"tooShort":1}"#))
  }

  @Test func severalTracksAreAddedUp() async throws {
    let run = try await CommandRun([
      "fence", "test", CommandRun.drive, CommandRun.drive, "--fences", CommandRun.places, "--json",
    ])
    let once = try await test("--json")
    func enters(_ run: CommandRun) -> Int {
      run.lines.first?.firstMatch(of: #/"enter":([0-9]+)/#).flatMap { Int($0.1) } ?? -1
    }
    #expect(enters(once) > 2 && enters(run) == 2 * enters(once))
  }

  @Test(arguments: [
    (["--radius", "0"], "a radius is more than 0 m"), (["--radius", "30,x"], "--radius"),
    (["--fence", "quay", "--radius", "30"], "--radius requires a circle, and no fence is a circle"),
    (["--store", "/tmp"], "can't be combined"),
    (
      [
        "--radius", (1...40).map(String.init).joined(separator: ","), "--enter-dwell",
        (1...40).map { "\($0)s" }.joined(separator: ","),
      ], "combinations are too many"
    ),
  ])
  func invalidSettingsAreRejected(arguments: [String], message: String) async throws {
    let run = try await CommandRun(
      ["fence", "test", CommandRun.drive, "--fences", CommandRun.places] + arguments)
    #expect(run.code == 2 && run.output.isEmpty && run.errors.contains(message), "\(run.errors)")
  }
}
