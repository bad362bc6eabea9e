import WhereaboutsModel

/// Reads the terms of a fence from members of those names.
struct FenceTermsReader {
  /// The members that are terms, for any shape of fence.
  static let names: Set<String> = [
    "enterConfidence", "exitConfidence", "hysteresisMargin", "enterDwell", "exitDwell", "dwell", "notify",
    "reportsInitialSide", "once", "expiry", "activeHours", offsetName, zoneName, "responsiveness",
  ]
  /// The clock that active hours go by.
  static let offsetName = "utcOffset"
  static let zoneName = "timeZone"
  static let clockNames = [offsetName, zoneName]

  private var fields = JSONFields()
  private var offsets: [String: Int] = [:]

  /// Adds a member; of two with one name the first counts.
  mutating func add(_ name: String, _ value: ExactJSON, at offset: Int) {
    guard offsets[name] == nil else { return }
    offsets[name] = offset
    fields.members.append((name, value))
  }

  /// Leaves the clock's members among the other members, unless active hours use them.
  mutating func applyUTCOffset(_ others: inout [String: WhereaboutsModel.JSONValue]) {
    for name in Self.clockNames where offsets[name] != nil {
      if fields.contains("activeHours") {
        others[name] = nil
      } else {
        fields.members.removeAll { $0.name == name }
      }
    }
  }

  /// Returns the terms that are stated, and the usual ones.
  func terms() throws(FenceParseError) -> FenceTerms {
    var terms = FenceTerms()
    if fields.members.isEmpty { return terms }
    if let value = try confidence("enterConfidence") { terms.enterConfidence = value }
    if let value = try confidence("exitConfidence") { terms.exitConfidence = value }
    if let (metres, offset) = try number("hysteresisMargin") {
      guard metres >= 0, metres <= 1_000_000 else {
        throw FenceParseError(.badValue, at: offset, "hysteresisMargin is not in 0 to 1000000 m")
      }
      terms.hysteresisMargin = metres
    }
    if let value = try duration("enterDwell") { terms.enterDwell = value }
    if let value = try duration("exitDwell") { terms.exitDwell = value }
    terms.dwell = try duration("dwell")
    if let value = try duration("responsiveness") { terms.responsiveness = value }
    if let value = try kinds() { terms.notify = value }
    if let value = try parseTerm(
      "reportsInitialSide", { (name) throws(JSONFields.FieldError) in try fields.flag(name) })
    {
      terms.reportsInitialSide = value
    }
    if let value = try parseTerm("once", { (name) throws(JSONFields.FieldError) in try fields.flag(name) }) {
      terms.once = value
    }
    terms.expiry = try parseTerm("expiry") { (name) throws(JSONFields.FieldError) in try fields.utcTime(name)
    }
    terms.activeHours = try activeHours()
    return terms
  }

  /// Returns a number and its offset; other types are refused.
  func number(_ name: String) throws(FenceParseError) -> (metres: Double, offset: Int)? {
    let value = try parseTerm(name) { (name) throws(JSONFields.FieldError) in try fields.double(name) }
    return value.map { ($0, offsets[name] ?? 0) }
  }

  private func confidence(_ name: String) throws(FenceParseError) -> Double? {
    guard let (value, offset) = try number(name) else { return nil }
    guard value >= 0.5, value <= 0.9999 else {
      throw FenceParseError(.badValue, at: offset, "\(name) is not in 0.5 to 0.9999")
    }
    return value
  }

  private func duration(_ name: String) throws(FenceParseError) -> Duration? {
    let value: Duration?
    if case .text(let text)? = fields[name] {
      value = DurationText.parse(text)
    } else if case .number(let digits)? = fields[name], digits.contains(where: { $0 == "e" || $0 == "E" }) {
      value = Decimal.parse(digits).flatMap(DurationText.duration(seconds:))
    } else {
      value = try parseTerm(name) { (name) throws(JSONFields.FieldError) in try fields.duration(name) }
      if value == nil { return nil }
    }
    guard let value, value >= .zero, value <= DurationText.maxDuration else {
      throw FenceParseError(
        .badValue, at: offsets[name] ?? 0, "\(name) is no length of time: seconds, or text such as \"5m\"")
    }
    return value
  }

