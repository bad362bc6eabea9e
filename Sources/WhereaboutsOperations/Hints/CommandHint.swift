import WhereaboutsFormats

/// Hints for words of other programs in a command line: the command or the option that does the same.
package enum CommandHint {
  /// Words of one meaning, of which a group of commands has one, as in `fence remove` and `token revoke`.
  private static let synonyms = [
    ["remove", "revoke", "purge", "delete", "del", "rm", "erase", "forget", "clear"],
    ["add", "create", "new", "make", "set", "edit", "update", "rename"],
    ["list", "ls", "all"], ["show", "get", "info", "view", "print"],
    ["events", "log", "history", "crossings"], ["export", "save", "dump"], ["import", "load", "read"],
    ["watch", "monitor", "follow"], ["flush", "send", "sync", "upload"], ["check", "verify", "test", "try"],
  ]

  /// Returns the message for a command that does not exist.
  ///
  /// - Parameters:
  ///   - group: the commands before it, as `fence`; empty for a command of the first level.
  ///   - commands: the names of the commands of the group.
  static func unknownCommand(_ name: String, of group: [String], among commands: [String]) -> String {
    let word = name.lowercased(), path = group.map { "\($0) " }.joined()
    if group.isEmpty, let hint = hint(ofCommand: word) { return "no command '\(name)'. \(hint)" }
    let advice =
      commandLike(word, of: group, among: commands).map { "Did you mean `whereabouts \(path)\($0)`?" }
      ?? "`whereabouts \(path)--help` lists the commands."
    return "no command '\(path)\(name)'. \(advice)"
  }

  /// Returns the command that a word of a group means: one of the same meaning, or one that the word begins, continues or
  /// has with one mistake of typing; `nil` for none.
  static func commandLike(_ word: String, of group: [String], among commands: [String]) -> String? {
    let alike = synonyms.first { !group.isEmpty && $0.contains(word) }?.first { commands.contains($0) }
    return alike ?? commands.first { !word.isEmpty && ($0.hasPrefix(word) || word.hasPrefix($0)) }
      ?? commands.first { isMistyped(word, for: $0) }
  }

  /// Whether a word is another one with one character too many, missing or wrong, or with two exchanged.
  private static func isMistyped(_ word: String, for other: String) -> Bool {
    var (word, other) = (word[...], other[...])
    while let first = word.first, first == other.first {
      word.removeFirst()
      other.removeFirst()
    }
    while let last = word.last, last == other.last {
      word.removeLast()
      other.removeLast()
    }
    let isExchanged = word.count == 2 && word.elementsEqual(other.reversed())
    return isExchanged || (word.count <= 1 && other.count <= 1)
  }

  private static func hint(ofCommand word: String) -> String? {
    switch word {
    case "stats", "statistics", "summary", "report", "reports", "timeline":
      """
      `whereabouts days --by month` sums up journeys and visits, `history --summary` counts the stored fixes, \
      `replay FILE` sums up a recording.
      """
    case "info", "gpxinfo": "`whereabouts replay FILE` sums up a recording."
    case "device", "devices", "users": "`whereabouts history --summary` lists the devices of a store."
    case "locations", "points", "positions", "fixes", "dump":
      "`whereabouts history` lists fixes, `export` writes a file."
    case "geofence", "geofences", "fences", "region", "regions", "waypoint", "waypoints", "poi", "area",
      "areas":
      "`whereabouts fence` has geofences."
    case "zones":
      "`whereabouts zone` has privacy zones, `whereabouts fence` places with enter and exit events."
    case "events", "transitions": "`whereabouts fence events` lists enter, exit and dwell events."
    case "share", "link", "links", "view", "views":
      """
      `whereabouts token create --device NAME --read --expires 8h --since-now` makes a token, and \
      https://HOST/#token=SECRET shows the device. "Show to others" on the page of `serve` makes links.
      """
    case "notify", "notification", "notifications", "hook", "hooks", "webhook", "webhooks":
      "`whereabouts serve --alerts FILE` notifies of crossings, `whereabouts alerts FILE` tests the file."
    case "delete", "erase", "remove", "rm", "purge": "`whereabouts forget` erases stored data."
    case "upload", "sync", "forward": "`whereabouts queue` uploads fixes and crossings."
    case "server", "daemon", "recorder": "`whereabouts serve` is the server."
    case "locate", "where", "current", "position", "get": "`whereabouts now` prints the current location."
    case "status": "`whereabouts doctor` checks the sources, `queue status` shows the uploads."
    default: nil
    }
  }

  /// Returns the message for a template of lines that is the name of a file format; `nil` for any other text.
  package static func fileFormat(_ template: String) -> String? {
    if template == "json" { return "--format is a template for a line: --json prints JSON." }
    guard let format = RecordingFormat(rawValue: template), RecordingFormat.writable.contains(format) else {
      return nil
    }
    return """
      --format is a template for a line, as in '{lat} {lon}'. `whereabouts export --to \(template)` writes stored \
      fixes in a format of files, and `… --json | whereabouts convert --to \(template) -` those of a command.
      """
  }

  /// Returns the message of a usage error with the right option where the command line has an option of other commands
  /// or programs.
  ///
  /// - Parameters:
  ///   - message: the message, which names the unknown option.
  ///   - arguments: the command line without the program's name.
  package static func explaining(_ message: String, of arguments: [String]) -> String {
    let options = arguments.map { String($0.prefix { $0 != "=" }) }
    guard let option = options.first(where: { message.hasPrefix("Error: Unknown option '\($0)'") }),
      let end = message.firstIndex(of: "\n"),
      let hint = hint(ofOption: option, in: arguments.prefix(2).joined(separator: " "))
    else { return message }
    return "Error: Unknown option '\(option)'. \(hint)" + String(message[end...])
  }

  private static func hint(ofOption option: String, in command: String) -> String? {
    func isOf(_ commands: String...) -> Bool { commands.contains { "\(command) ".hasPrefix("\($0) ") } }
    let hasSpan = isOf("history", "export", "forget", "explain", "fence events", "alerts")
    switch option {
    case "--since" where isOf("days", "visits"): return "The first day is --from, as in --from 2024-05-14."
    case "--until" where isOf("days", "visits"): return "The last day is --to, as in --to 2024-05-14."
    case "--today" where isOf("days", "visits"):
      return "Pass the date to --from. Without a day, the last seven days are shown."
    case "--server" where isOf("days", "visits"):
      return "A server answers at /api/v1/devices/NAME/days, and shows days on its page."
    case "--limit" where isOf("history", "fence events"), "--count" where isOf("history", "fence events"):
      return "The number of the newest ones is --last."
    case "--to" where isOf("history"):
      return "The end of the time range is --until. `whereabouts export --to FORMAT` writes other formats."
    case "--format" where isOf("export"): return "The format is --to, as in --to gpx."
    case "--server" where isOf("export"), "--last" where isOf("export"):
      return
        "`whereabouts history \(option) … --json | whereabouts convert - track.gpx` writes these fixes to a file."
    case "--from" where hasSpan, "--start" where hasSpan: return "The start of the time range is --since."
    case "--to" where hasSpan, "--end" where hasSpan: return "The end of the time range is --until."
    case "-i" where isOf("convert"), "-f" where isOf("convert"), "-o" where isOf("convert"),
      "-F" where isOf("convert"):
      return
        "Write `whereabouts convert INPUT OUTPUT`: the formats follow from the content and the output's name."
    default: return nil
    }
  }
}
