/// An instant of civil time, as a fix or a wall clock states it.
///
/// UTC without leap seconds, as POSIX counts: `:60` is folded into the second that follows. It may be stored and
/// sent. It can't be compared with ``Instant``: a wall clock may be stepped, and a timeout must not notice.
///
/// - Units: whole nanoseconds since 1970-01-01T00:00:00Z.
/// - Range: 1677-09-21 to 2262-04-11.
public struct UTCTime: Hashable, Comparable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00Z; negative before.
  public let nanosecondsSince1970: Int64

  /// The instant so many nanoseconds after 1970-01-01T00:00:00Z.
  public init(nanosecondsSince1970: Int64) {
    self.nanosecondsSince1970 = nanosecondsSince1970
  }

  /// The instant so many seconds after 1970-01-01T00:00:00Z, or `nil` where that is out of range or not finite.
  ///
  /// Rounded to the nearest nanosecond that a `Double` of that size can tell (about 240 ns today).
  public init?(secondsSince1970 seconds: Double) {
    guard let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) else { return nil }
    self.init(nanosecondsSince1970: nanoseconds)
  }

  /// Seconds since 1970-01-01T00:00:00Z, to about 240 ns today.
  public var secondsSince1970: Double { Double(nanosecondsSince1970) / 1e9 }

  /// Which of the two comes first.
  public static func < (left: Self, right: Self) -> Bool {
    left.nanosecondsSince1970 < right.nanosecondsSince1970
  }

  /// The time that passes from `other` until this one; negative where this one is earlier.
  public func since(_ other: UTCTime) -> Duration {
    // Two instants at the ends of the range are further apart than Int64 nanoseconds hold.
    let (difference, overflow) = nanosecondsSince1970.subtractingReportingOverflow(other.nanosecondsSince1970)
    guard overflow else { return .nanoseconds(difference) }
    return .nanoseconds(nanosecondsSince1970) - .nanoseconds(other.nanosecondsSince1970)
  }

  /// Seconds from `other` until this one; negative where this one is earlier.
  public func seconds(since other: UTCTime) -> Double {
    let (difference, overflow) = nanosecondsSince1970.subtractingReportingOverflow(other.nanosecondsSince1970)
    return overflow ? secondsSince1970 - other.secondsSince1970 : Double(difference) / 1e9
  }

  /// This instant moved by a duration, held at the ends of the range.
  public func advanced(by duration: Duration) -> UTCTime {
    let (sum, overflow) = nanosecondsSince1970.addingReportingOverflow(duration.clampedNanoseconds)
    guard overflow else { return UTCTime(nanosecondsSince1970: sum) }
    return UTCTime(nanosecondsSince1970: duration < .zero ? .min : .max)
  }
}

extension Duration {
  /// This duration in whole nanoseconds, held at the ends of `Int64` (292 years).
  package var clampedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, carried) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return carried ? (seconds < 0 ? .min : .max) : sum
  }

  /// This duration in seconds.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
