import Foundation
import Logging
import Testing
import WhereaboutsStore

@testable import WhereaboutsServer

@Suite struct ServerConfigurationTests {
  private let folder: TemporaryPlace

  init() throws { folder = try TemporaryPlace() }

  private func input(
    flags: [ServerSetting: String] = [:], environment: [String: String] = [:], file: String? = nil
  ) throws -> ServerConfiguration.Input {
    var input = ServerConfiguration.Input()
    for (setting, text) in flags { input.flags[setting] = SettingValue(text, .flag("--\(setting.rawValue)")) }
    input.environment = environment
    input.file = try file.map { try folder.write($0, to: "conf") }
    input.checkSource = { $0 == "bad" ? "There is no source bad." : nil }
    return input
  }

  /// The problems of a configuration, with the file's path as `conf`.
  private func problems(_ input: ServerConfiguration.Input) -> [String] {
    do throws(ConfigurationProblems) {
      _ = try ServerConfiguration(input)
      return []
    } catch {
      return error.all.map { "\($0)".replacing(folder.path(""), with: "") }
    }
  }

  @Test func defaultConfigurationListensOnLoopbackOnly() throws {
    let configuration = try ServerConfiguration(ServerConfiguration.Input())
    #expect(configuration.settings.isLoopback && configuration.settings.port == 8080)
    #expect(configuration.settings.tls == nil && configuration.settings.osmAndPort == nil)
    #expect(configuration.settings.limits == ServerLimits())
    #expect(configuration.store == nil && configuration.source == nil && configuration.logLevel == .notice)
  }

  @Test(
    arguments: [
      ([:], [:], "LISTEN=1", 1), ([:], ["WHEREABOUTS_LISTEN": "2"], "LISTEN=1", 2),
      ([.listen: "3"], ["WHEREABOUTS_LISTEN": "2"], "LISTEN=1", 3),
      ([.listen: "3"], [:], nil, 3), ([:], ["WHEREABOUTS_LISTEN": ""], "LISTEN=1", 1),
    ] as [([ServerSetting: String], [String: String], String?, Int)])
  func flagOutweighsVariableOutweighsFile(
    flags: [ServerSetting: String], environment: [String: String], file: String?, port: Int
  ) throws {
    let configuration = try ServerConfiguration(input(flags: flags, environment: environment, file: file))
    #expect(configuration.settings.port == port)
  }

  @Test func changedContentOfAFileIsAChange() throws {
    let alerts = { (coolDown: String) in
      """
      {"channels": {"c": {"command": ["/bin/true"]}}, "alerts": [
        {"name": "a", "fences": ["f"], "events": ["enter"], "coolDown": "\(coolDown)", "channels": ["c"]}]}
      """
    }
    let phones = { (unit: String) in #"{"phones": {"anna": {"speedUnit": "\#(unit)"}}}"# }
    let paths = (alerts: folder.path("alerts.json"), phones: folder.path("phones.json"))
    func configuration(_ coolDown: String, _ unit: String) throws -> ServerConfiguration {
      _ = try folder.write(alerts(coolDown), to: "alerts.json")
      _ = try folder.write(phones(unit), to: "phones.json")
      return try ServerConfiguration(input(flags: [.alerts: paths.alerts, .phones: paths.phones]))
    }
    let before = try configuration("1h", "m/s")
    #expect(try before.changes(to: configuration("1h", "m/s")) == [])
    #expect(try before.changes(to: configuration("2h", "m/s")) == [.alerts])
    #expect(try before.changes(to: configuration("1h", "kn")) == [.phones])
  }

  @Test func everyValueIsRead() throws {
    let text = """
      LISTEN=[::1]:9000
      STORE=/tmp/x
      SOURCE=gpsd
      OSMAND_PORT=5055
      TRUSTED_PROXIES=127.0.0.1, fd00::/8
      TIME_ZONE=Asia/Kathmandu
      RETENTION_AGE=30d
      LOG_LEVEL=Debug
      LOG_JSON=yes
      MAX_BODY=2M
      MAX_REQUESTS=3
      MAX_STREAMS=4
      MAX_CONNECTIONS=5
      MAX_WAIT=6m
      BODY_TIMEOUT=7
      IDLE_TIMEOUT=8s
      KEEP_ALIVE=1h
      """
    let read = try ServerConfiguration(input(file: text))
    var limits = ServerLimits()
    (limits.bodySize, limits.ingestions, limits.streams, limits.connections) = (2 << 20, 3, 4, 5)
    (limits.longestWait, limits.bodyTimeout) = (.seconds(360), .seconds(7))
    (limits.idleTimeout, limits.keepAlive) = (.seconds(8), .seconds(3600))
    #expect(read.settings.limits == limits)
    #expect(read.settings.host == "::1" && read.settings.port == 9000 && read.settings.osmAndPort == 5055)
    #expect(read.settings.trustedProxies == TrustedProxies(SettingText(text: "127.0.0.1,fd00::/8")))
    #expect(read.settings.timeZone.identifier == "Asia/Kathmandu")
    #expect(
      read.store == "/tmp/x" && read.source == "gpsd"
        && read.storeSettings.retention.age == .seconds(2_592_000))
    #expect(read.logLevel == .debug && read.logsJSON)
    // Each given value is shown with its place, so nothing is forgotten.
    let summary = read.summary(storeFile: "s").split(separator: "\n")
    #expect(summary.count == ServerSetting.allCases.count)
    #expect(summary.first?.hasSuffix("conf:1)") == true)
  }

