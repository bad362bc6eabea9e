import WhereaboutsFormats
import Foundation
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

@testable import WhereaboutsCLI

@Suite struct PowerTests {
  /// A store with the ledger of the drive.
  private func makeDriveStore(_ arguments: [String] = []) async throws -> TestStore {
    let store = try TestStore()
    let run = try await CommandRun(
      ["watch", "--json", "--source", CommandRun.driveSource, "--store", store.path] + arguments)
    #expect(run.code == 0 && run.lines.count > 600, "\(run.errors)")
    return store
  }

  @Test func receiverUsageOfDayIsTotalled() async throws {
    let store = try await makeDriveStore()
    let day = try await store.command("power", "--day", "2024-05-14")
    #expect(day.code == 0 && day.errors.isEmpty)
    #expect(day.lines.first == "2024-05-14: on for 11 min 53 s of 1 d 0 h, 0.8 %")
    #expect(day.lines.contains("Consumer    11 min 53 s  subscriptions"))
    #expect(day.lines.contains("Asked for   11 min 53 s  15 m"))
    #expect(day.lines.contains("Reason      11 min 53 s  precise: as asked"))
    #expect(day.lines.contains { $0.contains("00    03    06") })
    let other = try await store.command("power", "--day", "2024-05-15")
    #expect(other.lines == ["2024-05-15: the receiver was not asked for anything"])
  }

  @Test func interruptedRunLeavesNoOpenUsage() async throws {
    let store = try TestStore()
    #expect(try await store.fenceCommand("import", CommandRun.places).code == 0)
    let run = try await CommandRun.killed(
      ["fence", "watch", "--store", "'\(store.path)'"], on: CommandRun.drive, bytes: 60_000, signal: "INT",
      when: "[ -s \"$out\" ]")
    #expect(!run.lines.isEmpty, "\(run.errors)")
    let stored = try SQLiteStore.open(at: store.path)
    defer { stored.close() }
    let usages = try stored.receiverUsages(of: .this)
    #expect(!usages.isEmpty && usages.allSatisfy { !$0.isOpen }, "\(usages)")
  }

