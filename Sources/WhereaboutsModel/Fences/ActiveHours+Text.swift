/// The text form of weekly hours in files and commands: the weekly part of OpenStreetMap's `opening_hours`.
///
///     hours = rule { ";" rule } [ " " zone ]
///     rule  = "24/7" | days [ " " spans ] | spans | day " " time "-" day " " time
///     days  = day [ "-" day ] { "," day [ "-" day ] }
///     spans = time "-" time { "," time "-" time }
///     day   = "Mo" | "Tu" | "We" | "Th" | "Fr" | "Sa" | "Su"
///     time  = hour ":" minute          up to 24:00, at the end of a span up to 48:00
///     zone  = "UTC" [ ("+" | "-") hour [ ":" minute ] ] | a name of the IANA database, such as "Europe/Berlin"
///
/// Days without hours are whole days; hours without days apply to every day. A span whose end is not after its start
/// ends on the next day. The zone and spans longer than a day (`Fr 18:00-Mo 06:00`) are not part of OpenStreetMap's
/// grammar. Case is ignored, except in the name of a zone. `off`, holidays and seasons are not supported.
///
/// - Source: the OpenStreetMap wiki, "Key:opening_hours/specification".
extension ActiveHours {
  /// Parses hours; `nil` if the text is invalid. A named zone has no rules yet (``TimeZoneRules/init(unresolved:)``).
  public init?(text: String) {
    if let windows = Self.windows(text[...]) {
      self.init(windows)
      return
    }
    let trimmed = text.trimmingSpaces
    guard let space = trimmed.lastIndex(of: " "), let windows = Self.windows(trimmed[..<space]) else {
      return nil
    }
    let zone = trimmed[trimmed.index(after: space)...]
    if zone.lowercased().hasPrefix("utc") {
      guard let ahead = Self.offset(zone.dropFirst(3)) else { return nil }
      self.init(windows, aheadOfUTC: ahead)
    } else {
      guard zone.contains("/"), TimeZoneRules.isName(String(zone)) else { return nil }
      self.init(windows, in: TimeZoneRules(unresolved: String(zone)))
    }
  }

  /// The text form: rules separated by semicolons, then the zone unless the zone is UTC.
  public var text: String {
    let rules = Self.rules(for: windows).joined(separator: "; ")
    if let zone { return "\(rules) \(zone.name)" }
    let minutes = Int(aheadOfUTC.components.seconds / 60)
    guard minutes != 0 else { return rules }
    let clock = minutes % 60 == 0 ? "\(minutes.magnitude / 60)" : Self.clock(Int(minutes.magnitude))
    return "\(rules) UTC\(minutes < 0 ? "-" : "+")\(clock)"
  }

  // MARK: Parsing

  private static let days = ["mo", "tu", "we", "th", "fr", "sa", "su"]
  private static let day = 1440
  private static let week = 10_080

  /// Parses rules separated by semicolons.
  private static func windows(_ text: Substring) -> [Window]? {
    var windows: [Window] = []
    for rule in text.split(separator: ";") {
      guard let more = self.windows(ofRule: String(rule)) else { return nil }
      windows.append(contentsOf: more)
    }
    return windows.isEmpty ? nil : windows
  }

  /// Parses the windows of one rule, in its order; `nil` if the rule is invalid.
  package static func windows(ofRule rule: String) -> [Window]? {
    let text = rule.lowercased().trimmingSpaces
    if text == "24/7" { return [Window(start: 0, minutes: week)] }
    var reader = Reader(bytes: Array(text.utf8))
    return reader.rule()
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    mutating func rule() -> [Window]? {
      var days = Array(0..<7)
      if !isAtDigit {
        guard let named = self.days() else { return nil }
        days = named
        if isAtEnd { return days.map { Window(start: $0 * ActiveHours.day, minutes: ActiveHours.day) } }
        guard consume(" ") else { return nil }
        while consume(" ") {}
      }
      var windows: [Window] = []
      repeat {
        while consume(" ") {}
        guard let more = span(on: days) else { return nil }
        windows.append(contentsOf: more)
      } while consume(",")
      return isAtEnd ? windows : nil
    }

    private mutating func days() -> [Int]? {
      var days: [Int] = []
      repeat {
        guard let first = dayOfWeek() else { return nil }
        days.append(first)
        guard consume("-") else { continue }
        guard let last = dayOfWeek() else { return nil }
        var next = first
        while next != last {
          next = (next + 1) % 7
          days.append(next)
        }
      } while consume(",")
      return days
    }

    private mutating func span(on days: [Int]) -> [Window]? {
      let day = ActiveHours.day, week = ActiveHours.week
      guard let start = minuteOfDay(upTo: day - 1), consume("-") else { return nil }
      if !isAtDigit {
        // From one day to another.
        guard days.count == 1, let lastDay = dayOfWeek(), consume(" "), let end = minuteOfDay(upTo: day)
        else {
          return nil
        }
        let from = days[0] * day + start
        let minutes = (lastDay * day + end - from + week) % week
        return [Window(start: from, minutes: minutes == 0 ? week : minutes)]
      }
      guard let end = minuteOfDay(upTo: 2 * day) else { return nil }
      let minutes = end > start ? end - start : end - start + day
      guard minutes <= day else { return nil }
      return days.map { Window(start: $0 * day + start, minutes: minutes) }
    }

    private var isAtEnd: Bool { position == bytes.count }

    private var digit: Int? {
      guard position < bytes.count, bytes[position] >= 0x30, bytes[position] <= 0x39 else { return nil }
      return Int(bytes[position] - 0x30)
    }

    private var isAtDigit: Bool { digit != nil }

    private mutating func consume(_ mark: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: mark) else { return false }
      position += 1
      return true
    }

