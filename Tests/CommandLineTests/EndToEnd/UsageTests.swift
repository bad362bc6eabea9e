import Foundation
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

  @Test(arguments: ["1", "0", "-4", "26"]) func helpIsShownInFewColumns(columns: String) async throws {
    let setting = "COLUMNS=\(columns); export COLUMNS"
    let help = try await CommandRun(shell: "\(setting); whereabouts watch --help")
    #expect(help.code == 0 && help.output.contains("--source"), "\(help.errors)")
    let mistake = try await CommandRun(shell: "\(setting); whereabouts forget --area 1")
    #expect(mistake.code == 2 && mistake.errors.contains("Unknown option '--area'"), "\(mistake.errors)")
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

  /// Also of the other name of a command.
  @Test(arguments: commands + otherNames) func helpOfATopicIsThatOfItsCommand(command: [String]) async throws
  {
    let topic = try await CommandRun(["help"] + command)
    #expect(topic.code == 0, "\(topic.errors)")
    #expect(try await CommandRun(command + ["--help"]).output == topic.output)
  }

  private static var otherNames: [[String]] {
    #if Server
      [["serve", "rejected"]]
    #else
      []
    #endif
  }

  /// People who come from other programs try the words of those.
  @Test(
    arguments: [
      (["stats"], "no command 'stats'. `whereabouts days --by month` sums up"),
      (["geofence", "list", "--json"], "no command 'geofence'. `whereabouts fence` has geofences."),
      (["share", "--device", "anna"], "--expires 8h --since-now` makes a token"),
      (["trip"], "no command 'trip'. Did you mean `whereabouts trips`?"),
      (["nope", "--json"], "no command 'nope'. `whereabouts --help` lists the commands."),
      (
        ["history", "--from", "2024-05-14"],
        "Unknown option '--from'. The start of the time range is --since."
      ),
      (
        ["fence", "events", "--end=2024-05-14"],
        "Unknown option '--end'. The end of the time range is --until."
      ),
      (["days", "--since", "2024-05-14"], "Unknown option '--since'. The first day is --from"),
      (["export", "--last", "9"], "`whereabouts history --last … --json | whereabouts convert - track.gpx`"),
      (["convert", "-i", "nmea", "-f", "a"], "Write `whereabouts convert INPUT OUTPUT`"),
      (["fence", "delete", "x"], "no command 'fence delete'. Did you mean `whereabouts fence remove`?"),
      ([""], "no command ''. `whereabouts --help` lists the commands."),
      (["fence", "ev"], "no command 'fence ev'. Did you mean `whereabouts fence events`?"),
      (["wathc"], "no command 'wathc'. Did you mean `whereabouts watch`?"),
      (["exprot", "a.gpx"], "no command 'exprot'. Did you mean `whereabouts export`?"),
      (["nwo"], "no command 'nwo'. Did you mean `whereabouts now`?"),
      (["fence", "lst"], "no command 'fence lst'. Did you mean `whereabouts fence list`?"),
      (["queue", "statuss"], "no command 'queue statuss'. Did you mean `whereabouts queue status`?"),
      (["places", "nmae", "a", "b"], "no command 'places nmae'. Did you mean `whereabouts places name`?"),
      (["places", "help"], "no command 'places help'. `whereabouts places --help` lists the commands."),
      (["repair", "udno", "2"], "no command 'repair udno'. Did you mean `whereabouts repair undo`?"),
      (["queue", "nope"], "no command 'queue nope'. `whereabouts queue --help` lists the commands."),
      // Other mistakes of the command line don't hide an unknown option.
      (["forget", "--area", "1"], "Unknown option '--area'\nUsage: whereabouts forget"),
      (["forget", "--from=2024-05-14"], "Unknown option '--from'. The start of the time range is --since."),
      (["fence", "add", "--areas", "1", "--radius", "x"], "Unknown option '--areas'"),
      (["forget", "--trip", "a", "--events"], "can't be combined"),
      (["days", "--follow", "--by", "month"], "can't be combined with --from, --to, --by, --svg and files"),
    ] as [([String], String)])
  func wordOfAnotherProgramIsExplained(arguments: [String], hint: String) async throws {
    let run = try await CommandRun(arguments)
    #expect(run.code == 2 && run.output.isEmpty && run.errors.contains(hint), "\(run.errors)")
  }

  /// The letters of such a word were options: an `h` printed the help, with exit code 0.
  @Test(arguments: [
    ["convert", "-north.nmea", "out.gpx"], ["replay", "-fast.nmea"], ["replay", "-1.nmea"],
    ["fence", "remove", "-home"], ["repair", "undo", "-1"], ["replay", "--map", "-north.svg", "a.gpx"],
  ])
  func wordBehindOneDashIsUsageError(arguments: [String]) async throws {
    let run = try await CommandRun(arguments)
    #expect(run.code == 2 && run.output.isEmpty && run.errors.contains("./-"), "\(run.errors)")
  }

  @Test(arguments: [["last"], ["history"], ["fence", "list"], ["import", CommandRun.walk]])
  func dashIsNoStore(command: [String]) async throws {
    let run = try await CommandRun(command + ["--store", "-"])
    #expect(run.code == 2 && run.errors.contains("a store is a file"), "\(run.errors)")
  }

  /// A command that fails because of its arguments creates nothing.
  @Test(arguments: failingCommands) func failureLeavesNoNewStore(command: [String]) async throws {
    let folder = try TemporaryFolder()
    let text = try folder.file("text", Array("hello\n".utf8))
    let arguments = command.map { $0.replacing("TEXT", with: text) }
    let run = try await CommandRun(arguments + ["--store", folder.path("new/store.sqlite")])
    #expect(run.code == 1, "\(run.errors)")
    #expect(try folder.names == ["text"])
  }

  private static var failingCommands: [[String]] {
    let drive = CommandRun.driveSource
    let commands = [
      ["watch", "--source", "replay:/no/such.nmea"], ["watch", "--visits", "--source", "replay:TEXT"],
      ["watch", "--source", "replay:/"], ["track", "--source", "replay:TEXT"],
      ["track", "--source", drive, "--power-rules", "/no/such.json"],
      ["fence", "watch", "--power-rules", "/no/such.json"], ["fence", "import", "TEXT"],
      ["import", "/no/such.gpx"], ["watch", "--source", drive, "--journal", "TEXT"],
      ["track", "--source", drive, "--journal", "/no/such/run.journal"],
      ["fence", "watch", "--journal", "TEXT/run.journal", "--force"],
      ["watch", "--source", "gpsd", "--journal", "/", "--force"],
    ]
    #if Server
      let journey = ["--read", "--expires", "1d", "--journey", "jsd9tmo"]
      return commands + [["token", "create", "--device", "phone"] + journey]
    #else
      return commands
    #endif
  }

  @Test func fileNameThatBeginsWithADashIsRead() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: CommandRun.walk, toPath: folder.path("-here.gpx"))
    for word in ["./-here.gpx", "-- -here.gpx"] {
      let run = try await CommandRun(shell: "cd '\(folder.path(""))' && whereabouts replay \(word)")
      #expect(run.code == 0 && run.output.contains("-here.gpx"), "\(run.errors)")
    }
  }

  @Test(arguments: [[], ["now"], ["fence", "add"]]) func helpOfACommandIsShown(topic: [String]) async throws {
    let run = try await CommandRun(["help"] + topic)
    #expect(run.code == 0 && run.output.hasPrefix("OVERVIEW: "))
  }

  /// An option with a default value states it.
  @Test(
    arguments: [
      (["now"], "city (5 km, 10 min). (default: house)"), (["explain"], "as in 25:30s. (default: house)"),
      (["replay"], "prints the fixes. (default: max)"), (["export"], "as in 5min. (default: 20 s)"),
      (["doctor"], "(default: until each has a result, at most 25 s)"),
      (["fence", "test"], "as in 2min. (default: 5 min)"),
      (["days"], "at least 1m. (default: 5 min 00 s)"), (["heading"], "0 to 180 degrees. (default: 1.0)"),
      (["queue", "add"], "1 to 1000. (default: 100)"),
    ] as [([String], String)]) func helpStatesTheDefault(command: [String], text: String) async throws
  {
    let help = try await CommandRun(command + ["--help"]).output.split(whereSeparator: \.isWhitespace)
    #expect(help.joined(separator: " ").contains(text))
  }

  @Test func helpOfImportStatesWhatIdentifiesAPoint() async throws {
    let help = try await CommandRun(["import", "--help"]).output.split(whereSeparator: \.isWhitespace)
    #expect(help.joined(separator: " ").contains("device, time and location identify a point"))
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completionsOfferValues(shell: String) async throws {
    let script = try await CommandRun(["--generate-completion-script", shell])
    #expect(script.code == 0)
    #expect(script.output.contains("---completion fence show --"))
    for words in [
      ["walk", "bike", "boat"], ["nmea", "gpx", "csv", "jsonl"], ["gpx1.0", "geojson"], ["geodesic", "none"],
      ["precise", "balanced", "minimal"], ["enter", "exit", "dwell"], ["room", "house", "city"],
      ["estimated", "candidates"], ["required", "optional"],
    ] {
      #expect(words.allSatisfy { script.output.contains($0) }, "\(words)")
    }
  }

  /// An error about a value states the form, the units and the range.
  @Test(
    arguments: [
      (["fence", "add", "a", "--at", "91,0"], "the latitude is from -90 to 90"),
      (["fence", "add", "a", "--at", "1,2", "--enter-confidence", "20%"], "per cent from 50% to 99.99%"),
      (["fence", "add", "a", "--at", "1,2", "--radius", "1mi"], "Write metres or kilometres"),
      (["fence", "add", "a", "--at", "1,2", "--hours", "Mo-Fr 25:00-26:00"], "times from 00:00 to 24:00"),
      (
        ["fence", "test", "drive.nmea", "--radius", "30,wide"],
        "Write values with commas between. Write metres"
      ),
      (["track", "--duration", "foo"], "Write a duration, as in 90s, 5min, 2h or 1h30m, up to 100 years"),
      (["fence", "add", "n", "--at", "1,1", "--dwell", "1000000h"], "Write a duration, as in 90s"),
      (
        ["fence", "test", "drive.nmea", "--dwell", "5min,long"], "commas between. Write a duration, as in 90s"
      ),
      (["forget", "--before", "9999-01-01"], "Write a time from 1678 to 2261, as in 2024-05-14T17:04:00Z"),
      (["explain", "drive.nmea", "--fence", "a", "--at", "noon"], "or a time of day, as in 17:04"),
      (["days", "--from", "14.5.2024"], "Write a day, as in 2024-05-14"),
      (["power", "--day", "today"], "Write a day, as in 2024-05-14"),
      (["replay", "--speed", "0", "one.csv"], "Write max, or a factor from 0.001 to 1000000, as in 1"),
      (["now", "--accuracy", "near"], "kilometres with an optional maximum age, as in 25, 25:30s or 1.5km"),
      (["watch", "--count", "ten"], "Write a whole number, as in 10"),
      (["fence", "events", "--after", "ten"], "Write a whole number, as in 10"),
      (["heading", "--filter", "wide"], "Write a number, as in 1.5"),
      (["relay", "--nmea", "port"], "as in 2947, 0.0.0.0:2947 or [::]:2947"),
      (["import", "--rename", "anna", "one.csv"], "as in 1184882542=anna"),
      (["fence", "add", "n", "--at", "1,1", "--property", "red"], "as in colour=red"),
      (["days", "--time-zone", "Berlin"], "as in Europe/Berlin, or an offset, as in UTC+2"),
    ] as [([String], String)]) func errorsOfValuesStateTheForm(arguments: [String], form: String) async throws
  {
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
