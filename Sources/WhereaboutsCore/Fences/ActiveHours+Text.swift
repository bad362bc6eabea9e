extension ActiveHours {
  private static let days = ["mo", "tu", "we", "th", "fr", "sa", "su"]
  private static let minutesOfDay = 1440

  /// Hours of the week as they are typed, as in `Mo-Fr 09:00-17:00; Sa,Su 10:00-24:00`, in UTC, or with `UTC+2` at the end by
  /// a clock that is so far ahead; `nil` where they are none.
  ///
  /// Days without hours are whole days, hours without days are of every day; hours may go over midnight.
  package init?(text: String) {
    var rest = text.lowercased()[...]
    var ahead = Duration.zero
    if let zone = rest.firstRange(of: "utc") {
      guard let offset = Self.offset(rest[zone.upperBound...]) else { return nil }
      ahead = offset
      rest = rest[..<zone.lowerBound]
    }
    var windows: [ActiveHours.Window] = []
    for rule in rest.split(separator: ";") {
      let words = rule.split(separator: " ")
      guard (1...2).contains(words.count) else { return nil }
      let hasDays = words[0].first?.isLetter == true
      let days = hasDays ? Self.days(words[0]) : Array(0..<7)
      let spans = hasDays && words.count == 1 ? [(0, Self.minutesOfDay)] : Self.spans(words[words.count - 1])
      guard let days, let spans, hasDays || words.count == 1 else { return nil }
      for day in days {
        for (start, minutes) in spans {
          windows.append(ActiveHours.Window(start: day * Self.minutesOfDay + start, minutes: minutes))
        }
      }
    }
    guard !windows.isEmpty else { return nil }
    self.init(windows, aheadOfUTC: ahead)
  }

  /// `mo-fr`, `sa,su`, `fr-mo`.
  private static func days(_ text: Substring) -> [Int]? {
    var days: [Int] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false)
        .map { end in Self.days.firstIndex(of: String(end)) }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
        return nil
      }
      for step in 0...(last - first + 7) % 7 { days.append((first + step) % 7) }
    }
    return days
  }

  /// `09:00-12:00,13:00-17:00` as minutes of the day and how many they last.
  private static func spans(_ text: Substring) -> [(start: Int, minutes: Int)]? {
    var spans: [(start: Int, minutes: Int)] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(minute)
      guard ends.count == 2, let start = ends[0], let end = ends[1], start < minutesOfDay, start != end else {
        return nil
      }
      spans.append((start, end > start ? end - start : end - start + minutesOfDay))
    }
    return spans
  }

  /// `09:00`, up to `24:00`.
  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy { $0 >= 48 && $0 <= 57 } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60
    else { return nil }
    let sum = hour * 60 + minute
    return sum <= minutesOfDay ? sum : nil
  }

  /// `+2`, `-03:30`, or nothing.
  private static func offset(_ text: Substring) -> Duration? {
    guard let sign = text.first else { return .zero }
    guard sign == "+" || sign == "-" else { return nil }
    let digits = text.dropFirst()
    guard let minutes = minute(digits.contains(":") ? digits : "\(digits):00"), minutes <= 14 * 60 else {
      return nil
    }
    return .seconds(60 * (sign == "-" ? -minutes : minutes))
  }

  /// As it is typed, one rule for each set of hours: `Mo-Fr 09:00-17:00; Sa 10:00-14:00 UTC+2`.
  package var text: String {
    func clock(_ minute: Int) -> String {
      let (hour, rest) = minute.quotientAndRemainder(dividingBy: 60)
      return "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest)"
    }
    let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
    var rules: [(hours: String, days: [Int])] = []
    for window in windows.sorted(by: { $0.start < $1.start }) {
      let start = window.start % 1440
      let end = start + window.minutes
      let hours = "\(clock(start))-\(clock(end > 1440 ? (end - 1) % 1440 + 1 : end))"
      let day = window.start / 1440
      if let index = rules.firstIndex(where: { $0.hours == hours }) {
        rules[index].days.append(day)
      } else {
        rules.append((hours, [day]))
      }
    }
    let texts = rules.map { rule -> String in
      let days = rule.days.filter { (0..<7).contains($0) }
      if days.count == 7 { return rule.hours }
      let isRun = days.count > 2 && zip(days, days.dropFirst()).allSatisfy { $1 == $0 + 1 }
      let names =
        isRun
        ? "\(names[days[0]])-\(names[days[days.count - 1]])" : days.map { names[$0] }.joined(separator: ",")
      return "\(names) \(rule.hours)"
    }
    let ahead = Int(aheadOfUTC.components.seconds / 60)
    guard ahead != 0 else { return texts.joined(separator: "; ") }
    let zone = ahead % 60 == 0 ? "\(ahead.magnitude / 60)" : clock(Int(ahead.magnitude))
    return "\(texts.joined(separator: "; ")) UTC\(ahead < 0 ? "-" : "+")\(zone)"
  }
}
