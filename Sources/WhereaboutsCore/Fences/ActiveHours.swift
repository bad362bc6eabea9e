/// Hours of the week in which the events of a fence are told.
public struct ActiveHours: Hashable, Sendable, Codable {
  /// A span of the week that comes again every week.
  public struct Window: Hashable, Sendable, Codable {
    /// Minutes since Monday 00:00, in [0, 10 080).
    public var start: Int
    /// How many minutes it lasts, in 1...10 080; may go over the end of the week.
    public var minutes: Int

    /// A window of the week.
    public init(start: Int, minutes: Int) {
      self.start = start
      self.minutes = minutes
    }
  }

  /// The spans, in any order; they may overlap. None at all: never.
  public var windows: [Window]
  /// How far the clock of these hours is ahead of UTC, where there is no ``zone``.
  public var aheadOfUTC: Duration
  /// The time zone by whose clock the hours are, with its summer time; `nil` for ``aheadOfUTC``.
  public var zone: TimeZoneRules?

  /// Hours of the week, by a clock that is so far ahead of UTC.
  public init(_ windows: [Window], aheadOfUTC: Duration = .zero) {
    self.windows = windows
    self.aheadOfUTC = aheadOfUTC
  }

  /// Hours of the week, by the clock of a time zone.
  public init(_ windows: [Window], in zone: TimeZoneRules) {
    self.init(windows)
    self.zone = zone
  }
}

extension ActiveHours.Window {
  /// Seconds since Monday 00:00; what is out of range counts as the nearest that is not.
  fileprivate var startSecond: Int { min(max(start, 0), 10_079) * 60 }
  fileprivate var seconds: Int { min(max(minutes, 0), 10_080) * 60 }
}

extension ActiveHours {
  /// Whether a time is within these hours, as the clock on the wall shows it.
  public func contains(_ time: UTCTime) -> Bool { contains(secondOfWeek(time)) }

  /// When a window begins next after a time; `nil` where there is none.
  ///
  /// A beginning that the clock skips in spring is when the clock is put forward.
  public func nextStart(after time: UTCTime) -> UTCTime? {
    guard let next = nextStartByPlainClock(after: time) else { return nil }
    guard let zone else { return next }
    var from = time
    // Clocks change a few times a year, and a window begins every week.
    for _ in 0..<Self.mostChanges {
      guard let start = nextStartByPlainClock(after: from) else { return nil }
      guard let change = zone.nextChange(after: from), change <= start else { return start }
      let before = change.advanced(by: .seconds(-1))
      let skipped = !contains(before) && contains(change)
      if skipped || begins(at: secondOfWeek(change)) { return change }
      from = change
    }
    return next
  }

  /// More changes of a clock than there are in two weeks.
  private static let mostChanges = 8

  /// When a window begins next, if the clock is not put forward or back meanwhile.
  private func nextStartByPlainClock(after time: UTCTime) -> UTCTime? {
    let now = secondOfWeek(time)
    let waits = windows.filter { $0.seconds > 0 }.map { window in
      let wait = Self.seconds(from: now, to: window.startSecond)
      return wait == 0 ? Self.week : wait
    }
    return waits.min().map { time.advanced(by: .seconds($0)) }
  }

  private func contains(_ now: Int) -> Bool {
    windows.contains { Self.seconds(from: $0.startSecond, to: now) < $0.seconds }
  }

  private func begins(at now: Int) -> Bool {
    windows.contains { $0.seconds > 0 && $0.startSecond == now }
  }

  private static let week = 7 * 86_400

  /// Seconds from one second of the week on to the next time that another comes.
  private static func seconds(from start: Int, to end: Int) -> Int { ((end - start) % week + week) % week }

  /// Seconds since Monday 00:00 by the clock of these hours.
  private func secondOfWeek(_ time: UTCTime) -> Int {
    let ahead = zone.map { Duration.seconds($0.offset(at: time)) } ?? aheadOfUTC
    let seconds = time.advanced(by: ahead).nanosecondsSince1970 / 1_000_000_000
    // 1970 began on a Thursday.
    return Int(((seconds + 3 * 86_400) % Int64(Self.week) + Int64(Self.week)) % Int64(Self.week))
  }
}
