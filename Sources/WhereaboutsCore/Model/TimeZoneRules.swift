/// The clock of a time zone: how far it is ahead of UTC, and when that changes.
///
/// Data from outside, as from a TZif file: nothing here reads a file or knows a zone by itself.
public struct TimeZoneRules: Hashable, Sendable, Codable {
  /// A change of the clock.
  public struct Transition: Hashable, Sendable, Codable {
    /// When, in seconds since 1970 began in UTC.
    public var time: Int64
    /// How far the clock is ahead of UTC from then on, in seconds.
    public var offset: Int

    /// A change of the clock.
    public init(time: Int64, offset: Int) {
      self.time = time
      self.offset = offset
    }
  }

  /// Its name in the IANA time zone database, as in `Europe/Berlin`.
  public let name: String
  /// How far the clock is ahead of UTC before the first of ``transitions``, in seconds; `nil` where nothing but the name
  /// is known.
  public var firstOffset: Int?
  /// Changes of the clock, the earliest first.
  public var transitions: [Transition]
  /// How the clock goes on after the last of them; `nil` where it stays as that left it.
  public var yearly: YearlyClockRule?

  /// A time zone with its rules.
  public init(
    name: String, firstOffset: Int?, transitions: [Transition] = [], yearly: YearlyClockRule? = nil
  ) {
    self.name = name
    self.firstOffset = firstOffset
    self.transitions = transitions
    self.yearly = yearly
  }

  /// A time zone of which the name is all that is known yet. Its clock is that of UTC until it has rules.
  public init(unresolved name: String) { self.init(name: name, firstOffset: nil) }

  /// Whether there are rules, and not the name alone.
  public var isResolved: Bool { firstOffset != nil }

  /// How far the clock is ahead of UTC at a time, in seconds.
  public func offset(at time: UTCTime) -> Int { offset(atSecond: time.wholeSecond) }

  /// When the clock changes next after a time; `nil` where it never does.
  public func nextChange(after time: UTCTime) -> UTCTime? {
    let now = time.wholeSecond
    if let next = transitions.first(where: { $0.time > now }) { return UTCTime(wholeSecond: next.time) }
    guard let yearly else { return nil }
    // The rule holds from the last transition on; its changes before that are none.
    return yearly.nextChange(after: max(now, transitions.last?.time ?? .min)).map {
      UTCTime(wholeSecond: $0)
    }
  }

  func offset(atSecond second: Int64) -> Int {
    guard let last = transitions.last else { return yearly?.offset(at: second) ?? firstOffset ?? 0 }
    if second >= last.time { return yearly?.offset(at: second) ?? last.offset }
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].time <= second { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? transitions[low - 1].offset : firstOffset ?? 0
  }
}

extension UTCTime {
  /// Whole seconds, rounded down.
  var wholeSecond: Int64 {
    let (seconds, rest) = nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0 ? seconds - 1 : seconds
  }

  /// The nearest that there is to a whole second.
  init(wholeSecond seconds: Int64) {
    let (nanoseconds, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    self.init(nanosecondsSince1970: isOver ? (seconds < 0 ? .min : .max) : nanoseconds)
  }
}
