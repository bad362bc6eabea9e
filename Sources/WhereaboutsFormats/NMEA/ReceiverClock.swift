import WhereaboutsModel

/// A tracker of the receiver's date.
///
/// Most sentences have a time of day only. RMC and ZDA contain the date, possibly late, 1024 weeks early, or never.
struct ReceiverClock {
  /// The earliest plausible day; `nil` for none.
  let notBefore: CivilDay?
  /// The number of dates moved by whole rounds.
  private(set) var rolloverCorrections = 0
  private var today: (day: CivilDay, time: TimeOfDay?)?

  /// The step back in time that is not yet the next day.
  private static let nextDayThreshold: Int64 = 3_600_000_000_000
  /// The step forward that means the day before: a late sentence just after midnight.
  private static let previousDayThreshold: Int64 = TimeOfDay.day - nextDayThreshold
  /// The GPS week count of the first satellites has 10 bits.
  private static let rolloverDays = 1024 * 7

  init(notBefore: CivilDay?, startDay: CivilDay?) {
    self.notBefore = notBefore
    today = startDay.map { ($0, nil) }
  }

  /// Returns the day of a time of day, by the date known last; time moves forward unless by a little.
  @inline(__always)
  mutating func day(at time: TimeOfDay) -> CivilDay? {
    guard let (day, then) = today else { return nil }
    var adjusted = day
    let elapsed = time.nanoseconds &- (then ?? time).nanoseconds
    if elapsed < -Self.nextDayThreshold {
      adjusted.daysSince1970 += 1
    } else if elapsed > Self.previousDayThreshold {
      adjusted.daysSince1970 -= 1
    }
    today = (adjusted, time)
    return adjusted
  }

  /// Sets the date that a sentence has stated.
  @inline(__always)
  mutating func setDay(_ day: CivilDay, at time: TimeOfDay) {
    let repaired = correctedForRollover(day)
    if repaired != day { rolloverCorrections &+= 1 }
    today = (repaired, time)
  }

  /// Returns the true date for a receiver that has lost whole rounds of the GPS week count.
  func correctedForRollover(_ day: CivilDay) -> CivilDay {
    guard let notBefore, day.daysSince1970 < notBefore.daysSince1970 else { return day }
    let missing = notBefore.daysSince1970 - day.daysSince1970
    let rounds = (missing + Self.rolloverDays - 1) / Self.rolloverDays
    return CivilDay(daysSince1970: day.daysSince1970 + rounds * Self.rolloverDays)
  }
}
