import WhereaboutsModel

/// A tracker of the receiver's date.
///
/// Most sentences have a time of day only. RMC and ZDA contain the date, possibly late, 1024 weeks early, or never.
/// Without a date, the day of a live receiver's time is the one on which it is nearest to its arrival.
struct ReceiverClock {
  /// The earliest plausible day; `nil` for none.
  let notBefore: CivilDay?
  /// The number of dates moved by whole rounds.
  private(set) var rolloverCorrections = 0
  /// The time at which the present bytes arrived. Until a sentence states a date, the day of a time of day is assumed by
  /// it; `nil` leaves the day unknown.
  var arrival: UTCTime?
  private var today: (day: CivilDay, time: TimeOfDay?)?
  /// The lead of the last assumed instant over its arrival, in nanoseconds.
  private var assumedLead: Int64 = 0
  /// Whether the last fix was given with an assumed day.
  private var hasUsedAssumption = false
  /// Whether the days do not continue the one that was assumed for the last fix.
  private var endsAssumption = false
  /// Whether the clock of the arrivals was set since the last assumed day.
  private var isArrivalStepped = false

  /// The step back in time that is not yet the next day.
  private static let nextDayThreshold: Int64 = 3_600_000_000_000
  /// The step forward that means the day before: a late sentence just after midnight.
  private static let previousDayThreshold: Int64 = TimeOfDay.day - nextDayThreshold
  /// The greatest lead or delay of an assumed instant. More than half a day, so that times about half a day from their
  /// arrival remain on one day.
  private static let maxAssumedLead = TimeOfDay.halfDay + nextDayThreshold
  /// The GPS week count of the first satellites has 10 bits.
  private static let rolloverDays = 1024 * 7

  init(notBefore: CivilDay?, startDay: CivilDay?) {
    self.notBefore = notBefore
    today = startDay.map { ($0, nil) }
  }

  /// Whether a date is known without an assumption.
  var knowsDate: Bool { today != nil }

  /// Returns the day of a time of day, by the date known last; time moves forward unless by a little.
  @inline(__always)
  mutating func day(at time: TimeOfDay) -> CivilDay? {
    guard let (day, then) = today else { return assumedDay(at: time) }
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
    if today == nil, hasUsedAssumption {
      let assumed = assumedDay(at: time)
      if assumed != repaired { endsAssumption = true }
    }
    today = (repaired, time)
  }

  /// Records that the clock of the arrivals was set: assumed days do not continue those before.
  mutating func recordArrivalStep() {
    isArrivalStepped = true
  }

  /// Records that a fix with a day is given.
  ///
  /// - Returns: whether the fix is on another timeline than the fix before, whose day was assumed.
  mutating func recordFix() -> Bool {
    let beginsTimeline = hasUsedAssumption && endsAssumption
    hasUsedAssumption = !knowsDate
    endsAssumption = false
    return beginsTimeline
  }

  /// Returns the day on which a time of day is nearest to the arrival of its bytes. While the times keep their lead over
  /// the arrival, the days follow each other.
  @inline(never)
  private mutating func assumedDay(at time: TimeOfDay) -> CivilDay? {
    guard let arrival else { return nil }
    let arrivalDay = CivilDay(containing: arrival)
    guard let instant = arrivalDay.at(time) else { return nil }
    let lead = instant.nanosecondsSince1970 &- arrival.nanosecondsSince1970
    var days = Self.days(from: lead, nearestTo: assumedLead)
    let isOutOfRange = (lead + days * TimeOfDay.day).magnitude > Self.maxAssumedLead
    if isOutOfRange { days = Self.days(from: lead, nearestTo: 0) }
    if isOutOfRange || isArrivalStepped { endsAssumption = true }
    isArrivalStepped = false
    assumedLead = lead + days * TimeOfDay.day
    return CivilDay(daysSince1970: arrivalDay.daysSince1970 + Int(days))
  }

  /// Returns the number of days that moves a lead nearest to another one.
  private static func days(from lead: Int64, nearestTo expected: Int64) -> Int64 {
    let (days, rest) = (expected - lead + TimeOfDay.halfDay).quotientAndRemainder(dividingBy: TimeOfDay.day)
    return rest < 0 ? days - 1 : days
  }

  /// Returns the true date for a receiver that has lost whole rounds of the GPS week count.
  func correctedForRollover(_ day: CivilDay) -> CivilDay {
    guard let notBefore, day.daysSince1970 < notBefore.daysSince1970 else { return day }
    let missing = notBefore.daysSince1970 - day.daysSince1970
    let rounds = (missing + Self.rolloverDays - 1) / Self.rolloverDays
    return CivilDay(daysSince1970: day.daysSince1970 + rounds * Self.rolloverDays)
  }
}
