import WhereaboutsFormats
public import WhereaboutsEngine
import WhereaboutsModel

/// One line of a journal.
public enum JournalLine: Hashable, Sendable {
  /// The header, a journal's first line.
  case header(JournalHeader)
  /// One call of the engine.
  case entry(JournalEntry)
}

/// The written form of a journal: JSON lines, described in docs/journal.md.
///
/// The form is exact: each number reads back bit for bit, and each time to the nanosecond.
public enum JournalFormat {
  /// The beginning of the first line of every journal.
  package static let signature: StaticString = "{\"whereabouts\":\"journal\","

  /// Returns whether a file that begins with these bytes is a journal.
  public static func isJournalStart(_ bytes: some Collection<UInt8>) -> Bool {
    signature.withUTF8Buffer { bytes.starts(with: $0) }
  }

  /// Returns whether a file that begins with these bytes continues a journal without its header.
  public static func isContinuation(_ bytes: some Collection<UInt8>) -> Bool {
    let opening: StaticString = "{\"at\":"
    return opening.withUTF8Buffer { bytes.starts(with: $0) }
  }

  /// Appends a header as a line.
  public static func write(_ header: JournalHeader, to bytes: inout [UInt8]) {
    bytes.append(signature)
    bytes.append("\"version\":")
    bytes.appendDecimal(JournalHeader.currentVersion)
    bytes.appendJSONMember("began", header.began)
    bytes.appendJSONMember("settings") {
      switch header.settings.authorization {
      case .notNeeded: $0.appendJSONMember("authorization", text: "not needed")
      case .needed(let level):
        $0.appendJSONMember("authorization", text: "needed")
        $0.appendJSONMember("asking", level?.rawValue)
      }
      if let motion = header.settings.motion { $0.appendJSONMember("motion", motion) }
      if let outliers = header.settings.outliers { $0.appendJSONMember("outliers", outliers) }
      $0.appendJSONMember("fences", header.settings.fences)
      if header.settings.power != PowerSettings() { $0.appendJSONMember("power", header.settings.power) }
    }
    bytes.append("}\n")
  }

  /// Appends an entry as a line.
  public static func write(_ entry: JournalEntry, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    bytes.appendJSONMember("at", entry.moment.instant)
    bytes.appendJSONMember("wall", entry.moment.wall)
    bytes.appendJSONMembers(entry.input)
    if let digest = entry.digest {
      bytes.appendJSONKey("effects")
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
  /// Returns the line of the journal.
  func journalLine() throws(FieldError) -> JournalLine {
    guard contains("whereabouts") else { return .entry(try journalEntry()) }
    guard try text("whereabouts") == "journal" else { throw FieldError(rule: "not a journal") }
    let version: Int = try integer("version").required("version")
    guard version <= JournalHeader.currentVersion else {
      throw FieldError(rule: "a version that is newer than this program", newerVersion: version)
    }
    let settings = try object("settings").required("settings")
    let header = JournalHeader(settings: try settings.engineSettings(), began: try utcTime("began"))
    return .header(header)
  }

  private func engineSettings() throws(FieldError) -> EngineSettings {
    let authorization: EngineSettings.AuthorizationPlan =
      switch try text("authorization") {
      case "not needed": .notNeeded
      case "needed": .needed(asking: try choice("asking"))
      default: throw FieldError(rule: "authorization is not a known value")
      }
    // The engine did not use settings that its journal lacks, and a replay must not either.
    let motion = try object("motion").map { fields throws(FieldError) in try fields.motionSettings() }
    let outliers = try object("outliers").map { fields throws(FieldError) in try fields.outlierSettings() }
    let fences = try object("fences").map { fields throws(FieldError) in try fields.fenceSettings() }
    return EngineSettings(
      authorization: authorization, motion: motion, outliers: outliers, fences: fences ?? FenceSettings(),
      power: try powerSettings() ?? PowerSettings())
  }

  private func journalEntry() throws(FieldError) -> JournalEntry {
    let moment = Moment(instant: try instant("at").required("at"), wall: try utcTime("wall"))
    var digest: UInt64?
    if let text = try text("effects") {
      guard let value = UInt64(text, radix: 16) else { throw FieldError(rule: "effects is no digest") }
      digest = value
    }
    return JournalEntry(moment: moment, input: try input(), digest: digest)
  }
}
