import WhereaboutsCore

/// Knows which day it is at the receiver.
///
/// Most sentences carry a time of day alone; the date comes with RMC and ZDA, possibly later, possibly 1024 weeks
/// early, possibly never.
struct ReceiverClock {
  /// No date before this day is believed.
  let notBefore: CivilDay?
  /// How many dates were moved by whole rounds.
  private(set) var movedDates = 0
  private var today: (day: CivilDay, time: TimeOfDay?)?

  /// How far time may go back without being taken for the next day.
  private static let farBack: Int64 = 3_600_000_000_000
  /// How far time must leap forward to be taken for the day before: a late sentence just after midnight.
  private static let farForward: Int64 = TimeOfDay.day - farBack
  /// The GPS week count of the first satellites has 10 bits.
  private static let rolloverDays = 1024 * 7

  init(notBefore: CivilDay?, startDay: CivilDay?) {
    self.notBefore = notBefore
    today = startDay.map { ($0, nil) }
  }

  /// The day of a time of day, by the date known last; time moves forward unless by a little.
  @inline(__always)
  mutating func day(at time: TimeOfDay) -> CivilDay? {
    guard let (day, then) = today else { return nil }
    var adjusted = day
    let elapsed = time.nanoseconds &- (then ?? time).nanoseconds
    if elapsed < -Self.farBack {
      adjusted.daysSince1970 += 1
    } else if elapsed > Self.farForward {
      adjusted.daysSince1970 -= 1
    }
    today = (adjusted, time)
    return adjusted
  }

  /// A sentence has named the date.
  @inline(__always)
  mutating func set(_ day: CivilDay, at time: TimeOfDay) {
    let repaired = repaired(day)
    if repaired != day { movedDates &+= 1 }
    today = (repaired, time)
  }

  /// The date that a receiver meant which has lost whole rounds of the GPS week count.
  func repaired(_ day: CivilDay) -> CivilDay {
    guard let notBefore, day.daysSince1970 < notBefore.daysSince1970 else { return day }
    let missing = notBefore.daysSince1970 - day.daysSince1970
    let rounds = (missing + Self.rolloverDays - 1) / Self.rolloverDays
    return CivilDay(daysSince1970: day.daysSince1970 + rounds * Self.rolloverDays)
  }
}
