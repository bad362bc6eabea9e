import WhereaboutsCore

/// Hours of the week as OpenStreetMap's `opening_hours` writes them, as far as they come again every week:
/// `Mo-Fr 09:00-12:00,13:00-17:00`, `Sa,Su 22:00-06:00`, `08:00-20:00` (every day), `24/7`.
///
/// Besides, for what lasts longer than a day: `Fr 18:00-Mo 06:00`.
/// - Source: the OpenStreetMap wiki, "Key:opening_hours/specification".
enum ActiveHoursText {
  private static let days: [StaticString] = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
  private static let day = 1440
  private static let week = 10_080

  // MARK: Reading

  /// The windows that a rule names, in its order, or `nil` where it is none.
  static func parse(_ rule: String) -> [ActiveHours.Window]? {
    var text = rule.withoutSpacesAround
    if text == "24/7" { return [ActiveHours.Window(start: 0, minutes: week)] }
    return text.withUTF8 { bytes in
      var reader = Reader(bytes: UnsafeRawBufferPointer(bytes))
      return reader.rule()
    }
  }

  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    mutating func rule() -> [ActiveHours.Window]? {
      var days: [Int] = []
      if !isAtDigit {
        repeat {
          guard let first = dayOfWeek() else { return nil }
          days.append(first)
          guard take("-") else { continue }
          guard let last = dayOfWeek() else { return nil }
          var next = first
          while next != last {
            next = (next + 1) % 7
            days.append(next)
          }
        } while take(",")
        guard take(" ") else { return nil }
        while take(" ") {}
      } else {
        days = Array(0..<7)
      }
      var windows: [ActiveHours.Window] = []
      repeat {
        while take(" ") {}
        guard let more = span(on: days) else { return nil }
        windows.append(contentsOf: more)
      } while take(",")
      return position == bytes.count ? windows : nil
    }

    private mutating func span(on days: [Int]) -> [ActiveHours.Window]? {
      guard let start = minuteOfDay(upTo: day - 1), take("-") else { return nil }
      if !isAtDigit {
        // From one day to another.
        guard days.count == 1, let lastDay = dayOfWeek(), take(" "), let end = minuteOfDay(upTo: day) else {
          return nil
        }
        let from = days[0] * day + start
        let minutes = (lastDay * day + end - from + week) % week
        return [ActiveHours.Window(start: from, minutes: minutes == 0 ? week : minutes)]
      }
      guard let end = minuteOfDay(upTo: 2 * day) else { return nil }
      let minutes = end > start ? end - start : end - start + day
      guard minutes <= day else { return nil }
      return days.map { ActiveHours.Window(start: $0 * day + start, minutes: minutes) }
    }

    private var isAtDigit: Bool { position < bytes.count && bytes[position].asciiDigit != nil }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: mark) else { return false }
      position += 1
      return true
    }

    private mutating func dayOfWeek() -> Int? {
      guard position + 2 <= bytes.count else { return nil }
      for (index, name) in days.enumerated()
      where bytes[position] == name.utf8Start[0] && bytes[position + 1] == name.utf8Start[1] {
        position += 2
        return index
      }
      return nil
    }

    private mutating func minuteOfDay(upTo last: Int) -> Int? {
      guard let hour = number(), take(":"), position + 2 <= bytes.count, let minute = number(), minute < 60,
        hour * 60 + minute <= last
      else { return nil }
      return hour * 60 + minute
    }

    /// One or two digits.
    private mutating func number() -> Int? {
      guard isAtDigit, var value = bytes[position].asciiDigit else { return nil }
      position += 1
      if isAtDigit, let digit = bytes[position].asciiDigit {
        value = value * 10 + digit
        position += 1
      }
      return value
    }
  }

  /// How far a clock is ahead of UTC: `Z`, `+01:00`, `-0330`, `+01`; or `nil` where it is none of these.
  static func offset(_ text: String) -> Duration? {
    var bytes = Array(text.utf8)
    if bytes == [UInt8(ascii: "Z")] { return .zero }
    guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    bytes.removeFirst()
    if bytes.count == 5, bytes[2] == UInt8(ascii: ":") { bytes.remove(at: 2) }
    let digits = bytes.compactMap(\.asciiDigit)
    guard digits.count == bytes.count, digits.count == 2 || digits.count == 4 else { return nil }
    let minutes = digits.count == 4 ? digits[2] * 10 + digits[3] : 0
    guard minutes < 60 else { return nil }
    let ahead = Duration.seconds((digits[0] * 10 + digits[1]) * 3600 + minutes * 60)
    return sign == UInt8(ascii: "-") ? .zero - ahead : ahead
  }

  // MARK: Writing

  /// Rules for these windows, which read back as the same in the same order; days that follow each other with the same
  /// hours are one rule. What is no span of the week is left out.
  static func rules(for windows: [ActiveHours.Window]) -> [String] {
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

  private static func rule(from window: ActiveHours.Window, toDayOf last: ActiveHours.Window) -> String {
    if window == ActiveHours.Window(start: 0, minutes: week) { return "24/7" }
    var bytes: [UInt8] = []
    let start = window.start % day, end = (window.start + window.minutes) % week
    bytes.append(days[window.start / day])
    if last.start != window.start {
      bytes.append("-")
      bytes.append(days[last.start / day])
    }
    bytes.append(" ")
    appendTime(start, to: &bytes)
    bytes.append("-")
    if window.minutes > day {
      bytes.append(days[end / day])
      bytes.append(" ")
      appendTime(end % day, to: &bytes)
    } else {
      // Midnight at the end of the same day is 24:00.
      appendTime(start + window.minutes == day ? day : end % day, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func appendTime(_ minuteOfDay: Int, to bytes: inout [UInt8]) {
    bytes.appendDigits(minuteOfDay / 60, count: 2)
    bytes.append(":")
    bytes.appendDigits(minuteOfDay % 60, count: 2)
  }
}
