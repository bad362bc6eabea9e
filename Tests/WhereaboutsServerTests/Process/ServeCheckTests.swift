import Foundation
import Testing

@testable import WhereaboutsServer

@Suite struct ServeCheckTests {
  @Test func checkPrintsTheEffectiveSettings() async throws {
    let folder = try TemporaryPlace()
    let path = try folder.write("LISTEN=127.0.0.1:0\nMAX_BODY=2M\n", to: "conf")
    let run = try await ServerProcess.run(
      ["--config", path, "--check", "--log-level", "info"], environment: ["WHEREABOUTS_MAX_STREAMS": "9"])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run)")
    #expect(run.output.contains("LISTEN=127.0.0.1:0 (\(path):1)\n"))
    #expect(run.output.contains("MAX_STREAMS=9 (environment variable WHEREABOUTS_MAX_STREAMS)\n"))
    #expect(
      run.output.contains("LOG_LEVEL=info (--log-level)\n")
        && run.output.contains("PLAIN_HTTP=no (standard)\n"))
    #expect(run.output.hasSuffix("configuration is fine\n"))
  }

  /// A folder as the store stands for the file in it, and the socket is beside that file.
  @Test func checkPrintsTheSocketOfAStoreInAFolder() async throws {
    let folder = try TemporaryPlace(), store = folder.path("")
    let run = try await ServerProcess.run(["--check", "--store", store])
    #expect(run.output.contains("SOCKET=\(store)whereabouts.sqlite.socket (standard)\n"), "\(run)")
  }

  @Test func helpStatesTheUsesOfTheTimeZone() async throws {
    let help = try await ServerProcess.run(["--help"]).output
    let text = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("Time zone of daily trips, of notifications, and of stated times"), "\(help)")
  }

  @Test func secretThatEverybodyMayReadIsAWarning() async throws {
    let folder = try TemporaryPlace()
    let secret = try folder.write("a secret of some length\n", to: "hook.secret")
    let alerts = try folder.write(
      #"{"channels": {"a": {"webhook": "https://example.org/", "secretFile": "hook.secret"}}, "alerts": []}"#,
      to: "alerts.json")
    for (mode, warns) in [(0o644, true), (0o640, false), (0o600, false)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: secret)
      let run = try await ServerProcess.run(
        ["--check", "--alerts", alerts, "--store", folder.path("s")])
      #expect(run.code == 0 && run.output.hasSuffix("configuration is fine\n"), "\(run)")
      #expect(run.errors.isEmpty != warns, "\(run.errors)")
      if warns { #expect(run.errors.contains("channels.a.secretFile: ") && run.errors.contains("chmod o= ")) }
    }
  }

  @Test(arguments: [["--check"], ["--systemd"], []]) func everyConfigurationErrorExitsWith2(flags: [String])
    async throws
  {
    let folder = try TemporaryPlace()
    let path = try folder.write("LISTN=1\nMAX_BODY=x\n", to: "conf")
    let run = try await ServerProcess.run(
      ["--config", path, "--source", "replay:\(folder.path("none"))", "--store", folder.path("s")] + flags)
    #expect(run.code == 2 && run.output.isEmpty)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 3, "\(run.errors)")
    #expect(lines.contains { $0.contains("\(path):1: ") } && lines.contains { $0.contains("\(path):2: ") })
    #expect(lines.contains { $0.contains("--source: The file ") })
    #expect(!FileManager.default.fileExists(atPath: folder.path("s")))
  }

  @Test func severalSourcesAreOneSetting() async throws {
    let two = ["--source", "nmea:/dev/ttyACM0", "--source", "gpsd"]
    let check = try await ServerProcess.run(["--check"] + two)
    #expect(
      check.code == 0 && check.output.contains("SOURCE=nmea:/dev/ttyACM0,gpsd (--source)\n"), "\(check)")
    let unit = try await ServerProcess.run(["--systemd"] + two)
    #expect(unit.code == 0 && unit.output.contains(" --source nmea:/dev/ttyACM0,gpsd\n"), "\(unit)")
    #expect(unit.output.contains("DeviceAllow=/dev/ttyACM0 rw\n"), "\(unit)")
    let folder = try TemporaryPlace()
    let path = try folder.write("SOURCE=gpsd, auto\n", to: "conf")
    let refused = try await ServerProcess.run(["--check", "--config", path])
    #expect(
      refused.code == 2 && refused.errors.contains("auto can't be one of several sources: "), "\(refused)")
  }

  /// A folder as the store stands for the file in it.
  @Test func unitAllowsWritingToTheFolderOfTheStore() async throws {
    let folder = try TemporaryPlace(), path = String(folder.path("").dropLast())
    let run = try await ServerProcess.run(["--systemd", "--store", path])
    #expect(run.code == 0 && run.output.contains("ReadWritePaths=\(path)\n"), "\(run)")
  }

  @Test func unitIsGoodForSystemd() async throws {
    let folder = try TemporaryPlace()
    let run = try await ServerProcess.run(["--systemd", "--listen", "127.0.0.1:9", "--set", "MAX_STREAMS=5"])
    #expect(run.code == 0)
    #expect(
      run.output.contains("whereabouts serve --listen 127.0.0.1:9 --set MAX_STREAMS=5\n"), "\(run.output)")
    let analyzer = "/usr/bin/systemd-analyze"
    guard FileManager.default.isExecutableFile(atPath: analyzer) else { return }
    let unit = try folder.write(run.output, to: "whereabouts.service")
    let process = Process(), errors = Pipe()
    process.executableURL = URL(filePath: analyzer)
    process.arguments = ["verify", unit]
    process.standardError = errors
    try process.run()
    // The output ends with the process; `waitUntilExit` may spin forever on a thread of the tests' pool.
    let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    #expect(!text.contains("whereabouts.service:"), "\(text)")
  }
}
