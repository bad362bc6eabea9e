#if Server
  import Foundation
  import Testing

  /// `whereabouts alerts` on the crossings of a made-up drive.
  @Suite struct AlertsTests {
    private static func alerts(_ rest: String = "") -> [UInt8] {
      Array(
        """
        {"channels": {"c": {"command": ["/bin/true"]}}, "alerts": [
          {"name": "drive", "fences": ["school"], "events": ["enter", "exit"], "channels": ["c"]\(rest)},
          {"name": "none", "fences": ["nowhere"], "events": ["enter"], "channels": ["c"]}]}
        """.utf8)
    }

    @Test func decisionsArePrintedWithReasons() async throws {
      let folder = try TemporaryFolder(), store = ["--store", folder.path("s.sqlite")]
      let places = CommandRun.places, drive = CommandRun.drive
      #expect(try await CommandRun(["fence", "import", places] + store).code == 0)
      let watch = ["fence", "watch", "--source", "replay:\(drive)?speed=max"]
      #expect(try await CommandRun(watch + store).code == 0)

      let file = try folder.file("alerts.json", Self.alerts())
      let all = try await CommandRun(["alerts", file] + store)
      #expect(all.code == 0 && all.lines.count == 2, "\(all.output)\(all.errors)")
      #expect(all.lines.allSatisfy { $0.hasSuffix("drive: notified by c") }, "\(all.output)")
      #expect(all.errors.contains("the store has no fence 'nowhere'"))
      #expect(all.errors.contains("2 of 2 decisions notify"))

      let slow = try folder.file("slow.json", Self.alerts(#", "coolDown": "1h""#))
      let json = try await CommandRun(["alerts", slow, "--json", "--alert", "drive"] + store)
      #expect(
        json.lines.count == 2 && json.lines[1].contains(#""channels":[],"text":"cool-down until "#),
        "\(json.output)")
      #expect(try await CommandRun(["alerts", slow, "--notified"] + store).lines.count == 1)
      #expect(try await CommandRun(["alerts", slow, "--since", "2025-01-01"] + store).lines.isEmpty)
    }

    @Test func errorsStateTheirPlace() async throws {
      let folder = try TemporaryFolder()
      let file = try folder.file("alerts.json", Self.alerts(#", "coolDown": "long""#))
      let wrong = try await CommandRun(["alerts", file, "--store", folder.path("s.sqlite")])
      #expect(
        wrong.code == 2 && wrong.errors.contains("alerts[0].coolDown: \"long\" must be a time"),
        "\(wrong.errors)")
      let right = try folder.file("right.json", Self.alerts())
      let unknown = try await CommandRun([
        "alerts", right, "--alert", "x", "--store", folder.path("s.sqlite"),
      ])
      #expect(
        unknown.code == 2 && unknown.errors.contains("Alerts in the file: drive, none."), "\(unknown.errors)")
      let none = try await CommandRun(["alerts", right, "--store", folder.path("s.sqlite")])
      #expect(none.code == 1 && none.errors.contains("no store exists at "), "\(none.errors)")
    }
  }
#endif