  private func kinds() throws(FenceParseError) -> Set<FenceEvent.Kind>? {
    guard let names = try texts("notify") else { return nil }
    var kinds: Set<FenceEvent.Kind> = []
    for name in names {
      guard let kind = FenceEvent.Kind(rawValue: name) else {
        throw FenceParseError(
          .badValue, at: offsets["notify"] ?? 0, "notify holds something else than enter, exit and dwell")
      }
      kinds.insert(kind)
    }
    return kinds
  }

  private func activeHours() throws(FenceParseError) -> ActiveHours? {
    guard let rules = try texts("activeHours", separator: ";") else { return nil }
    var hours = ActiveHours([])
    for rule in rules {
      guard let windows = ActiveHours.windows(ofRule: rule) else {
        throw FenceParseError(
          .badValue, at: offsets["activeHours"] ?? 0, "activeHours is nothing like \"Mo-Fr 09:00-17:00\"")
      }
      hours.windows.append(contentsOf: windows)
    }
    let ahead = try aheadOfUTC()
    hours.aheadOfUTC = ahead ?? .zero
    hours.zone = try timeZone()
    if hours.zone != nil, ahead != nil {
      throw FenceParseError(
        .badValue, at: offsets[Self.offsetName] ?? 0, "utcOffset and timeZone are both stated; one is enough")
    }
    return hours
  }

  /// Returns the time zone that is named, without its rules.
  private func timeZone() throws(FenceParseError) -> TimeZoneRules? {
    switch fields[Self.zoneName] {
    case nil, .null?: return nil
    case .text(let name)? where TimeZoneRules.isName(name): return TimeZoneRules(unresolved: name)
    default:
      throw FenceParseError(
        .badValue, at: offsets[Self.zoneName] ?? 0,
        "timeZone is no name of the IANA time zone database, such as \"Europe/Berlin\"")
    }
  }

  private func aheadOfUTC() throws(FenceParseError) -> Duration? {
    let name = Self.offsetName
    let value: Duration?
    if case .text(let text)? = fields[name] {
      value = text == "Z" ? .zero : text.isEmpty ? nil : ActiveHours.offset(text[...])
    } else {
      value = try parseTerm(name) { (name) throws(JSONFields.FieldError) in try fields.duration(name) }
      if value == nil { return nil }
    }
    guard let value, value <= .seconds(86_400), value >= .seconds(-86_400) else {
      throw FenceParseError(
        .badValue, at: offsets[name] ?? 0, "\(name) is no offset from UTC such as \"+01:00\"")
    }
    return value
  }

  /// Texts in an array, or in one text with something between them.
  private func texts(_ name: String, separator: Character = ",") throws(FenceParseError) -> [String]? {
    switch fields[name] {
    case nil: return nil
    case .text(let text)?:
      let texts = text.split(separator: separator).map(\.withoutSpacesAround).filter { !$0.isEmpty }
      guard !texts.isEmpty else {
        // Some programs write it for an absent value; a fence that never reports must be meant.
        throw FenceParseError(
          .badValue, at: offsets[name] ?? 0, "\(name) is an empty text: leave it out, or write [] for none")
      }
      return texts
    case .array(let values)?:
      var texts: [String] = []
      for value in values {
        guard case .text(let text) = value else { break }
        texts.append(text)
      }
      if texts.count == values.count { return texts }
    case _?: break
    }
    throw FenceParseError(.badValue, at: offsets[name] ?? 0, "\(name) is neither text nor an array of texts")
  }

  private func parseTerm<Value>(
    _ name: String, _ read: (String) throws(JSONFields.FieldError) -> Value?
  ) throws(FenceParseError) -> Value? {
    do throws(JSONFields.FieldError) {
      return try read(name)
    } catch {
      throw FenceParseError(.badValue, at: offsets[name] ?? 0, error.rule)
    }
  }
}

extension StringProtocol {
  /// The text without spaces at its ends.
  var withoutSpacesAround: String {
    var rest = self[...]
    while let first = rest.first, first.isWhitespace { rest = rest.dropFirst() }
    while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
    return String(rest)
  }
}