  @Test func jsonMatchesText() async throws {
    let store = try await makeDriveStore(["--power", "balanced"])
    let day = try await store.command("power", "--day", "2024-05-14", "--json")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(day.output.utf8)) as? [String: Any])
    #expect(object["on"] as? Double == 713)
    #expect(object["consumers"] as? [String: Double] == ["subscriptions": 713])
    let hours = try #require(object["hours"] as? [String: Double])
    #expect(hours.count == 24 && hours["08"] == 713 && hours.values.reduce(0, +) == 713)
    let reasons = try #require(object["reasons"] as? [String: Double])
    #expect(reasons.keys.contains { $0.hasPrefix("balanced: ") } && reasons.values.reduce(0, +) == 713)
    #expect(object["power"] == nil, "how it stands now is not how it stood then")
  }

  @Test func currentPowerStateIsReportedForToday() async throws {
    let store = try await makeDriveStore()
    let rules = try store.folder.file(
      "rules.json", Array(#"{"rules":[{"preset":"low","name":"always"}]}"#.utf8))
    let today = try await store.command("power", "--power-rules", rules)
    #expect(today.lines.contains("Preset     low by rule 1 (always)"))
    #expect(today.lines.contains { $0.hasPrefix("Power      ") })
  }

  /// The first minute of a run, whose usage has no duration in the store yet.
  @Test func receiverThatWasJustTurnedOnIsReported() {
    let begin = UTCTime(nanosecondsSince1970: 1_717_200_000_000_000_000)
    let now = begin.advanced(by: .seconds(43_200))
    let usage = ReceiverUsage(
      number: 1, began: now, duration: .zero, demand: .continuous(Demand.Continuous(accuracy: 15)),
      users: .subscriptions, preset: "precise", reason: .asAsked, isOpen: true)
    let report = PowerReport(
      ledger: PowerLedger([usage], in: begin..<begin.advanced(by: .seconds(86_400))),
      now: now.advanced(by: .seconds(30)), last: usage,
      current: PowerReport.CurrentState(PowerSettings(), .unknown, at: now))
    #expect(
      report.lines.first == "2024-06-01: the receiver was turned on; its time is recorded once a minute")
    #expect(report.lines.contains { $0.hasPrefix("Last ") })
  }

  @Test func missingStoreIsReported() async throws {
    let store = try TestStore()
    let run = try await store.command("power")
    #expect(run.code == 1 && run.errors.contains("no store exists at "))
    let day = try await store.command("power", "--day", "14.5.2024")
    #expect(day.code == 2)
  }

  @Test func reducedDemandIsExplained() async throws {
    let folder = try TemporaryFolder()
    let rules = try folder.file(
      "rules.json",
      Array(#"{"rules":[{"when":{"moving":"driving"},"preset":"balanced","name":"road"}]}"#.utf8))
    let run = try await CommandRun([
      "watch", "--source", CommandRun.driveSource, "--power-rules", rules, "--journal", folder.path("j"),
      "--json",
    ])
    #expect(run.code == 0)
    let explanation = try await CommandRun(["explain", folder.path("j")])
    #expect(
      explanation.output.contains(
        "power balanced by rule 1 (road): source asked for 15 m, every 50 m, by car"))
    #expect(explanation.output.contains("power: preset"))
  }

  /// The bytes of a pipe come once.
  @Test func rulesComeThroughAPipe() async throws {
    let run = try await CommandRun(
      shell: """
        echo '{"preset":"low"}' |
          whereabouts watch --source '\(CommandRun.driveSource)' --power-rules /dev/stdin
        """)
    #expect(run.code == 0 && !run.output.isEmpty, "\(run.errors)")
  }

  @Test(arguments: [
    (#"{"rules":[{"when":{"chargin":true},"preset":"low"}]}"#, "chargin is unknown"),
    (#"{"preset":"lowest"}"#, "no preset is called lowest: there are precise, balanced, low, minimal"),
    (#"{"rules":[{"when":{"hours":"now and then"},"preset":"low"}]}"#, "no hours"),
    (#"{"rules":[{"when":{"charging":"yes"},"preset":"low"}]}"#, "neither true nor false"),
    (#"{"rules":[{"when":{"still":1e300},"preset":"low"}]}"#, "no number of seconds"),
    (
      #"{"rules":[{"when":{"batteryBelow":20},"preset":"low"}]}"#,
      "batteryBelow is 20; it is a share from 0 to 1"
    ),
    (#"{"rules":[{"when":{"still":-5},"preset":"low"}]}"#, "still is -5; it is a number of seconds from 0"),
    (#"{"preset":{"name":"mine","interval":-1}}"#, "interval is -1; it is a number of seconds from 0"),
    (
      #"{"rules":[{"when":{"moving":"flying"},"preset":"low"}]}"#,
      "moving is flying; it is one of unknown, still, moving, walking, running, cycling, driving, fast"
    ),
    (#"{"preset":{"background":"stops"}}"#, "background is stops; it is one of by settings, continues"),
    (#"{"rules":[{"when":{"charging":true}}]}"#, "no preset"),
    ("[]", "it is no JSON object"), ("", "it is no JSON object"),
  ]) func invalidRulesFileIsRejectedWithReason(text: String, reasons: String) async throws {
    let folder = try TemporaryFolder()
    let rules = try folder.file("rules.json", Array(text.utf8))
    let run = try await CommandRun(["watch", "--source", CommandRun.driveSource, "--power-rules", rules])
    #expect(run.code == 1 && run.errors.contains(reasons), "\(run.errors)")
    #expect(run.errors.contains("could not use \(rules)"))
  }

  @Test func documentedRulesParse() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("docs/power.md"), encoding: .utf8)
    let json = try #require(
      text.components(separatedBy: "```json\n").last?.components(separatedBy: "```").first)
    let settings = try PowerFile.settings(Array(json.utf8))
    try #require(settings.rules.count == 5 && settings.rules[0].name == "in the dock")
    #expect(settings.rules[2].conditions.contains(.still(.seconds(600))))
    #expect(settings.rules[4].preset.interval == .seconds(5))
    #expect(settings.preset == .precise && settings.background == PowerSettings.Background())
  }
}
