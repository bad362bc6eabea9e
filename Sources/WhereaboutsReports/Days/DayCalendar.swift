package import WhereaboutsModel

/// The days of a time zone.
///
/// A day lasts from its last midnight to the last midnight of the next day. Where the clock is set back over midnight,
/// as on a flight to the east across the date line, the day before continues.
package struct DayCalendar: Sendable {
  /// The time zone.
  package let zone: TimeZoneRules
  /// Whether times are stated with their offsets where the offset is new to the reader.
  package let namesOffsets: Bool

  private static let day: Int64 = 86_400

  /// Creates the calendar of a time zone.
  package init(_ zone: TimeZoneRules) {
    self.zone = zone
    namesOffsets = false
  }

  /// Creates the calendar of the offsets that recordings state, in the order of time.
  ///
  /// - Parameter zone: the zone before the first offset, and of the changes of the clock between two offsets.
  package init(stated offsets: [StatedOffset], otherwise zone: TimeZoneRules) {
    self.zone = TimeZoneRules(stated: offsets, otherwise: zone)
    namesOffsets = true
  }

  /// Returns the number of the day of an instant, counted from 1970-01-01.
  package func day(of time: UTCTime) -> Int {
    let (second, _) = Self.floored(time.nanosecondsSince1970, 1_000_000_000)
    let number = Int(Self.floored(second + Int64(zone.offset(at: time)), Self.day).quotient)
    // The clock may show midnight a second time.
    return start(of: number) > time ? number - 1 : number
  }

  /// Returns the beginning of a day. Where the clock skips midnight, the day begins with the first instant after it.
  package func start(of day: Int) -> UTCTime {
    let (midnight, overflow) = Int64(day).multipliedReportingOverflow(by: Self.day)
    guard !overflow, midnight.magnitude < 1 << 62 else {
      return UTCTime(nanosecondsSince1970: day < 0 ? .min : .max)
    }
    // No clock is a day ahead of UTC or behind it.
    var end = Self.time(midnight + Self.day)
    var begins = [Self.time(midnight - Self.day)]
    while let last = begins.last, let change = zone.nextChange(after: last), change > last, change < end {
      begins.append(change)
    }
    for begin in begins.reversed() {
      let time = Self.time(midnight - Int64(zone.offset(at: begin)))
      if time >= end { return end }
      if time >= begin { return time }
      end = begin
    }
    return end
  }

  /// Returns a day's date: `2024-05-14`.
  package static func date(of day: Int) -> String { time(Int64(day) * Self.day).dateText }

  /// Returns the name of a day: `Tuesday`.
  package static func weekday(of day: Int) -> String {
    let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
    return names[Int(floored(Int64(day), 7).remainder)]
  }

  /// Returns the local date of an instant: `2024-05-14`. Where the clock shows midnight twice, it may be the date after
  /// that of the day to which the instant belongs.
  package func localDate(_ time: UTCTime) -> String {
    time.advanced(by: .seconds(zone.offset(at: time))).dateText
  }

  /// Returns the local time of day: `08:26`.
  package func clock(_ time: UTCTime) -> String {
    String(time.advanced(by: .seconds(zone.offset(at: time))).clockText.prefix(5))
  }

  /// Returns the local times of day of both ends of a span, as far as they are given: `08:26` and `08:40`. Where the
  /// clock is set back or forward, the times have their offsets: `02:20 +02:00` and `02:39 +01:00`.
  ///
  /// - Parameter named: the offset in seconds that the reader knows, if ``namesOffsets``.
  package func clocks(
    _ start: UTCTime?, _ end: UTCTime?, named: Int? = nil
  ) -> (start: String?, end: String?) {
    let ends = [start, end].compactMap { $0 }
    let offsets = Set(ends.map { zone.offset(at: $0) })
    let isNew = namesOffsets && offsets.contains { $0 != named }
    let needsOffset = isNew || offsets.count > 1 || ends.contains(where: isAmbiguous)
    func text(_ time: UTCTime) -> String {
      needsOffset ? "\(clock(time)) \(Self.text(ofOffset: zone.offset(at: time)))" : clock(time)
    }
    return (start.map(text), end.map(text))
  }

  /// Returns whether the clock shows the local time of an instant twice, since it was or is set back.
  private func isAmbiguous(_ time: UTCTime) -> Bool {
    let offset = zone.offset(at: time)
    return [-Self.longestSetback, Self.longestSetback].contains { seconds in
      let other = zone.offset(at: time.advanced(by: .seconds(seconds)))
      return other != offset && zone.offset(at: time.advanced(by: .seconds(offset - other))) == other
    }
  }

  /// Clocks are set back by at most so many seconds: across the date line by 26 hours.
  private static let longestSetback = 93_600

  /// Returns the local date and time with the offset: `2024-05-14T08:26:40+02:00`.
  package func localTime(_ time: UTCTime) -> String {
    let offset = zone.offset(at: time), local = time.advanced(by: .seconds(offset))
    return "\(local.dateText)T\(local.clockText)\(Self.text(ofOffset: offset))"
  }

  /// Returns an offset from UTC: `+02:00`.
  static func text(ofOffset offset: Int) -> String {
    let minutes = offset.magnitude / 60
    func two(_ number: UInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
  }

  private static func time(_ second: Int64) -> UTCTime {
    let (whole, overflow) = second.multipliedReportingOverflow(by: 1_000_000_000)
    return UTCTime(nanosecondsSince1970: overflow ? (second < 0 ? .min : .max) : whole)
  }

  private static func floored(_ number: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