  /// A unit of systemd runs the server in another folder, without this user's environment.
  @Test func argumentsHaveTheFileAndAbsolutePaths() {
    let here = FileManager.default.currentDirectoryPath
    var input = ServerConfiguration.Input()
    input.environment = ["WHEREABOUTS_CONFIG": "conf", "WHEREABOUTS_LISTEN": "9000"]
    input.flags = [
      .source: SettingValue("replay:a.nmea?speed=20", .flag("--source")),
      .plainHTTP: SettingValue("yes", .flag("--plain-http")),
    ]
    for text in ["TLS_KEY=key.pem", "SOCKET=no", "LOG_JSON=yes", "MAX_BODY=8M"] { input.set(text) }
    #expect(
      input.arguments == [
        "--config", "\(here)/conf", "--source", "replay:\(here)/a.nmea?speed=20", "--set",
        "TLS_KEY=\(here)/key.pem", "--plain-http", "--set", "SOCKET=no", "--set", "LOG_JSON=yes", "--set",
        "MAX_BODY=8M",
      ])
  }

  @Test(arguments: [
    ("nmea:gps/port?baud=9600", "nmea:HERE/gps/port?baud=9600"),
    ("gpsd, nmea:a,nmea:b", "gpsd,nmea:HERE/a,nmea:HERE/b"),
    ("replay:a,b.nmea", "replay:HERE/a,b.nmea"), ("nmea:-", "nmea:-"),
    ("nmea:tcp://boat:10110", "nmea:tcp://boat:10110"),
    ("nmea:udp://:10110", "nmea:udp://:10110"), ("nmea:/dev/ttyACM0,auto", "nmea:/dev/ttyACM0,auto"),
  ])
  func sourceInArgumentsHasAnAbsolutePath(source: String, expected: String) {
    var input = ServerConfiguration.Input()
    input.flags = [.source: SettingValue(source, .flag("--source"))]
    let here = FileManager.default.currentDirectoryPath
    #expect(input.arguments == ["--source", expected.replacing("HERE", with: here)])
  }

  @Test(arguments: [
    ("LISTEN=x", "LISTEN must be HOST:PORT"), ("LISTEN=1.2.3.4:70000", "LISTEN must be"),
    ("LISTEN=::1:80", "LISTEN must be"), ("LISTEN=", "LISTEN must be"), ("LISTEN=+1", "LISTEN must be"),
    ("LISTEN=0.0.0.0:80", "Listening at 0.0.0.0 without TLS"),
    ("OSMAND_PORT=8080", "LISTEN has the port 8080 too"), ("OSMAND_PORT=-1", "OSMAND_PORT must be a port"),
    ("PLAIN_HTTP=maybe", "PLAIN_HTTP must be yes or no"), ("TIME_ZONE=Mars/Olympus", "TIME_ZONE must be"),
    ("TRUSTED_PROXIES=127.0.0.1,proxy", "TRUSTED_PROXIES must be addresses and networks"),
    ("LOG_LEVEL=loud", "LOG_LEVEL must be error,"), ("STORE=", "STORE must be the path"),
    ("SOURCE=bad", "There is no source bad."), ("RETENTION_AGE=1s", "RETENTION_AGE must be"),
    ("MAX_BODY=1000000G", "MAX_BODY must be a size"), ("MAX_BODY=9223372036854775807K", "MAX_BODY must be"),
    ("MAX_BODY=M", "MAX_BODY must be"), ("MAX_STREAMS=0", "MAX_STREAMS must be"),
    ("MAX_WAIT=2h", "MAX_WAIT must be"),
    ("TLS_CERTIFICATE=/none", "TLS_KEY is missing."), ("TLS_KEY=/none", "TLS_CERTIFICATE is missing."),
  ])
  func errorIsReportedWithItsLine(line: String, expected: String) throws {
    let problems = problems(try input(file: "# first\n\(line)"))
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("conf:2: \(expected)") == true, "\(problems)")
  }

  @Test func allConfigurationErrorsAreReportedTogether() throws {
    var input = try input(
      flags: [.logLevel: "loud"],
      environment: [
        "WHEREABOUTS_MAX_WAIT": "long", "WHEREABOUTS_NONSENSE": "1", "WHEREABOUTS_DATA": "tests",
      ],
      file: "LISTEN=x\nMAX_BODIES=1\nTLS_CERTIFICATE=/none\nTLS_KEY=/none")
    input.set("MAX_STREAMS")
    input.set("MAX_STREAM=1")
    input.set("MAX_STREAMS=none")
    let problems = problems(input)
    let places = problems.map { $0.split(separator: ": ").first.map(String.init) ?? "" }.sorted()
    #expect(
      places == [
        "--LOG_LEVEL", "--set", "--set", "--set MAX_STREAMS", "conf:1", "conf:2", "conf:3",
        "environment variable WHEREABOUTS_MAX_WAIT", "environment variable WHEREABOUTS_NONSENSE",
      ], "\(problems)")
  }

  /// A shell in which commands ask a server may start one, too.
  @Test func tokenOfCommandsIsNoSetting() throws {
    let environment = ["WHEREABOUTS_TOKEN": "wht_x", "WHEREABOUTS_LISTEN": "77"]
    #expect(try ServerConfiguration(input(environment: environment)).settings.port == 77)
  }

  @Test func variableNamesTheFile() throws {
    let path = try folder.write("LISTEN=77", to: "other")
    #expect(try ServerConfiguration(input(environment: ["WHEREABOUTS_CONFIG": path])).settings.port == 77)
    #expect(
      problems(try input(environment: ["WHEREABOUTS_CONFIG": folder.path("none")])).first?
        .hasPrefix("none: The file can't be read") == true)
  }

  @Test func plainHTTPBeyondThisMachineNeedsConsent() throws {
    #expect(
      try ServerConfiguration(input(file: "LISTEN=0.0.0.0:1\nPLAIN_HTTP=yes")).settings.host == "0.0.0.0")
  }
}
