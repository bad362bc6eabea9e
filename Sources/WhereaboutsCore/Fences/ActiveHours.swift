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
