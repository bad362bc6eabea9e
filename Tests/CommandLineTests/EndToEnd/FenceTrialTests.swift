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
    #expect(try run.line(0).contains("withheld"))
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

  /// A noisy walk to the north past the school, a fix each 5 s. Its evidence differs with the fences near it.
  private static let walk: [UInt8] = Array(
    (0..<180).map { index -> String in
      let latitude = 51.47 + Double(7 * index + 3 * (index * 7 % 5 - 2)) * 9e-6
      let longitude = Double(3 * (index * 3 % 5 - 2)) * 14e-6
      let (minute, second) = (5 * index).quotientAndRemainder(dividingBy: 60)
      return String(
        format: #"{"time":"2026-03-02T08:%02d:%02dZ","lat":%.6f,"lon":%.6f,"hacc":10}"#, minute, second,
        latitude, longitude) + "\n"
    }.joined().utf8)

  /// Circles of these radii around one place of the walk, as GeoJSON.
  private static func circles(_ radii: [(id: String, radius: Int)]) -> [UInt8] {
    let features = radii.map { id, radius in
      #"{"type":"Feature","id":"\#(id)","geometry":{"type":"Point","coordinates":[0,51.4781]},"#
        + #""properties":{"radius":\#(radius)}}"#
    }
    return Array(
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#.utf8)
  }

  private func replayedEvents(_ walk: String, _ fences: String) async throws -> [String] {
    try await CommandRun(["replay", "--fences", fences, "--json", walk]).lines
      .filter { $0.hasPrefix(#"{"fence""#) }.map(String.init)
  }

  @Test func eachSettingMatchesReplay() async throws {
    let folder = try TemporaryFolder()
    let walk = try folder.file("walk.jsonl", Self.walk)
    let fences = try [100, 50, 150, 300].map {
      (radius: $0, file: try folder.file("school-\($0).geojson", Self.circles([("school", $0)])))
    }
    let run = try await CommandRun([
      "fence", "test", walk, "--fences", fences[0].file, "--radius", "50,150,300", "--events", "--json",
    ])
    for (radius, file) in fences {
      let setting = radius == 100 ? #"{"setting":{},"# : #"{"setting":{"radius":\#(radius)},"#
      let events = run.lines.filter { $0.hasPrefix(setting + #""fence""#) }
        .map { String($0).replacing(setting, with: "{") }
      let replayed = try await replayedEvents(walk, file)
      #expect(replayed.count == 2 && events == replayed, "radius \(radius)")
    }
  }

  @Test func otherFencesAreWatchedBesideTestedFence() async throws {
    let folder = try TemporaryFolder()
    let walk = try folder.file("walk.jsonl", Self.walk)
    let fences = try folder.file("two.geojson", Self.circles([("school", 100), ("yard", 300)]))
    let run = try await CommandRun([
      "fence", "test", walk, "--fences", fences, "--fence", "school", "--events", "--json",
    ])
    let replayed = try await replayedEvents(walk, fences).filter { $0.hasPrefix(#"{"fence":"school""#) }
    func times(_ lines: [String]) -> [String] {
      lines.compactMap { line in
        line.firstMatch(of: #/"time":"([^"]+)","decided":"([^"]+)"/#).map { "\($0.1) \($0.2)" }
      }
    }
    #expect(run.code == 0 && run.lines.count == 3 && replayed.count == 2)
    #expect(times(run.lines.map(String.init)) == times(replayed) && times(replayed).count == 2)
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
    (["--radius", "0"], "radius is not more than 0"), (["--radius", "30,x"], "--radius"),
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
