/// The hours of the week in which the events of a fence are reported.
public struct ActiveHours: Hashable, Sendable, Codable {
  /// A span of the week, repeated every week.
  public struct Window: Hashable, Sendable, Codable {
    /// Minutes since Monday 00:00, in [0, 10 080).
    public var start: Int
    /// The length in minutes, in 1...10 080; may extend past the end of the week.
    public var minutes: Int

    /// Creates a window of the week.
    public init(start: Int, minutes: Int) {
      self.start = start
      self.minutes = minutes
    }
  }

  /// The spans, in any order; they may overlap. An empty list means never.
  public var windows: [Window]
  /// The offset of the hours' clock from UTC, used if ``zone`` is `nil`.
  public var aheadOfUTC: Duration
  /// The time zone of the hours' clock, with its summer time; `nil` uses ``aheadOfUTC``.
  public var zone: TimeZoneRules?

  /// Creates hours by a clock with a fixed offset from UTC.
  public init(_ windows: [Window], aheadOfUTC: Duration = .zero) {
    self.windows = windows
    self.aheadOfUTC = aheadOfUTC
  }

  /// Creates hours by the clock of a time zone.
  public init(_ windows: [Window], in zone: TimeZoneRules) {
    self.init(windows)
    self.zone = zone
  }
}

extension ActiveHours.Window {
  /// The start in seconds since Monday 00:00, clamped to the valid range.
  fileprivate var startSecond: Int { min(max(start, 0), 10_079) * 60 }
  fileprivate var seconds: Int { min(max(minutes, 0), 10_080) * 60 }
}

extension ActiveHours {
  /// Returns whether a time is within these hours, by local time.
  public func contains(_ time: UTCTime) -> Bool { contains(secondOfWeek(time)) }

  /// Returns the next start of a window after a time; `nil` if none exists.
  ///
  /// A start that the clock skips in spring happens when the clock is set forward.
  public func nextStart(after time: UTCTime) -> UTCTime? {
    guard let next = nextStartIgnoringTransitions(after: time) else { return nil }
    guard let zone else { return next }
    var from = time
    // Clocks change a few times a year, and a window starts every week.
    for _ in 0..<Self.maximumTransitions {
      guard let start = nextStartIgnoringTransitions(after: from) else { return nil }
      guard let change = zone.nextChange(after: from), change <= start else { return start }
      let before = change.advanced(by: .seconds(-1))
      let skipped = !contains(before) && contains(change)
      if skipped || begins(at: secondOfWeek(change)) { return change }
      from = change
    }
    return next
  }

  /// An upper limit of clock changes within two weeks.
  private static let maximumTransitions = 8

  /// Returns the next start of a window, if the clock does not change before then.
  private func nextStartIgnoringTransitions(after time: UTCTime) -> UTCTime? {
    let local = localTime(time), now = secondOfWeek(time)
    let waits = windows.filter { $0.seconds > 0 }.map { window in
      let wait = Self.seconds(from: now, to: window.startSecond)
      return wait == 0 ? Self.week : wait
    }
    // A window starts with a whole second.
    let fraction = local.since(UTCTime(wholeSecond: local.wholeSecond))
    return waits.min().map { time.advanced(by: .seconds($0) - fraction) }
  }

  private func contains(_ now: Int) -> Bool {
    windows.contains { Self.seconds(from: $0.startSecond, to: now) < $0.seconds }
  }

  private func begins(at now: Int) -> Bool {
    windows.contains { $0.seconds > 0 && $0.startSecond == now }
  }

  private static let week = 7 * 86_400

  /// Returns the seconds from one second of the week to the next occurrence of another.
  private static func seconds(from start: Int, to end: Int) -> Int { ((end - start) % week + week) % week }

  /// Returns the seconds since Monday 00:00 by the clock of these hours.
  private func secondOfWeek(_ time: UTCTime) -> Int {
    // 1970 began on a Thursday.
    let seconds = localTime(time).wholeSecond + 3 * 86_400
    return Int((seconds % Int64(Self.week) + Int64(Self.week)) % Int64(Self.week))
  }

  /// Returns a time that is ahead by the offset of the clock of these hours.
  private func localTime(_ time: UTCTime) -> UTCTime {
    time.advanced(by: zone.map { Duration.seconds($0.offset(at: time)) } ?? aheadOfUTC)
  }
}
