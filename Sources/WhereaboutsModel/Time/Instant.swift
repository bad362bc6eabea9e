/// An instant of this run of the process, on a clock that only moves forward.
///
/// Instants serve timeouts, deadlines, back-off and the age of a live fix. The runtime chooses the start, so an
/// instant means nothing outside this run and is never stored. An instant can't be compared with ``UTCTime``.
///
/// - Units: whole nanoseconds since the run began.
public struct Instant: Hashable, Comparable, Sendable, Codable {
  /// Nanoseconds since the run began.
  public let nanoseconds: Int64

  /// Creates the instant that long after the run began; durations beyond 292 years are clamped.
  public init(_ sinceStart: Duration) {
    self.nanoseconds = sinceStart.clampedNanoseconds
  }

  /// Creates the instant that many nanoseconds after the run began.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The beginning of the run.
  public static let start = Instant(nanoseconds: 0)

  /// Reads the number of nanoseconds.
  public init(from decoder: any Decoder) throws {
    nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Writes the number of nanoseconds, for a journal of this run.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(nanoseconds)
  }

  /// Returns whether the left instant comes first.
  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Returns this instant moved by a duration, clamped to the ends of the range.
  public func advanced(by duration: Duration) -> Instant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.clampedNanoseconds)
    guard overflow else { return Instant(nanoseconds: sum) }
    return Instant(nanoseconds: duration < .zero ? .min : .max)
  }

  /// Returns the time from `other` until this instant; negative where this one is earlier.
  public func since(_ other: Instant) -> Duration {
    .nanoseconds(nanoseconds) - .nanoseconds(other.nanoseconds)
  }
}