    private mutating func dayOfWeek() -> Int? {
      let name = bytes[position...].prefix(2)
      guard let index = ActiveHours.days.firstIndex(where: { $0.utf8.elementsEqual(name) }) else {
        return nil
      }
      position += 2
      return index
    }

    private mutating func minuteOfDay(upTo last: Int) -> Int? {
      guard let hour = number(), consume(":"), position + 2 <= bytes.count, let minute = number(),
        minute < 60,
        hour * 60 + minute <= last
      else { return nil }
      return hour * 60 + minute
    }

    /// Reads one or two digits.
    private mutating func number() -> Int? {
      guard var value = digit else { return nil }
      position += 1
      if let digit {
        value = value * 10 + digit
        position += 1
      }
      return value
    }
  }

  /// Parses an offset from UTC: empty, `+2`, `-03:30` or `+0330`; `nil` if the text is invalid or exceeds a day.
  package static func offset(_ text: Substring) -> Duration? {
    guard let sign = text.first else { return .zero }
    guard sign == "+" || sign == "-" else { return nil }
    var digits = Array(text.dropFirst().utf8)
    if let colon = digits.firstIndex(of: UInt8(ascii: ":")) {
      guard (1...2).contains(colon), digits.count == colon + 3 else { return nil }
      digits.remove(at: colon)
    }
    guard (1...4).contains(digits.count), digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    let (hours, minutes) = digits.count > 2 ? (number / 100, number % 100) : (number, 0)
    guard minutes < 60, hours * 60 + minutes <= day else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return .seconds(sign == "-" ? -seconds : seconds)
  }

  // MARK: Writing

  /// Returns rules that parse to the same windows in the same order. Consecutive days with the same hours share one
  /// rule. A window outside the week is left out.
  package static func rules(for windows: [Window]) -> [String] {
    var rules: [String] = []
    var index = 0
    let windows = windows.filter { (0..<week).contains($0.start) && (1...week).contains($0.minutes) }
    while index < windows.count {
      let first = windows[index]
      var last = index
      while last + 1 < windows.count, last - index < 6, first.minutes <= day,
        windows[last + 1].minutes == first.minutes,
        windows[last + 1].start == (windows[last].start + day) % week
      {
        last += 1
      }
      rules.append(rule(from: first, toDayOf: windows[last]))
      index = last + 1
    }
    return rules
  }

  private static func rule(from window: Window, toDayOf last: Window) -> String {
    if window == Window(start: 0, minutes: week) { return "24/7" }
    let start = window.start % day, end = (window.start + window.minutes) % week
    var text = name(ofDay: window.start / day)
    if last.start != window.start { text += "-\(name(ofDay: last.start / day))" }
    text += " \(clock(start))-"
    if window.minutes > day { return text + "\(name(ofDay: end / day)) \(clock(end % day))" }
    // Midnight at the end of the same day is 24:00.
    return text + clock(start + window.minutes == day ? day : end % day)
  }

  private static func name(ofDay index: Int) -> String {
    let name = days[index]
    return "\(name.prefix(1).uppercased())\(name.dropFirst())"
  }

  private static func clock(_ minuteOfDay: Int) -> String {
    let (hour, minute) = minuteOfDay.quotientAndRemainder(dividingBy: 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}

extension String {
  /// The text without spaces at both ends.
  fileprivate var trimmingSpaces: String {
    guard let first = firstIndex(where: { $0 != " " }), let last = lastIndex(where: { $0 != " " }) else {
      return ""
    }
    return String(self[first...last])
  }
}

extension TimeZoneRules {
  /// Returns whether a text can be the name of a time zone. A name consists of words of letters, digits and `_+-`
  /// separated by slashes, as in `America/Argentina/Buenos_Aires`. A path that leaves its folder is no name.
  public static func isName(_ text: String) -> Bool {
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    return text.utf8.count <= 64 && words.count <= 4
      && words.allSatisfy { word in
        guard let first = word.utf8.first, first | 0x20 >= 0x61, first | 0x20 <= 0x7A else { return false }
        return word.utf8.allSatisfy { byte in
          (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (0x30...0x39).contains(byte) || byte == 0x5F
            || byte == 0x2B || byte == 0x2D
        }
      }
  }
}
