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
  /// How far the clock that they are told by is ahead of UTC. It does not follow summer time by itself.
  public var aheadOfUTC: Duration

  /// Hours of the week, by a clock that is so far ahead of UTC.
  public init(_ windows: [Window], aheadOfUTC: Duration = .zero) {
    self.windows = windows
    self.aheadOfUTC = aheadOfUTC
  }
}

extension ActiveHours.Window {
  /// Seconds since Monday 00:00; what is out of range counts as the nearest that is not.
  fileprivate var startSecond: Int { min(max(start, 0), 10_079) * 60 }
  fileprivate var seconds: Int { min(max(minutes, 0), 10_080) * 60 }
}

extension ActiveHours {
  /// Whether a time is within these hours.
  public func contains(_ time: UTCTime) -> Bool {
    let now = secondOfWeek(time)
    return windows.contains { window in
      Self.seconds(from: window.startSecond, to: now) < window.seconds
    }
  }

  /// When a window begins next after a time; `nil` where there is none.
  public func nextStart(after time: UTCTime) -> UTCTime? {
    let now = secondOfWeek(time)
    let waits = windows.filter { $0.seconds > 0 }.map { window in
      let wait = Self.seconds(from: now, to: window.startSecond)
      return wait == 0 ? Self.week : wait
    }
    return waits.min().map { time.advanced(by: .seconds($0)) }
  }

  private static let week = 7 * 86_400

  /// Seconds from one second of the week on to the next time that another comes.
  private static func seconds(from start: Int, to end: Int) -> Int { ((end - start) % week + week) % week }

  /// Seconds since Monday 00:00 by the clock of these hours.
  private func secondOfWeek(_ time: UTCTime) -> Int {
    let seconds = time.advanced(by: aheadOfUTC).nanosecondsSince1970 / 1_000_000_000
    // 1970 began on a Thursday.
    return Int(((seconds + 3 * 86_400) % Int64(Self.week) + Int64(Self.week)) % Int64(Self.week))
  }
}
