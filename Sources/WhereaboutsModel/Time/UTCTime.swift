/// An instant of civil time, as a fix or a wall clock states it.
///
/// UTC without leap seconds, as POSIX counts: `:60` is folded into the second that follows. A `UTCTime` may be stored
/// and sent. A `UTCTime` can't be compared with ``Instant``: a wall clock may be stepped, and a timeout must not
/// depend on it.
///
/// - Units: whole nanoseconds since 1970-01-01T00:00:00Z.
/// - Range: 1677-09-21 to 2262-04-11.
public struct UTCTime: Hashable, Comparable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00Z; negative before.
  public let nanosecondsSince1970: Int64

  /// Creates the instant that many nanoseconds after 1970-01-01T00:00:00Z.
  public init(nanosecondsSince1970: Int64) {
    self.nanosecondsSince1970 = nanosecondsSince1970
  }

  /// Creates the instant that many seconds after 1970-01-01T00:00:00Z; `nil` where out of range or not finite.
  ///
  /// The value is rounded to the nearest nanosecond that a `Double` of that size can represent (about 240 ns today).
  public init?(secondsSince1970 seconds: Double) {
    guard let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) else { return nil }
    self.init(nanosecondsSince1970: nanoseconds)
  }

  /// Seconds since 1970-01-01T00:00:00Z, to about 240 ns today.
  public var secondsSince1970: Double { Double(nanosecondsSince1970) / 1e9 }

  /// Returns whether the left time comes first.
  public static func < (left: Self, right: Self) -> Bool {
    left.nanosecondsSince1970 < right.nanosecondsSince1970
  }

  /// Returns the time from `other` until this one; negative where this one is earlier.
  public func since(_ other: UTCTime) -> Duration {
    // The difference of two instants at the ends of the range exceeds Int64 nanoseconds.
    let (difference, overflow) = nanosecondsSince1970.subtractingReportingOverflow(other.nanosecondsSince1970)
    guard overflow else { return .nanoseconds(difference) }
    return .nanoseconds(nanosecondsSince1970) - .nanoseconds(other.nanosecondsSince1970)
  }

  /// Returns the seconds from `other` until this one; negative where this one is earlier.
  public func seconds(since other: UTCTime) -> Double {
    let (difference, overflow) = nanosecondsSince1970.subtractingReportingOverflow(other.nanosecondsSince1970)
    return overflow ? secondsSince1970 - other.secondsSince1970 : Double(difference) / 1e9
  }

  /// Returns this instant moved by a duration, clamped to the ends of the range.
  public func advanced(by duration: Duration) -> UTCTime {
    let (sum, overflow) = nanosecondsSince1970.addingReportingOverflow(duration.clampedNanoseconds)
    guard overflow else { return UTCTime(nanosecondsSince1970: sum) }
    return UTCTime(nanosecondsSince1970: duration < .zero ? .min : .max)
  }
}

extension Duration {
  /// This duration in whole nanoseconds, clamped to the ends of `Int64` (292 years).
  package var clampedNanoseconds: Int64 {
    // The components of a duration cost several wide multiplications.
    if #available(iOS 18, macOS 15, tvOS 18, visionOS 2, watchOS 11, *) {
      return Int64(clamping: attoseconds / 1_000_000_000)
    }
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, carried) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return carried ? (seconds < 0 ? .min : .max) : sum
  }

  /// This duration in seconds.
  package var inSeconds: Double {
    // Up to 9.2 s, as from fix to fix, fit into 64 bits.
    if #available(iOS 18, macOS 15, tvOS 18, visionOS 2, watchOS 11, *),
      let short = Int64(exactly: attoseconds)
    {
      let (seconds, rest) = short.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
      return Double(seconds) + Double(rest) * 1e-18
    }
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
