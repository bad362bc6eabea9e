/// The clock of a time zone: its offset from UTC, and the changes of the offset.
///
/// The rules are external data, as from a TZif file. This type reads no file and contains no zone itself.
public struct TimeZoneRules: Hashable, Sendable, Codable {
  /// A change of the clock.
  public struct Transition: Hashable, Sendable, Codable {
    /// The time of the change, in seconds since 1970 began in UTC.
    public var time: Int64
    /// The offset ahead of UTC from then on, in seconds.
    public var offset: Int

    /// Creates a change of the clock.
    public init(time: Int64, offset: Int) {
      self.time = time
      self.offset = offset
    }
  }

  /// The zone's name in the IANA time zone database, as in `Europe/Berlin`.
  public let name: String
  /// The offset ahead of UTC before the first of ``transitions``, in seconds; `nil` where only the name is known.
  public var firstOffset: Int?
  /// Changes of the clock, the earliest first.
  public var transitions: [Transition]
  /// The rule after the last transition; `nil` where the offset stays constant.
  package var yearly: YearlyClockRule?

  /// Coordinated Universal Time.
  package static let utc = TimeZoneRules(name: "UTC", firstOffset: 0)

  /// Creates a time zone with its changes; the offset stays constant after the last one.
  public init(name: String, firstOffset: Int?, transitions: [Transition] = []) {
    self.init(name: name, firstOffset: firstOffset, transitions: transitions, yearly: nil)
  }

  package init(name: String, firstOffset: Int?, transitions: [Transition], yearly: YearlyClockRule?) {
    self.name = name
    self.firstOffset = firstOffset
    self.transitions = transitions
    self.yearly = yearly
  }

  /// Creates a time zone whose name alone is known. Its clock is UTC until it has rules.
  public init(unresolved name: String) { self.init(name: name, firstOffset: nil) }

  /// Whether the zone has rules, and not the name alone.
  public var isResolved: Bool { firstOffset != nil }

  /// Returns the offset ahead of UTC at a time, in seconds.
  public func offset(at time: UTCTime) -> Int { offset(atSecond: time.wholeSecond) }

  /// Returns the time of the next change of the clock after a time; `nil` where there is none.
  public func nextChange(after time: UTCTime) -> UTCTime? {
    let now = time.wholeSecond
    let next = indexOfFirstTransition(after: now)
    if next < transitions.count { return UTCTime(wholeSecond: transitions[next].time) }
    guard let yearly else { return nil }
    // The rule applies from the last transition on; its earlier changes do not count.
    return yearly.nextChange(after: max(now, transitions.last?.time ?? .min)).map {
      UTCTime(wholeSecond: $0)
    }
  }

  func offset(atSecond second: Int64) -> Int {
    guard let last = transitions.last else { return yearly?.offset(at: second) ?? firstOffset ?? 0 }
    if second >= last.time { return yearly?.offset(at: second) ?? last.offset }
    let next = indexOfFirstTransition(after: second)
    return next > 0 ? transitions[next - 1].offset : firstOffset ?? 0
  }

  private func indexOfFirstTransition(after second: Int64) -> Int {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].time <= second { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension UTCTime {
  /// The whole seconds since 1970, rounded down.
  var wholeSecond: Int64 {
    let (seconds, rest) = nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0 ? seconds - 1 : seconds
  }

  /// Creates the nearest representable time to a whole second.
  init(wholeSecond seconds: Int64) {
    let (nanoseconds, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    self.init(nanosecondsSince1970: isOver ? (seconds < 0 ? .min : .max) : nanoseconds)
  }
}
