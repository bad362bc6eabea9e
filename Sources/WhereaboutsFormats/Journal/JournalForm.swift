public import WhereaboutsCore

/// One line of a journal.
public enum JournalLine: Hashable, Sendable {
  /// What a journal begins with.
  case header(JournalHeader)
  /// One call of the engine.
  case entry(JournalEntry)
}

/// The written form of a journal: JSON lines, described in docs/journal.md.
///
/// Exact: what is written reads back as the same value, each number bit for bit and each time to the nanosecond.
public enum JournalForm {
  /// What the first line of every journal begins with.
  package static let opening: StaticString = "{\"whereabouts\":\"journal\","

  /// Whether a file that begins with these bytes is a journal.
  public static func isOpening(_ bytes: some Collection<UInt8>) -> Bool {
    opening.withUTF8Buffer { bytes.starts(with: $0) }
  }

  /// Whether a file that begins with these bytes goes on with a journal whose beginning is elsewhere.
  public static func isContinuation(_ bytes: some Collection<UInt8>) -> Bool {
    let opening: StaticString = "{\"at\":"
    return opening.withUTF8Buffer { bytes.starts(with: $0) }
  }

  /// Appends a header as a line.
  public static func write(_ header: JournalHeader, to bytes: inout [UInt8]) {
    bytes.append(opening)
    bytes.append("\"version\":")
    bytes.appendDecimal(JournalHeader.currentVersion)
    bytes.put("began", header.began)
    bytes.put("settings") {
      switch header.settings.authorization {
      case .notNeeded: $0.put("authorization", text: "not needed")
      case .needed(let level):
        $0.put("authorization", text: "needed")
        $0.put("asking", level?.rawValue)
      }
      if let motion = header.settings.motion { $0.put("motion", motion) }
      if let outliers = header.settings.outliers { $0.put("outliers", outliers) }
      $0.put("fences", header.settings.fences)
      if header.settings.power != PowerSettings() { $0.put("power", header.settings.power) }
    }
    bytes.append("}\n")
  }

  /// Appends an entry as a line.
  public static func write(_ entry: JournalEntry, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    bytes.put("at", entry.moment.instant)
    bytes.put("wall", entry.moment.wall)
    bytes.put(entry.input)
    if let digest = entry.digest {
      bytes.put(key: "effects")
      bytes.append(UInt8(ascii: "\""))
      let digits = String(digest, radix: 16)
      bytes.append(contentsOf: repeatElement(48, count: 16 - digits.utf8.count))
      bytes.append(contentsOf: digits.utf8)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append("}\n")
  }
}

extension JSONFields {
  /// The journal's line that this is.
  func journalLine() throws(Mistake) -> JournalLine {
    guard contains("whereabouts") else { return .entry(try journalEntry()) }
    guard try text("whereabouts") == "journal" else { throw Mistake(rule: "no journal") }
    let version: Int = try integer("version").needed("version")
    guard version <= JournalHeader.currentVersion else {
      throw Mistake(rule: "a version that is newer than this program", newerVersion: version)
    }
    let settings = try object("settings").needed("settings")
    let header = JournalHeader(settings: try settings.engineSettings(), began: try utcTime("began"))
    return .header(header)
  }

  private func engineSettings() throws(Mistake) -> EngineSettings {
    let authorization: EngineSettings.AuthorizationPlan =
      switch try text("authorization") {
      case "not needed": .notNeeded
      case "needed": .needed(asking: try choice("asking"))
      default: throw Mistake(rule: "authorization is nothing known")
      }
    // What a journal does not have its engine did not look at, and must do the same again.
    let motion = try object("motion").map { fields throws(Mistake) in try fields.motionSettings() }
    let outliers = try object("outliers").map { fields throws(Mistake) in try fields.outlierSettings() }
    let fences = try object("fences").map { fields throws(Mistake) in try fields.fenceSettings() }
    return EngineSettings(
      authorization: authorization, motion: motion, outliers: outliers, fences: fences ?? FenceSettings(),
      power: try powerSettings() ?? PowerSettings())
  }

  private func journalEntry() throws(Mistake) -> JournalEntry {
    let moment = Moment(instant: try instant("at").needed("at"), wall: try utcTime("wall"))
    var digest: UInt64?
    if let text = try text("effects") {
      guard let value = UInt64(text, radix: 16) else { throw Mistake(rule: "effects is no digest") }
      digest = value
    }
    return JournalEntry(moment: moment, input: try input(), digest: digest)
  }
}
