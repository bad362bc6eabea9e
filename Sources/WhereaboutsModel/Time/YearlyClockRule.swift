/// The yearly rule of a clock: one offset, or two in turn, in POSIX form: `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// - Source: POSIX.1-2017, "Base Definitions", 8.3, `TZ`, with the hours from -167 to 167 of RFC 8536, 3.3.1.
package struct YearlyClockRule: Hashable, Sendable, Codable {
  /// A moment of each year, by the clock that is in use until then.
  struct YearDay: Hashable, Sendable, Codable {
    /// The day.
    enum Day: Hashable, Sendable, Codable {
      /// The day of the year from 1 to 365; February 29 is never counted.
      case julian(Int)
      /// The day of the year from 0 to 365; February 29 is counted.
      case ordinal(Int)
      /// The weekday (0 Sunday) of a month: the first, second, third, fourth or, by 5, the last.
      case weekday(Int, week: Int, month: Int)
    }

    var day: Day
    /// Seconds since midnight.
    var second: Int
  }

  /// The text of the rule.
  package let text: String
  let standard: Int
  let summer: Int?
  let start: YearDay
  let end: YearDay

  /// Parses a rule; `nil` if the text is invalid.
  package init?(_ text: String) {
    var reader = Reader(bytes: Array(text.utf8))
    guard reader.skipName(), let standard = reader.offset() else { return nil }
    self.text = text
    self.standard = -standard
    guard !reader.isAtEnd else {
      summer = nil
      start = YearDay(day: .ordinal(0), second: 0)
      end = start
      return
    }
    guard reader.skipName() else { return nil }
    var ahead = -standard + 3600
    if !reader.isAt(",") {
      guard let stated = reader.offset() else { return nil }
      ahead = -stated
    }
    guard reader.consume(","), let start = reader.yearDay(), reader.consume(","), let end = reader.yearDay(),
      reader.isAtEnd
    else { return nil }
    summer = ahead
    self.start = start
    self.end = end
  }

  /// Reads the text of a rule.
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let rule = Self(try value.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "no rule of a clock")
    }
    self = rule
  }

  /// Writes the text of the rule.
  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(text)
  }

  // MARK: Offsets

  /// Returns the seconds ahead of UTC at a second since 1970.
  func offset(at second: Int64) -> Int {
    guard let summer else { return standard }
    let year = Self.year(of: second)
    // Near the turn of a year the clock of the year before may still be in use.
    var latest = (time: Int64.min, offset: standard)
    for one in [year - 1, year, year + 1] {
      let changes = [(moment(start, in: one, standard), summer), (moment(end, in: one, summer), standard)]
      for (time, offset) in changes where time <= second && time >= latest.time { latest = (time, offset) }
    }
    return latest.offset
  }

  /// Returns the second since 1970 of the next change of the clock.
  func nextChange(after second: Int64) -> Int64? {
    guard let summer, second < Self.latestSecond else { return nil }
    let year = Self.year(of: max(second, -Self.latestSecond))
    let all = [year - 1, year, year + 1, year + 2].flatMap {
      [moment(start, in: $0, standard), moment(end, in: $0, summer)]
    }
    return all.filter { $0 > second && offset(at: $0) != offset(at: $0 - 1) }.min()
  }

  /// Three centuries from 1970: there are no times beyond.
  private static let latestSecond: Int64 = 9_300_000_000

  private static func year(of second: Int64) -> Int {
    CivilTime(daysSince1970: Int((second - (second < 0 ? 86_399 : 0)) / 86_400)).year
  }

  private func moment(_ moment: YearDay, in year: Int, _ offset: Int) -> Int64 {
    Int64(Self.days(moment.day, in: year)) * 86_400 + Int64(moment.second - offset)
  }

  /// Returns the days from 1970-01-01 to a day of a year.
  private static func days(_ day: YearDay.Day, in year: Int) -> Int {
    let first = CivilTime(year: year, month: 1, day: 1).daysSince1970
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    switch day {
    case .julian(let number): return first + number - 1 + (isLeap && number >= 60 ? 1 : 0)
    case .ordinal(let number): return first + number
    case .weekday(let weekday, let week, let month):
      let monthBegins = CivilTime(year: year, month: month, day: 1).daysSince1970
      let next =
        month == 12
        ? CivilTime(year: year + 1, month: 1, day: 1).daysSince1970
        : CivilTime(year: year, month: month + 1, day: 1).daysSince1970
      // 1970 began on a Thursday.
      let begins = ((monthBegins + 4) % 7 + 7) % 7
      var found = monthBegins + (weekday - begins + 7) % 7 + 7 * (week - 1)
      while found >= next { found -= 7 }
      return found
    }
  }

  // MARK: Parsing

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    func isAt(_ mark: Unicode.Scalar) -> Bool {
      position < bytes.count && bytes[position] == UInt8(ascii: mark)
    }

    mutating func consume(_ mark: Unicode.Scalar) -> Bool {
      guard isAt(mark) else { return false }
      position += 1
      return true
    }

    /// Skips a name: letters, or anything in `<>`. The name is not stored.
    mutating func skipName() -> Bool {
      let begin = position
      if consume("<") {
        while position < bytes.count, !isAt(">") { position += 1 }
        return consume(">")
      }
      while position < bytes.count, bytes[position] | 0x20 >= 0x61, bytes[position] | 0x20 <= 0x7A {
        position += 1
      }
      return position - begin >= 3
    }

    private mutating func number() -> Int? {
      let begin = position
      var value = 0
      while position < bytes.count, position - begin < 3, bytes[position] >= 0x30, bytes[position] <= 0x39 {
        value = value * 10 + Int(bytes[position] - 0x30)
        position += 1
      }
      return position > begin ? value : nil
    }

    private mutating func number(in range: ClosedRange<Int>) -> Int? {
      number().flatMap { range.contains($0) ? $0 : nil }
    }

    /// Parses `[+-]hh[:mm[:ss]]` and returns the seconds.
    mutating func offset() -> Int? {
      let isNegative = consume("-")
      if !isNegative { _ = consume("+") }
      guard let hours = number(in: 0...167) else { return nil }
      var seconds = hours * 3600
      for unit in [60, 1] where consume(":") {
        guard let more = number(in: 0...59) else { return nil }
        seconds += more * unit
      }
      return isNegative ? -seconds : seconds
    }

    mutating func yearDay() -> YearDay? {
      let day: YearDay.Day
      if consume("M") {
        guard let month = number(in: 1...12), consume("."), let week = number(in: 1...5), consume("."),
          let weekday = number(in: 0...6)
        else { return nil }
        day = .weekday(weekday, week: week, month: month)
      } else if consume("J") {
        guard let number = number(in: 1...365) else { return nil }
        day = .julian(number)
      } else {
        guard let number = number(in: 0...365) else { return nil }
        day = .ordinal(number)
      }
      guard consume("/") else { return YearDay(day: day, second: 7200) }
      guard let second = offset() else { return nil }
      return YearDay(day: day, second: second)
    }
  }
}
