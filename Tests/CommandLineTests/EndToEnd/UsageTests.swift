import Testing

@testable import WhereaboutsCLI

/// Help, usage and completions.
@Suite struct UsageTests {
  static let commands: [[String]] =
    [[]]
    + [
      "now", "watch", "heading", "track", "history", "trips", "last", "power", "export", "forget", "explain",
      "replay", "convert", "relay", "doctor", "store", "store check", "fence", "fence add", "fence list",
      "fence show", "fence remove", "fence import", "fence export", "fence watch", "fence events",
      "fence test", "queue", "queue add", "queue list", "queue status", "queue flush", "queue retry",
      "queue purge", "queue remove",
    ].map { $0.split(separator: " ").map(String.init) } + serverCommands

  private static var serverCommands: [[String]] {
    #if Server
      [
        "token", "token create", "token list", "token revoke", "zone", "zone add", "zone list", "zone remove",
      ].map { $0.split(separator: " ").map(String.init) }
    #else
      []
    #endif
  }

  @Test(arguments: commands) func helpFitsATerminal(command: [String]) async throws {
    let help = try await CommandRun(command + ["--help"])
    #expect(help.code == 0)
    #expect(help.lines.allSatisfy { $0.count <= 80 }, "\(help.lines.filter { $0.count > 80 })")
    let mistake = try await CommandRun(command + ["--no-such-option"])
    #expect(mistake.code == 2)
    let usage = mistake.errors.split(separator: "\n").drop { !$0.hasPrefix("Usage") }
    #expect(usage.allSatisfy { $0.count <= 80 }, "\(usage)")
  }

  @Test func usageIsBrokenBetweenArguments() {
    let long =
      "USAGE: whereabouts convert [--from <format>] --to <format> [--date <yyyy-mm-dd>] <input> [<output>] --last"
    #expect(
      UsageText.wrapped("Error: x\n\(long)\n") == """
        Error: x
        USAGE: whereabouts convert [--from <format>] --to <format> [--date <yyyy-mm-dd>]
               <input> [<output>] --last

        """)
  }

  @Test(arguments: [["nope"], ["fence", "nope"], ["now", "nope"]])
  func helpOfUnknownCommandIsUsageError(topic: [String]) async throws {
    let run = try await CommandRun(["help"] + topic)
    #expect(run.code == 2 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("whereabouts: no help for 'nope': whereabouts"), "\(run.errors)")
  }

  @Test(arguments: [[], ["now"], ["fence", "add"]]) func helpOfACommandIsShown(topic: [String]) async throws {
    let run = try await CommandRun(["help"] + topic)
    #expect(run.code == 0 && run.output.hasPrefix("OVERVIEW: "))
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completionsOfferValues(shell: String) async throws {
    let script = try await CommandRun(["--generate-completion-script", shell])
    #expect(script.code == 0)
    for words in [
      ["walk", "bike", "boat"], ["nmea", "gpx", "csv", "jsonl"], ["gpx1.0", "geojson"], ["geodesic", "none"],
      ["precise", "balanced", "minimal"], ["enter", "exit", "dwell"], ["room", "house", "city"],
      ["estimated", "candidates"], ["required", "optional"],
    ] {
      #expect(words.allSatisfy { script.output.contains($0) }, "\(words)")
    }
  }

  /// An error about a value states the form, the units and the range.
  @Test(arguments: [
    (["fence", "add", "a", "--at", "91,0"], "the latitude is from -90 to 90"),
    (["fence", "add", "a", "--at", "1,2", "--enter-confidence", "20%"], "per cent from 50% to 99.99%"),
    (["fence", "add", "a", "--at", "1,2", "--radius", "1mi"], "Write metres or kilometres"),
    (["fence", "add", "a", "--at", "1,2", "--hours", "Mo-Fr 25:00-26:00"], "times from 00:00 to 24:00"),
    (
      ["fence", "test", "drive.nmea", "--radius", "30,wide"], "Write values with commas between. Write metres"
    ),
    (["days", "--time-zone", "Berlin"], "as in Europe/Berlin, or an offset, as in UTC+2"),
  ]) func errorsOfValuesStateTheForm(arguments: [String], form: String) async throws {
    let run = try await CommandRun(arguments)
    #expect(run.code == 2 && run.errors.contains(form), "\(run.errors)")
  }

  @Test(arguments: [
    ["replay", "-", "-"], ["explain", "-", "-"], ["fence", "test", "-", "-"], ["days", "-", "-"],
    ["visits", "-", "-"], ["places", "-", "-"], ["import", "-", "walk.gpx", "-"],
  ]) func standardInputIsReadOnce(arguments: [String]) async throws {
    let run = try await CommandRun(arguments)
    #expect(run.code == 2 && run.errors.contains("- can be given only once"), "\(run.errors)")
  }

  /// The help has line breaks, so only the beginning of each text is compared.
  @Test(arguments: deviceTexts) func helpOfDeviceStatesItsUse(command: [String], text: String) async throws {
    let help = try await CommandRun(command + ["--help"])
    #expect(help.output.contains(text), "\(help.output)")
  }

  static var deviceTexts: [([String], String)] {
    #if Server
      [
        (["token", "create"], "Device of the token."), (["token", "list"], "List only the tokens of this"),
        (["zone", "add"], "Device of the zone."), (["zone", "list"], "List only the zones that apply"),
        (["rejected"], "List only the rows of this"), (["alerts"], "Test only the crossings of this"),
        (["last"], "Device to use, in a store"),
      ]
    #else
      [(["last"], "Device to use, in a store")]
    #endif
  }

  /// An option without effect would be misleading.
  @Test(arguments: [["store", "check"], ["queue", "list"], ["queue", "status"]])
  func commandsAboutTheWholeStoreTakeNoDevice(command: [String]) async throws {
    let run = try await CommandRun(command + ["--device", "anna"])
    #expect(run.code == 2 && run.errors.contains("Unknown option '--device'"), "\(run.errors)")
  }

  @Test func helpStatesThatThinHasNoDryRun() async throws {
    let help = try await CommandRun(["forget", "--help"]).output.split(whereSeparator: \.isWhitespace)
    let text = help.joined(separator: " ")
    #expect(text.contains("Can't be combined with --dry-run: the result is unknown beforehand."), "\(text)")
    #expect(text.contains("Can't be combined with --thin and --yes."), "\(text)")
  }

  @Test func timeZoneMayBeAnOffset() async throws {
    let run = try await CommandRun(["days", "--time-zone", "UTC+2", CommandRun.walk])
    #expect(run.code == 0 && run.output.contains("23:40–23:58"), "\(run.output)\n\(run.errors)")
  }
}
